import type { Seat } from "@holo/rules/rules.ts";
import type { ReviewedMove } from "../../../shared/evaluation/reviewed-game.ts";

type TimedMove = Pick<ReviewedMove, "seat" | "chargedMs" | "isForced">;

export interface ThinkTime {
  readonly ply: number;
  readonly seat: Seat;
  readonly chargedMs: number;
  /** 0 to 1 on a logarithmic scale, so that seconds and minutes are both seen. */
  readonly height: number;
}

export interface ThinkTimeSummary {
  readonly moves: number;
  /** Null without a move. */
  readonly medianMs: number | null;
  readonly longestMs: number | null;
}

const SHORTEST_MS = 100;
const LONGEST_MS = 120_000;

export function toThinkTimes(moves: readonly TimedMove[]): readonly ThinkTime[] {
  return moves.map(({ seat, chargedMs }, index) => {
    const limited = Math.min(Math.max(chargedMs, SHORTEST_MS), LONGEST_MS);
    return {
      ply: index + 1,
      seat,
      chargedMs,
      height: Math.log(limited / SHORTEST_MS) / Math.log(LONGEST_MS / SHORTEST_MS),
    };
  });
}

/** Of the moves that were a choice: the only legal move is played at once by everyone. */
export function summarizeThinkTimes(moves: readonly TimedMove[], seat: Seat): ThinkTimeSummary {
  const times = moves
    .filter((move) => move.seat === seat && !move.isForced)
    .map(({ chargedMs }) => chargedMs)
    .toSorted((a, b) => a - b);
  const upper = times[Math.floor(times.length / 2)];
  const lower = times[Math.ceil(times.length / 2) - 1];
  return {
    moves: times.length,
    medianMs: upper === undefined || lower === undefined ? null : (upper + lower) / 2,
    longestMs: times.at(-1) ?? null,
  };
}

/** "0.4 s", "12 s", "2 min 05 s". */
export function formatThinkTime(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${`${whole % 60}`.padStart(2, "0")} s`;
}
