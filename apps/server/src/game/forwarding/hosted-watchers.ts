import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { Links } from "../../platform/servers/links.ts";
import type { EndedServer } from "../../platform/servers/own-server.ts";
import type { Time } from "../../platform/time/time.ts";
import { CREDITED_AFTER_END_MS, type Unserved } from "../log/claim-store.ts";
import { Table } from "../table/table.ts";
import type { Tables } from "../table/tables.ts";
import type { WatchCost, Watcher, WatchRequest } from "../table/watcher.ts";
import { FrameOutbox } from "./frame-outbox.ts";
import { MOVED } from "./requests.ts";

export interface SentWatch {
  readonly socket: number;
  readonly player: PlayerView | null;
  readonly lagMs: number;
  readonly request: WatchRequest;
}

export interface SentUnwatch {
  readonly socket: number;
  readonly isLost: boolean;
  /** Its server closes it, because it stops. */
  readonly isStopping: boolean;
}

/** A connection of another server, which watches a table here. */
interface HostedWatcher extends Watcher {
  readonly gameId: GameId;
}

interface HostedWatchersDeps {
  readonly tables: Tables;
  readonly links: Links;
  readonly time: Time;
  readonly watch: (table: Table, watcher: Watcher, request: WatchRequest, wasServed: boolean) => WatchCost | null;
}

/** After a silence in which messages were lost. */
const RESET_WITHIN_MS = 3_000;
/** Three of the counts that each pair of servers sends. */
const SILENT_MS_MAX = 1_500;

/** The connections of other servers that watch tables here. */
export class HostedWatchers {
  readonly #deps: HostedWatchersDeps;
  readonly #outbox: FrameOutbox;
  /** By server and the number of its socket. */
  readonly #hosted = new Map<string, Map<number, HostedWatcher>>();
  /** When a server that hosts watchers here was heard last, while it is silent. */
  readonly #silences = new Map<string, { readonly sinceMs: number; readonly endMs: number }>();

  constructor(deps: HostedWatchersDeps) {
    const { links } = deps;
    this.#deps = deps;
    this.#outbox = new FrameOutbox((server, frame) => links.send(server, "game.frame", frame));
    links.onRequest("game.watch", (sent: SentWatch, from) => this.#watch(sent, from));
    links.onMessage("game.unwatch", (sent: SentUnwatch, from) => this.#unwatch(sent, from));
    links.onMessage("game.reset", (_, from) => this.#reset(from));
  }

  /** The table has left this server: theirs look for it again. */
  sendAway(gameId: GameId): void {
    for (const [server, hosted] of this.#hosted) {
      const there = [...hosted].filter(([, watcher]) => watcher.gameId === gameId);
      for (const [socket] of there) hosted.delete(socket);
      if (there.length > 0) this.#deps.links.send(server, "game.moved", { gameId });
    }
  }

  /** The servers through which the player watches the table. */
  serversOf(gameId: GameId, playerId: PlayerId): readonly string[] {
    const isThere = (watcher: HostedWatcher) => watcher.gameId === gameId && watcher.player?.id === playerId;
    return [...this.#hosted].filter(([, hosted]) => [...hosted.values()].some(isThere)).map(([server]) => server);
  }

  serverEnded({ serverId, lastBeatAt, endedAt, cause }: EndedServer): void {
    this.#drop(serverId, {
      fromAt: lastBeatAt,
      until: addMs(endedAt, CREDITED_AFTER_END_MS),
      cause: cause === "gone" ? "restart" : "stall",
    });
  }

  /** This server has another id, under which none has attached. */
  clear(): void {
    this.#hosted.clear();
  }

  /** Called often. Players of a silent server may lack the newest position meanwhile. */
  noteSilences(): void {
    const { links, time } = this.#deps;
    const nowMs = time.monotonicMs();
    for (const server of this.#hosted.keys()) {
      const sinceMs = nowMs - links.silentMs(server);
      const known = this.#silences.get(server);
      if (nowMs - sinceMs > SILENT_MS_MAX)
        this.#silences.set(server, { sinceMs: known?.sinceMs ?? sinceMs, endMs: nowMs });
      // Nothing was lost: no connection attaches again.
      else if (known !== undefined && nowMs - known.endMs > RESET_WITHIN_MS) this.#silences.delete(server);
    }
  }

  async #watch(sent: SentWatch, from: string): Promise<{ readonly cost: WatchCost | null } | typeof MOVED> {
    const { tables, links, watch } = this.#deps;
    const { socket, player, lagMs, request } = sent;
    const { gameId } = request;
    const inMemory = tables.find(gameId);
    const place = inMemory ?? (await tables.locate(gameId));
    if (place === null) return tables.isClosing ? MOVED : { cost: null };
    if (!(place instanceof Table)) return MOVED;
    const hosted = this.#hosted.get(from) ?? new Map<number, HostedWatcher>();
    this.#hosted.set(from, hosted);
    const watcher: HostedWatcher = hosted.get(socket) ?? {
      gameId,
      player,
      isHosted: true,
      lagMs: () => lagMs,
      send: (frame, startsTurn = false) => this.#outbox.add(from, socket, frame, startsTurn),
      reconnect: () => links.send(from, "game.moved", { gameId }),
    };
    hosted.set(socket, watcher);
    const cost = watch(place, watcher, request, inMemory !== null);
    if (cost === null) hosted.delete(socket);
    return { cost: cost === null ? null : { recordsSent: cost.recordsSent, recordsRead: cost.recordsRead } };
  }

  #unwatch({ socket, isLost, isStopping }: SentUnwatch, from: string): void {
    const watcher = this.#hosted.get(from)?.get(socket);
    if (watcher === undefined) return;
    this.#hosted.get(from)!.delete(socket);
    const now = this.#deps.time.now();
    const unserved: Unserved = { fromAt: now, until: addMs(now, CREDITED_AFTER_END_MS), cause: "stall" };
    this.#deps.tables.find(watcher.gameId)?.unwatch(watcher, isLost, isStopping ? unserved : null);
  }

  /** Its connections attach again: messages were lost. A longer silence is credited to them. */
  #reset(server: string): void {
    const silence = this.#silences.get(server);
    this.#silences.delete(server);
    const { time } = this.#deps;
    const now = time.now();
    const fromAt = silence === undefined ? now : addMs(now, silence.sinceMs - time.monotonicMs());
    this.#drop(server, { fromAt, until: addMs(now, CREDITED_AFTER_END_MS), cause: "stall" });
  }

  #drop(server: string, unserved: Unserved): void {
    const hosted = this.#hosted.get(server);
    this.#hosted.delete(server);
    for (const watcher of hosted?.values() ?? [])
      this.#deps.tables.find(watcher.gameId)?.unwatch(watcher, true, unserved);
  }
}

/** Of a table's watchers, those that another server hosts. */
export function isHosted(watcher: Watcher): boolean {
  return watcher.isHosted === true;
}
