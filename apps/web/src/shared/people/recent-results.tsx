import type { MatchView, PlayerView } from "@holo/protocol/game/games.ts";
import { Link } from "wouter";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { formatRelativeTimeWithin } from "../../ui/text/relative-time.ts";
import { formatGame, formatResult, formatStake, seatOf, toResult } from "../match/match.ts";
import "./recent-results.css";

interface RecentResultsProps {
  readonly player: PlayerView;
  readonly matches: readonly MatchView[];
}

/** A player's newest results; each leads to its game. */
export function RecentResults({ player, matches }: RecentResultsProps) {
  const now = serverClock.now();
  return (
    <ul className="recent-results">
      {matches.map((match) => (
        <RecentResult key={match.id} match={match} player={player} now={now} />
      ))}
    </ul>
  );
}

interface RecentResultProps {
  readonly match: MatchView;
  readonly player: PlayerView;
  readonly now: number;
}

function RecentResult({ match, player, now }: RecentResultProps) {
  const seat = seatOf(match, player.id);
  const result = seat === null ? null : toResult(match, seat);
  const other = seat === 1 ? match.black : match.white;
  if (result === null || other === null) return null;
  return (
    <li>
      <Link href={`/game/${match.id}`}>
        <b className={result.type}>{formatResult(result.type, match.stake)}</b>
        <span className="against">
          against{" "}
          <span className="unbroken" translate="no">
            {other.username}
          </span>
        </span>
        <span className="meta">
          {formatGame(match.game)}, {formatStake(match.stake)}, {formatRelativeTimeWithin(match.updatedAt, now)}
        </span>
      </Link>
    </li>
  );
}
