import { formatCoins } from "@holo/kernel/money.ts";
import type { OwnFairPlayCaseView, OwnFairPlayView } from "@holo/protocol/fair-play.ts";
import { APPEAL_DAYS } from "@holo/protocol/fair-play-terms.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { callApi, fetchApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { MatchRows } from "../../../shared/match/match-rows.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { LoadFailure } from "../../../ui/feedback/failure-note.tsx";
import { Loading } from "../../../ui/feedback/skeleton.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { formatFutureTime, formatRelativeTimeWithin } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { isRecent } from "./recent-forfeit.ts";
import { WriteDialog, type WriteTexts } from "./write-dialog.tsx";
import "./forfeits.css";

const CLOCK_MS = 30_000;
const GAMES_MAX = 20;

interface ForfeitsProps extends Pick<OwnFairPlayView, "cases"> {
  readonly playerId: string;
  readonly onChanged: (changed: OwnFairPlayView) => void;
}

/** Decisions against the player, each with its games and the one appeal. */
export function Forfeits({ cases, playerId, onChanged }: ForfeitsProps) {
  const now = useNow(CLOCK_MS);
  return cases
    .filter((shown) => shown.state === "forfeited" && isRecent(shown, now))
    .map((shown, index) => (
      <Forfeit
        key={shown.id}
        label={index === 0 ? "Fair play decision" : `Fair play decision ${index + 1}`}
        shown={shown}
        playerId={playerId}
        now={now}
        onChanged={onChanged}
      />
    ));
}

interface ForfeitProps extends Omit<ForfeitsProps, "cases"> {
  /** Of the region: no two have the same. */
  readonly label: string;
  readonly shown: OwnFairPlayCaseView;
  readonly now: number;
}

function Forfeit({ label, shown, playerId, now, onChanged }: ForfeitProps) {
  const { endedAt, forfeitedCoins, gameIds } = shown;
  return (
    <Panel className="forfeit" label={label}>
      <h2>Coins went back</h2>
      {endedAt !== null && <p className="meta">Decided {formatRelativeTimeWithin(endedAt, now)}</p>}
      <p>
        Two people decided that {formatCoins(readCoins(forfeitedCoins ?? "0"))} HC goes back to those who lost it: the
        games listed here were not played fairly.{" "}
        <Link href="/fair-play" className="link">
          How fair play works
        </Link>
      </p>
      {gameIds.length > 0 && <Games gameIds={gameIds} playerId={playerId} />}
      <Appeal shown={shown} now={now} onChanged={onChanged} />
    </Panel>
  );
}

interface GamesProps extends Pick<OwnFairPlayCaseView, "gameIds"> {
  readonly playerId: string;
}

function Games({ gameIds, playerId }: GamesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{gameIds.length === 1 ? "The game" : `The ${gameIds.length} games`}</summary>
      {isOpen && <GameRows gameIds={gameIds} playerId={playerId} />}
    </details>
  );
}

function GameRows({ gameIds, playerId }: GamesProps) {
  const shown = gameIds.slice(0, GAMES_MAX);
  const { data, isError, refetch } = useQuery({
    queryKey: ["forfeited-games", shown.join()],
    queryFn: ({ signal }) => Promise.all(shown.map((id) => fetchApi("match", { params: { id } }, signal))),
  });
  if (data === undefined && isError) {
    return <LoadFailure text="We couldn't load these games." onTryAgain={() => void refetch()} />;
  }
  if (data === undefined) return <Loading text="Loading games..." />;
  return (
    <>
      <MatchRows matches={data} playerId={playerId} short />
      {gameIds.length > GAMES_MAX && <p className="small muted">And {gameIds.length - GAMES_MAX} more.</p>}
    </>
  );
}

const APPEAL_TEXTS: WriteTexts = {
  title: "Appeal",
  label: "Why is the decision wrong?",
  hint: "You can appeal once, so please write down everything.",
  missing: "Please write why the decision is wrong.",
  submit: "Send Appeal",
  done: "Appeal sent",
  doneText: "Someone new looks at it and answers here.",
};

function Appeal({ shown, now, onChanged }: Pick<ForfeitProps, "shown" | "now" | "onChanged">) {
  const { id, appeal, appealUntilAt } = shown;
  const [isOpen, setOpen] = useState(false);
  if (appeal !== null) return <SentAppeal appeal={appeal} now={now} />;
  if (appealUntilAt === null || appealUntilAt <= now) {
    return <p className="small muted">The {APPEAL_DAYS} days for an appeal are over.</p>;
  }
  return (
    <>
      <p className="small">You can appeal once, until {formatFutureTime(appealUntilAt, now)}. Somebody else answers.</p>
      <Button size="small" onClick={() => setOpen(true)}>
        Appeal
      </Button>
      {isOpen && (
        <WriteDialog
          texts={APPEAL_TEXTS}
          send={(text) => callApi("appealForfeit", { body: { id, text } })}
          onSent={onChanged}
          onClose={() => setOpen(false)}
        >
          <p className="muted">
            Someone who had no part in the decision reads it, looks at the games again and answers.
          </p>
        </WriteDialog>
      )}
    </>
  );
}

interface SentAppealProps {
  readonly appeal: NonNullable<OwnFairPlayCaseView["appeal"]>;
  readonly now: number;
}

function SentAppeal({ appeal: { at, text, answer }, now }: SentAppealProps) {
  return (
    <div className="sent-appeal">
      <h3>Your appeal</h3>
      <p className="meta">{formatRelativeTimeWithin(at, now)}</p>
      <p className="told">{text}</p>
      {answer === null ? (
        <p>
          <Badge kind="pending">Waiting</Badge> Someone new looks at it. You see the answer here.
        </p>
      ) : (
        <>
          <p>
            <Badge kind={answer.isAccepted ? "active" : "done"}>{answer.isAccepted ? "Accepted" : "Refused"}</Badge>{" "}
            {answer.isAccepted
              ? "We were wrong, and we're sorry. Your coins are back in your wallet."
              : "The decision stays, and it can't be appealed again."}
          </p>
          <p className="told">{answer.text}</p>
        </>
      )}
    </div>
  );
}
