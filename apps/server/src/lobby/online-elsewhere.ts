import type { PlayerId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Bus } from "../platform/bus.ts";
import type { Queries } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { OwnServer } from "../platform/servers/own-server.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import type { LobbyTopics } from "./topics.ts";

/** With several servers: tells the others who is connected here, and learns who is there. */
interface OnlineElsewhere {
  /** The player's first connection to this server. */
  connected(playerId: PlayerId): void;
  /** Their last one was closed. They count for a while: they may be changing servers. */
  disconnected(playerId: PlayerId): void;
  /** To be called every second: reads who is connected to the others. Messages are faster. */
  refresh(): Promise<void>;
}

interface OnlineElsewhereDeps {
  readonly queries: Queries;
  readonly own: OwnServer;
  readonly bus: Bus<LobbyTopics>;
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly log: Log;
  readonly listConnected: () => readonly PlayerId[];
  readonly onChange: (playerId: PlayerId, isThere: boolean) => void;
}

const WRITE_EVERY_MS = 250;
const KEPT_MS = 10 * SECOND_MS;
/** The row of an announced player may be written and read so much later. */
const ANNOUNCED_MS = 2 * SECOND_MS;

export function openOnlineElsewhere(deps: OnlineElsewhereDeps): OnlineElsewhere {
  const { own, bus, time, wheel, log, listConnected, onChange } = deps;
  const rows = new OnlineRows(deps);
  let isWriteDue = false;
  /** By server: until when an announcement counts without a row. */
  const announced = new Map<string, Map<PlayerId, number>>();
  let stored: ReadonlyMap<string, ReadonlySet<PlayerId>> = new Map();
  let elsewhere: ReadonlySet<PlayerId> = new Set();

  function writeSoon(): void {
    if (isWriteDue) return;
    isWriteDue = true;
    wheel.schedule(time.monotonicMs() + WRITE_EVERY_MS, () => {
      isWriteDue = false;
      rows.write().catch((err) => {
        log.warn({ err }, "who is connected here could not be stored yet");
        writeSoon();
      });
    });
  }

  function apply(): void {
    const nowMs = time.monotonicMs();
    const found = new Set<PlayerId>();
    for (const serverId of own.others()) {
      for (const playerId of stored.get(serverId) ?? []) found.add(playerId);
      for (const [playerId, untilMs] of announced.get(serverId) ?? []) {
        if (untilMs > nowMs) found.add(playerId);
        else announced.get(serverId)?.delete(playerId);
      }
    }
    const before = elsewhere;
    elsewhere = found;
    for (const playerId of before) if (!found.has(playerId)) onChange(playerId, false);
    for (const playerId of found) if (!before.has(playerId)) onChange(playerId, true);
  }

  bus.subscribe("online", ({ serverId, playerId }) => {
    if (serverId === own.id) return;
    const of = announced.get(serverId) ?? new Map<PlayerId, number>();
    announced.set(serverId, of.set(playerId, time.monotonicMs() + ANNOUNCED_MS));
    apply();
  });
  own.onEnded(({ serverId }) => {
    announced.delete(serverId);
    apply();
  });
  own.onRenewed(() => {
    rows.restart(listConnected());
    writeSoon();
  });

  return {
    connected(playerId) {
      if (!rows.add(playerId)) return;
      bus.publish("online", { serverId: own.id, playerId });
      writeSoon();
    },
    disconnected: (playerId) => rows.removeLater(playerId),
    async refresh() {
      await rows.write();
      stored = await rows.readOthers();
      apply();
    },
  };
}

/** The rows of this server, written in batches. */
class OnlineRows {
  readonly #deps: Pick<OnlineElsewhereDeps, "queries" | "own" | "time">;
  #toInsert = new Set<PlayerId>();
  /** Since when those whose rows remain are not connected. */
  readonly #leftMs = new Map<PlayerId, number>();
  #writing: Promise<void> = Promise.resolve();
  #isSwept = false;

  constructor(deps: Pick<OnlineElsewhereDeps, "queries" | "own" | "time">) {
    this.#deps = deps;
  }

  /** False: the row is there. */
  add(playerId: PlayerId): boolean {
    if (this.#leftMs.delete(playerId)) return false;
    this.#toInsert.add(playerId);
    return true;
  }

  removeLater(playerId: PlayerId): void {
    this.#leftMs.set(playerId, this.#deps.time.monotonicMs());
  }

  /** For a new id of the server. */
  restart(connected: readonly PlayerId[]): void {
    this.#leftMs.clear();
    this.#toInsert = new Set(connected);
  }

  /** One write at a time: a row that is deleted may be needed again. */
  write(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async readOthers(): Promise<ReadonlyMap<string, ReadonlySet<PlayerId>>> {
    const { queries, own } = this.#deps;
    const { rows } = await sql<{ server_id: string; players: readonly PlayerId[] }>`
      select server_id, json_agg(player_id) as players from online_players
      where server_id = any(${[...own.others()]}::uuid[]) group by server_id`.execute(queries);
    return new Map(rows.map((row) => [row.server_id, new Set(row.players)]));
  }

  async #write(): Promise<void> {
    const { queries, own } = this.#deps;
    await this.#removeLeft();
    const players = this.#toInsert;
    if (players.size > 0) {
      this.#toInsert = new Set();
      try {
        await sql`insert into online_players (server_id, player_id)
          select ${own.id}::uuid, unnest(${[...players]}::text[]) on conflict do nothing`.execute(queries);
      } catch (error) {
        for (const playerId of players) this.#toInsert.add(playerId);
        throw error;
      }
    }
    if (this.#isSwept) return;
    await sql`delete from online_players where server_id not in (select server_id from servers where ended_at is null)`.execute(
      queries,
    );
    this.#isSwept = true;
  }

  async #removeLeft(): Promise<void> {
    const { queries, own, time } = this.#deps;
    const dueMs = time.monotonicMs() - KEPT_MS;
    const left = [...this.#leftMs].filter(([, ms]) => ms <= dueMs);
    if (left.length === 0) return;
    for (const [playerId] of left) this.#leftMs.delete(playerId);
    try {
      const players = left.map(([playerId]) => playerId);
      await sql`delete from online_players where server_id = ${own.id} and player_id = any(${players}::text[])`.execute(
        queries,
      );
    } catch (error) {
      for (const [playerId, ms] of left) if (!this.#toInsert.has(playerId)) this.#leftMs.set(playerId, ms);
      throw error;
    }
  }
}
