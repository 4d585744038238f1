import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import type { TableCommand } from "@holo/table/command.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Answer, Refused } from "../answer.ts";

/** Of each player, so that no one crowds out others. More than may wait at a table. */
const KEPT_OF_PLAYER = 128;
const PLAYERS_KEPT = 10_000;
/** A page resends every 2.5 s, and a silent connection is closed within seconds (pings.ts). */
const KEPT_MS = 5 * MINUTE_MS;

interface OfPlayer {
  newestMs: number;
  readonly refusals: Map<string, Answer>;
}

/**
 * The newest refusals of commands: a later copy must not be carried out. They outlive tables in
 * memory. A restart drops them with the connections of the copies.
 */
export class Refusals {
  readonly #time: Pick<Time, "monotonicMs">;
  /** Players by their newest refusal, oldest first. */
  readonly #players = new Map<PlayerId, OfPlayer>();

  constructor(time: Pick<Time, "monotonicMs">) {
    this.#time = time;
  }

  /** Ignores the platform's own commands, which have no copies. */
  keep(gameId: GameId, command: TableCommand, refusal: Refused): void {
    if (!("id" in command)) return;
    this.#keep(command.player, toKey(gameId, command.id), refusal);
  }

  /** Of a request for a new game, which has no table. `content`: its command id and terms. */
  keepCreate(player: PlayerId, content: string, refusal: Refused): void {
    this.#keep(player, toCreateKey(content), refusal);
  }

  findCreate(player: PlayerId, content: string): Answer | undefined {
    return this.#players.get(player)?.refusals.get(toCreateKey(content));
  }

  find(gameId: GameId, command: TableCommand): Answer | undefined {
    return "id" in command ? this.#players.get(command.player)?.refusals.get(toKey(gameId, command.id)) : undefined;
  }

  #keep(player: PlayerId, key: string, refusal: Refused): void {
    const nowMs = this.#time.monotonicMs();
    const own = this.#players.get(player) ?? { newestMs: nowMs, refusals: new Map<string, Answer>() };
    own.newestMs = nowMs;
    own.refusals.set(key, refusal);
    const [oldestKey] = own.refusals.keys();
    if (own.refusals.size > KEPT_OF_PLAYER && oldestKey !== undefined) own.refusals.delete(oldestKey);
    this.#players.delete(player);
    this.#players.set(player, own);
    for (const [oldest, { newestMs }] of this.#players) {
      if (this.#players.size <= PLAYERS_KEPT && nowMs - newestMs <= KEPT_MS) return;
      this.#players.delete(oldest);
    }
  }
}

function toKey(gameId: GameId, id: string): string {
  return `${gameId} ${id}`;
}

function toCreateKey(content: string): string {
  return `create ${content}`;
}
