import type { Move, Played, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { BoardSettings } from "../../lib/board-settings.ts";
import type { Rules } from "../../lib/games.ts";
import type { Premove } from "../../lib/premoves.ts";
import type { Table } from "../../lib/table-store-fold.ts";

/** A move on its way from the player's hand to the table. */
export type OwnMove =
  | { readonly type: "none" }
  /** What is the pawn to become? */
  | { readonly type: "promoting"; readonly path: readonly Square[]; readonly at: Moment }
  /** Drawn, and to be confirmed. */
  | { readonly type: "tentative"; readonly played: Played<unknown>; readonly text: string; readonly at: Moment };

/** The board that a choice was made on. */
export interface Moment {
  readonly boardVersion: number;
  readonly isAhead: boolean;
}

export type Chosen =
  | OwnMove
  | { readonly type: "play"; readonly path: readonly Square[]; readonly promotion?: Promotion }
  | { readonly type: "premove"; readonly premove: Premove };

export const NO_MOVE: OwnMove = { type: "none" };

interface Choice {
  readonly shown: { readonly rules: Rules; readonly table: Pick<Table, "position" | "boardVersion"> };
  readonly seat: Seat;
  readonly isAhead: boolean;
  readonly settings: Pick<BoardSettings, "promotionChoice" | "moveConfirmation">;
}

/** What choosing a path on the board leads to. `moves` are those that the board offered. */
export function choosePath(choice: Choice, moves: readonly Move[], path: readonly Square[]): Chosen {
  const isPromoting = moves.some((move) => move.promotion !== undefined && isSamePath(move.path, path));
  if (isPromoting && choice.settings.promotionChoice) return { type: "promoting", path, at: toMoment(choice) };
  return settleMove(choice, path);
}

/** What a move leads to that lacks nothing any more. Premoves are never confirmed: they are there to be quick. */
export function settleMove(choice: Choice, path: readonly Square[], promotion?: Promotion): Chosen {
  const { shown, seat, isAhead, settings } = choice;
  const promoted = promotion === undefined ? {} : { promotion };
  const [from, to] = path;
  if (isAhead) {
    if (from === undefined || to === undefined) return NO_MOVE;
    return { type: "premove", premove: { seat, path: [from, to], ...promoted } };
  }
  if (!settings.moveConfirmation) return { type: "play", path, ...promoted };
  const { rules, table } = shown;
  const played = rules.play(table.position, path, promotion);
  if (!played.ok) return NO_MOVE;
  const text = rules.formatMove(table.position, played.value.move);
  return { type: "tentative", played: played.value, text, at: toMoment(choice) };
}

/** The same move while nothing has happened to the board that it was chosen on, else none. */
export function keepOwnMove(move: OwnMove, now: Moment | null): OwnMove {
  if (move.type === "none" || now === null) return NO_MOVE;
  const isSame = move.at.boardVersion === now.boardVersion && move.at.isAhead === now.isAhead;
  return isSame ? move : NO_MOVE;
}

function toMoment({ shown, isAhead }: Pick<Choice, "shown" | "isAhead">): Moment {
  return { boardVersion: shown.table.boardVersion, isAhead };
}

function isSamePath(a: readonly Square[], b: readonly Square[]): boolean {
  return a.length === b.length && a.every((square, index) => square === b[index]);
}
