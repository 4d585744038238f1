import { isOpen } from "@holo/table/state.ts";
import type { Table } from "../../lib/table-store-fold.ts";
import type { Scene } from "./scene.ts";

/** Where a step through the record leads. */
export type RecordStep = "first" | "previous" | "next" | "last";

/** The keys of the move list. */
export const RECORD_KEYS: Readonly<Record<string, RecordStep>> = {
  Home: "first",
  ArrowLeft: "previous",
  ArrowRight: "next",
  End: "last",
};

/** The ply that a step leads to, between the start (0) and the newest (`count`). */
export function stepThrough(ply: number, count: number, step: RecordStep): number {
  const to = { first: 0, previous: ply - 1, next: ply + 1, last: count }[step];
  return Math.min(count, Math.max(0, to));
}

/** The scene as it was after some plies: its board, what was taken by then, and both clocks. */
export function rewind(scene: Scene, ply: number): Scene {
  const { shown } = scene;
  const { table, positions } = shown;
  const moves = table.moves.slice(0, ply);
  const remainingMs = moves.at(-1)?.remainingMs ?? [table.limitMs, table.limitMs];
  return {
    ...scene,
    position: positions[ply],
    lastMove: moves.at(-1)?.move ?? null,
    shown: { ...shown, table: { ...table, moves, clock: { ...table.clock, remainingMs } } },
  };
}

/** What the clock of each move's player showed after it, in ms. Empty while the game goes on: then only the clocks themselves count. */
export function toTimesLeft({ status, moves }: Pick<Table, "status" | "moves">): readonly number[] {
  if (isOpen(status)) return [];
  return moves.map(({ remainingMs }, ply) => remainingMs[ply % 2 === 0 ? 0 : 1]);
}

/** "Move 12 of 31", counted in plies as the list counts them; "The start" before the first. */
export function formatPly(ply: number, count: number): string {
  return ply === 0 ? "The start" : `Move ${ply} of ${count}`;
}
