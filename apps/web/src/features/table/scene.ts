import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Move, Seat } from "@holo/rules/rules.ts";
import { CLOCK_STARTS_AFTER_PLIES } from "@holo/table/clock.ts";
import { RESIGN_AFTER_PLIES } from "@holo/table/decide.ts";
import { toRemaining } from "@holo/table/remaining.ts";
import { type Terms, toTerms } from "@holo/table/stakes.ts";
import { toOpponent, toSeat } from "@holo/table/state.ts";
import type { ShownTable } from "../../lib/table-store.ts";

/** A table as one person sees it. */
export interface Scene {
  readonly shown: ShownTable;
  /** Their own seat; null for who only watches. */
  readonly seat: Seat | null;
  /** Whose side of the board is below. */
  readonly bottom: Seat;
  /** Whose turn it is on the board as drawn, the move on its way included; null while nobody plays. */
  readonly turn: Seat | null;
  readonly position: unknown;
  readonly lastMove: Move | null;
  readonly terms: Terms;
}

export function toScene(shown: ShownTable, playerId: string | undefined): Scene {
  const { rules, table } = shown;
  const seat = playerId === undefined ? null : toSeat(table, playerId as PlayerId);
  const terms = toTerms(table.stake, rules.pieceCount, table.feeBps);
  return { shown, seat, bottom: seat ?? 1, ...toDrawn(shown), terms };
}

function toDrawn({ rules, table, pending }: ShownTable): Pick<Scene, "turn" | "position" | "lastMove"> {
  const position = pending?.position ?? table.position;
  return {
    turn: table.status === "active" ? rules.toMove(position) : null,
    position,
    lastMove: pending?.move ?? table.moves.at(-1)?.move ?? null,
  };
}

/** As the server has the table where the move on its way has not arrived. */
export function withoutPending(scene: Scene): Scene {
  const shown = { ...scene.shown, pending: null };
  return { ...scene, shown, ...toDrawn(shown) };
}

export function toName({ shown }: Pick<Scene, "shown">, seat: Seat): string {
  return shown.players[seat - 1]?.username ?? "Open seat";
}

/** Whether who is at the page may move now: it is their turn, and no move of theirs is on its way. */
export function mayMove({ shown, seat, turn }: Scene): boolean {
  return seat !== null && turn === seat && shown.pending === null;
}

/** Whether who is at the page may choose now what to play once it is their turn. */
export function mayPremove({ seat, turn }: Scene): boolean {
  return seat !== null && turn === toOpponent(seat);
}

export function mayCancel({ shown: { table }, seat }: Scene): boolean {
  const isEarly = table.status === "active" && table.pliesEver < RESIGN_AFTER_PLIES;
  return seat !== null && (table.status === "waiting" || isEarly);
}

export function mayResign({ shown: { table }, seat }: Scene): boolean {
  return seat !== null && table.status === "active" && table.pliesEver >= RESIGN_AFTER_PLIES;
}

/** Whether clocks count on this table by now (ruling 17). */
export function isTimed({ shown: { table } }: Scene): boolean {
  return table.status === "active" && table.pliesEver >= CLOCK_STARTS_AFTER_PLIES;
}

/** A player's time in ms. Both clocks stand still while a move is on its way. @param now by the server's clock */
export function toRemainingMs({ shown }: Scene, seat: Seat, now: number): number {
  const at = (shown.pending?.sentAt ?? now) as Parameters<typeof toRemaining>[2];
  return toRemaining(shown.rules, shown.table, at)[seat - 1]!;
}

/** How many pieces a seat has taken. Player 1 makes the first move and every second one after it. */
export function countCaptured({ shown: { table } }: Pick<Scene, "shown">, seat: Seat): number {
  return table.moves
    .filter((_, index) => (index % 2 === 0 ? 1 : 2) === seat)
    .reduce((count, { move }) => count + move.captured.length, 0);
}

export { toOpponent };
