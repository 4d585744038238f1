import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Answer } from "../answer.ts";
import type { Order } from "../table/orders.ts";
import type { Arrival } from "../table/queued-command.ts";

interface First {
  readonly gameId: GameId;
  readonly player: PlayerId;
  readonly ms: number;
  readonly lostMs: number;
  /** Since the position was passed on to the player here; absent if another server did that. */
  readonly thinkMs: number | undefined;
  /** Of the newest copy. */
  newestMs: number;
}

interface Turn {
  readonly ms: number;
  readonly lostMs: number;
}

/** A page resends every 2.5 s. */
const IN_FLIGHT_MS = 4 * SECOND_MS;
const KEPT_MS = 30 * SECOND_MS;

/**
 * When moves first arrived here and how long their players thought: a copy that is sent because the
 * first one got no answer costs no more time.
 */
export class FirstArrivals {
  readonly #time: Time;
  readonly #firsts = new Map<string, First>();
  readonly #turns = new Map<GameId, Map<PlayerId, Turn>>();

  constructor(time: Time) {
    this.#time = time;
  }

  /** The position that begins the player's turn was passed on to them. */
  turnStarted(gameId: GameId, player: PlayerId, lostMs: number): void {
    const turns = this.#turns.get(gameId) ?? new Map<PlayerId, Turn>();
    this.#turns.set(gameId, turns.set(player, { ms: this.#time.monotonicMs(), lostMs }));
  }

  /** No one here watches the game any more. */
  forget(gameId: GameId): void {
    this.#turns.delete(gameId);
  }

  note(order: Order, lagMs: number, lostMs: number): Arrival {
    const now = this.#time.now();
    if (order.type !== "move") return { at: now, lostMs, lagMs };
    const nowMs = this.#time.monotonicMs();
    const key = toKey(order);
    const known = this.#firsts.get(key);
    if (known !== undefined) {
      known.newestMs = nowMs;
      return { at: addMs(now, known.ms - nowMs), lostMs: known.lostMs, lagMs };
    }
    const { gameId, player } = order;
    const turn = this.#turns.get(gameId)?.get(player);
    const thinkMs = turn === undefined ? undefined : Math.max(0, nowMs - turn.ms - (lostMs - turn.lostMs));
    this.#firsts.set(key, { gameId, player, ms: nowMs, lostMs, thinkMs, newestMs: nowMs });
    for (const [oldest, { ms, newestMs }] of this.#firsts) {
      if (nowMs - ms <= KEPT_MS) break;
      if (nowMs - newestMs > KEPT_MS) this.#firsts.delete(oldest);
    }
    return { at: now, lostMs, lagMs };
  }

  /** As durations: no instant of this server means anything at another one. */
  measure(order: Order): { readonly thinkMs: number | undefined; readonly waitedMs: number } {
    const first = order.type === "move" ? this.#firsts.get(toKey(order)) : undefined;
    if (first === undefined) return { thinkMs: undefined, waitedMs: 0 };
    return { thinkMs: first.thinkMs, waitedMs: Math.round(this.#time.monotonicMs() - first.ms) };
  }

  answered(order: Order, answer: Answer): void {
    if (order.type === "move" && answer.type !== "unknown") this.#firsts.delete(toKey(order));
  }

  isInFlight(gameId: GameId, player: PlayerId): boolean {
    const sinceMs = this.#time.monotonicMs() - IN_FLIGHT_MS;
    for (const first of this.#firsts.values())
      if (first.gameId === gameId && first.player === player && first.newestMs >= sinceMs) return true;
    return false;
  }
}

/** With the move itself: another one under the same id has an arrival of its own. */
function toKey({ player, commandId, gameId, atVersion, path, promotion }: Extract<Order, { type: "move" }>): string {
  return `${player} ${commandId} ${gameId} ${atVersion} ${path.join()} ${promotion ?? ""}`;
}
