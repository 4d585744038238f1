import type { MatchView } from "@holo/protocol/game/games.ts";
import { isFree } from "@holo/table/stakes.ts";
import { Link } from "wouter";
import { classes } from "../../ui/text/classes.ts";
import { formatRelativeTime } from "../../ui/text/relative-time.ts";
import { useNow } from "../../ui/text/use-now.ts";
import { MiniBoard } from "../board/picture/mini-board.tsx";
import { CoinAmount } from "../money/coin-amount.tsx";
import { formatMissingOpponent, formatMode, formatResult, parseBoard, seatOf, toResult } from "./match.ts";
import { LobbyBadge, MatchBadge } from "./match-badge.tsx";
import { MatchStake } from "./match-stake.tsx";
import "./match-rows.css";

interface MatchRowsProps {
  readonly matches: readonly MatchView[];
  readonly playerId: string;
  readonly short?: boolean;
}

const CLOCK_MS = 30_000;

export function MatchRows({ matches, playerId, short = false }: MatchRowsProps) {
  const now = useNow(CLOCK_MS);
  return (
    <ul className={classes("match-rows", short && "short")}>
      {matches.map((match) => (
        <li key={match.id}>
          <Link href={`/game/${match.id}`}>
            <MiniBoard game={match.game} pieces={parseBoard(match.game, match.board)} />
            <span className="who">
              <span>
                <b className="unbroken" translate="no">
                  {match.white.username}
                </b>{" "}
                {match.black === null ? (
                  <span className="absence meta">{formatMissingOpponent(match.status)}</span>
                ) : (
                  <>
                    <span className="meta">vs</span>{" "}
                    <b className="unbroken" translate="no">
                      {match.black.username}
                    </b>
                  </>
                )}
              </span>
              <span className="meta">{formatMode(match.game, match.limitMinutes)}</span>
            </span>
            {!short && (
              <>
                <span className="state">
                  <MatchBadge status={match.status} />
                </span>
                <time className="when meta" dateTime={new Date(match.createdAt).toISOString()}>
                  {formatRelativeTime(match.createdAt, now)}
                </time>
              </>
            )}
            <Sum match={match} playerId={playerId} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Sum({ match, playerId }: { readonly match: MatchView; readonly playerId: string }) {
  const seat = seatOf(match, playerId);
  const result = seat === null ? null : toResult(match, seat);
  if (result === null) {
    return (
      <span className="sum">
        <span className="open-status">
          {seat === null ? <LobbyBadge status={match.status} /> : <MatchBadge status={match.status} />}
        </span>{" "}
        <MatchStake match={match} />
      </span>
    );
  }
  return (
    <span className="sum">
      <span className={result.type}>{formatResult(result.type, match.stake)}</span>{" "}
      {isFree(match.stake) ? (
        <span className="money">Free</span>
      ) : (
        result.type !== "refunded" && <CoinAmount coins={result.net} signed />
      )}
    </span>
  );
}
