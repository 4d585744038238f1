import type { LogView } from "@holo/protocol/game/games.ts";
import type { GameType, Move, Seat } from "@holo/rules/rules.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import type { Rules } from "../board/game-rules.ts";

export interface ReviewedMove {
  readonly move: Move;
  readonly text: string;
  readonly seat: Seat;
  /** The rules allowed no other move. */
  readonly isForced: boolean;
  /** Of the mover's clock. */
  readonly chargedMs: number;
}

/** The moves that stayed on the board, and the positions before, between and after them. */
export interface ReviewedGame {
  readonly game: GameType;
  readonly moves: readonly ReviewedMove[];
  readonly positions: readonly unknown[];
}

const PLIES_PER_TASK = 8;

/**
 * Replays a finished game from its log. Pauses between a few moves, so that a long game blocks no
 * press. Throws if a move breaks the rules.
 */
export async function readGame(rules: Rules, log: LogView, pause: () => Promise<void>): Promise<ReviewedGame> {
  const moves: ReviewedMove[] = [];
  const positions: unknown[] = [rules.start()];
  for (const { path, promotion, chargedMs } of listMoves(log)) {
    const position = positions[moves.length];
    const played = rules.play(position, path, promotion);
    if (!played.ok) throw new Error("the log has an illegal move");
    const { move } = played.value;
    moves.push({
      move,
      text: rules.formatMove(position, move),
      seat: rules.toMove(position),
      isForced: rules.legalMoves(position).length === 1,
      chargedMs,
    });
    positions.push(played.value.position);
    if (moves.length % PLIES_PER_TASK === 0) await pause();
  }
  return { game: rules.game, moves, positions };
}

/** Without those that were taken back. */
function listMoves({ rows }: LogView): readonly Extract<TableEvent, { readonly type: "moved" }>[] {
  const moves: Extract<TableEvent, { readonly type: "moved" }>[] = [];
  for (const event of rows.flatMap(({ text }) => (JSON.parse(text) as LogRecord).events)) {
    if (event.type === "moved") moves.push(event);
    if (event.type === "taken_back") moves.length -= event.plies;
  }
  return moves;
}
