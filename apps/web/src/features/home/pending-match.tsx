import type { GameId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../lib/api/api.ts";
import { Queries } from "../../lib/api/query.tsx";
import { formatMode } from "../../shared/match/match.ts";
import { cancelMatch } from "../../shared/match/match-commands.ts";
import { MatchStake } from "../../shared/match/match-stake.tsx";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import { formatRelativeTime } from "../../ui/text/relative-time.ts";
import { useNow } from "../../ui/text/use-now.ts";
import "./pending-match.css";

const CLOCK_MS = 30_000;

/** The player's own match that waits for an opponent, in place of 'Create a Match'. */
export default function PendingMatch({ gameId }: { readonly gameId: GameId }) {
  return (
    <Queries>
      <Pending gameId={gameId} />
    </Queries>
  );
}

function Pending({ gameId }: { readonly gameId: GameId }) {
  const { data } = useQuery({
    queryKey: ["match", gameId],
    queryFn: ({ signal }) => fetchApi("match", { params: { id: gameId } }, signal),
  });
  const [busy, setBusy] = useState(false);

  async function cancel() {
    setBusy(true);
    await cancelMatch({ id: gameId, stake: data?.stake ?? 0 });
    setBusy(false);
  }

  return (
    <section className="pending-match" aria-labelledby="pending-match">
      <h2 id="pending-match">Waiting for opponent</h2>
      <Terms match={data} />
      <div className="pending-match-actions">
        <Button busy={busy && "Cancelling..."} onClick={() => void cancel()}>
          Cancel
        </Button>
        <ButtonLink href={`/game/${gameId}`} kind="primary">
          Open
        </ButtonLink>
      </div>
    </section>
  );
}

function Terms({ match }: { readonly match: MatchView | undefined }) {
  const now = useNow(CLOCK_MS);
  return (
    <p className="pending-match-terms">
      {match !== undefined && (
        <>
          <span>
            {formatMode(match.game, match.limitMinutes)}, <MatchStake match={match} />
          </span>{" "}
          <time dateTime={new Date(match.createdAt).toISOString()}>{formatRelativeTime(match.createdAt, now)}</time>
        </>
      )}
    </p>
  );
}
