import type { GameId } from "@holo/kernel/ids.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../lib/api/api.ts";
import { Queries } from "../../lib/api/query.tsx";
import { formatMode, toMatchTerms } from "../../shared/match/match.ts";
import { cancelMatch } from "../../shared/match/match-commands.ts";
import { CoinAmount } from "../../shared/money/coin-amount.tsx";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import { formatRelativeTime } from "../../ui/text/relative-time.ts";
import { useNow } from "../../ui/text/use-now.ts";
import "./pending-match.css";

const CLOCK_MS = 30_000;

/** The player's own match that waits for an opponent, in place of 'Create a Match'. */
export default function PendingMatch({ gameId }: { readonly gameId: GameId }) {
  const [busy, setBusy] = useState(false);

  async function cancel() {
    setBusy(true);
    await cancelMatch(gameId);
    setBusy(false);
  }

  return (
    <section className="pending-match" aria-labelledby="pending-match">
      <h2 id="pending-match">Waiting for opponent</h2>
      <Queries>
        <Terms gameId={gameId} />
      </Queries>
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

function Terms({ gameId }: { readonly gameId: GameId }) {
  const now = useNow(CLOCK_MS);
  const { data } = useQuery({
    queryKey: ["match", gameId],
    queryFn: ({ signal }) => fetchApi("match", { params: { id: gameId } }, signal),
  });
  return (
    <p className="pending-match-terms">
      {data !== undefined && (
        <>
          <span>
            {formatMode(data.game, data.limitMinutes)}, <CoinAmount coins={toMatchTerms(data).stakeTotal} />
          </span>{" "}
          <time dateTime={new Date(data.createdAt).toISOString()}>{formatRelativeTime(data.createdAt, now)}</time>
        </>
      )}
    </p>
  );
}
