import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { Move, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { Rules } from "../../../shared/board/game-rules.ts";
import { type Premove, resolvePremove } from "../../../shared/board/premoves.ts";
import type { Table, TableFold } from "./table-fold.ts";

/** An own move that is drawn before it is acknowledged. */
export interface PendingMove {
  readonly move: Move;
  readonly position: unknown;
  readonly atVersion: number;
  /** By the server's clock; the displayed clocks stop here. */
  readonly sentAt: Instant;
}

export interface ShownTable extends TableFold {
  readonly type: "ready";
  readonly rules: Rules;
  readonly players: BySeat<PlayerView, PlayerView | null>;
  /** Since when each player is away (ms since 1970); null while present. */
  readonly awaySinceAt: BySeat<number | null>;
  /** Others than the two players. */
  readonly watchers: number;
  readonly pending: PendingMove | null;
  /** Sent on the player's next turn. A takeback or a lost connection drops it. */
  readonly premove: Premove | null;
}

export type TableView =
  | { readonly type: "loading" }
  | { readonly type: "missing" }
  /** The server's records contradict each other, even after a restart. Only a reload can help. */
  | { readonly type: "broken" }
  | ShownTable;

export type Presence = Pick<ShownTable, "players" | "awaySinceAt" | "watchers">;

interface NextView {
  readonly view: ShownTable;
  /** The premove whose turn has come; null for none. */
  readonly due: Move | null;
}

/** The view after more records. A move in flight stays while the board is unchanged. */
export function toNextView(view: TableView, rules: Rules, fold: TableFold, presence: Presence): NextView {
  const before = view.type === "ready" ? view : null;
  const pending = before?.pending ?? null;
  const premove = before?.premove ?? null;
  const { table } = fold;
  const isPending = pending !== null && pending.atVersion === table.boardVersion && table.status === "active";
  const decision = premove === null || before === null ? "drop" : decidePremove(rules, premove, before.table, table);
  const due = decision === "play" && premove !== null ? resolvePremove(rules, table.position, premove) : null;
  return {
    view: {
      ...fold,
      ...presence,
      type: "ready",
      rules,
      pending: isPending ? pending : null,
      premove: decision === "keep" ? premove : null,
    },
    due,
  };
}

/** The effect of the next table on a premove. Only moves keep it. */
function decidePremove(rules: Rules, premove: Premove, before: Table, now: Table): "keep" | "play" | "drop" {
  if (now.status !== "active") return "drop";
  if (now.boardVersion === before.boardVersion) return "keep";
  if (now.moves.length <= before.moves.length) return "drop";
  return rules.toMove(now.position) === premove.seat ? "play" : "keep";
}

export function toPendingMove(
  { rules, table, pending }: ShownTable,
  path: readonly Square[],
  promotion: Promotion | undefined,
  now: number,
): PendingMove | null {
  if (pending !== null) return null;
  const played = rules.play(table.position, path, promotion);
  if (!played.ok) return null;
  const { move, position } = played.value;
  return { move, position, atVersion: table.boardVersion, sentAt: toInstant(now) };
}

/** Only the player who is not to move may have a premove. */
export function withPremove(view: TableView, premove: Premove | null): TableView {
  if (view.type !== "ready" || view.table.status !== "active" || view.premove === premove) return view;
  const turn = view.rules.toMove(view.pending?.position ?? view.table.position);
  return premove?.seat === turn ? view : { ...view, premove };
}

export function withPresence(view: TableView, seat: Seat, sinceAt: number | null): TableView {
  if (view.type !== "ready") return view;
  const [white, black] = view.awaySinceAt;
  return { ...view, awaySinceAt: seat === 1 ? [sinceAt, black] : [white, sinceAt] };
}
