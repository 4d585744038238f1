import type { GameId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { Log } from "../../platform/log.ts";
import type { Links } from "../../platform/servers/links.ts";
import type { OwnServer } from "../../platform/servers/own-server.ts";
import type { OutageMeter } from "../../platform/time/outage-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Tables } from "../table/tables.ts";
import type { WatchCost, Watcher, WatchRequest } from "../table/watcher.ts";
import type { FirstArrivals } from "./first-arrivals.ts";
import type { SentFrame } from "./frame-outbox.ts";
import type { SentUnwatch, SentWatch } from "./hosted-watchers.ts";
import { ask, MOVED } from "./requests.ts";

interface RemoteTablesDeps {
  readonly tables: Pick<Tables, "isClosing">;
  readonly own: OwnServer;
  readonly links: Links;
  readonly time: Time;
  readonly outages: OutageMeter;
  readonly log: Log;
  readonly arrivals: FirstArrivals;
}

/** A game of another server, with the connections here that watch it. */
interface RemoteGame {
  owner: string;
  readonly sockets: Map<Watcher, number>;
}

const OWNER_SILENT_MS_MAX = 3 * SECOND_MS;

/** The connections here that watch tables of other servers, and the frames that arrive for them. */
export class RemoteTables {
  readonly #deps: RemoteTablesDeps;
  readonly #games = new Map<GameId, RemoteGame>();
  readonly #sockets = new Map<number, { readonly gameId: GameId; readonly watcher: Watcher }>();
  #lastSocket = 0;
  /** Since when messages of others could arrive. */
  #connectedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: RemoteTablesDeps) {
    this.#deps = deps;
    deps.links.onMessage("game.frame", (sent: SentFrame) => this.#pass(sent));
  }

  has(gameId: GameId): boolean {
    return this.#games.has(gameId);
  }

  /** Known without a look at the database, while someone here watches the game. */
  findOwner(gameId: GameId): { readonly owner: string } | null {
    const owner = this.#games.get(gameId)?.owner;
    return owner !== undefined && this.#deps.own.others().includes(owner) ? { owner } : null;
  }

  listOf(owner: string): readonly GameId[] {
    return [...this.#games].filter(([, game]) => game.owner === owner).map(([gameId]) => gameId);
  }

  all(): readonly GameId[] {
    return [...this.#games.keys()];
  }

  async watch(watcher: Watcher, request: WatchRequest, owner: string): Promise<WatchCost | null | typeof MOVED> {
    const { gameId } = request;
    const { player } = watcher;
    const game = this.#games.get(gameId) ?? { owner, sockets: new Map() };
    if (game.owner !== owner) game.owner = owner;
    this.#games.set(gameId, game);
    this.#lastSocket += 1;
    const socket = game.sockets.get(watcher) ?? this.#lastSocket;
    game.sockets.set(watcher, socket);
    this.#sockets.set(socket, { gameId, watcher });
    const sent: SentWatch = { socket, player, lagMs: watcher.lagMs(), request };
    const answer = await ask<{ readonly cost: WatchCost | null }>(this.#deps, owner, "game.watch", sent);
    if (answer === null || answer.cost === null) this.unwatch(watcher, gameId, true);
    return answer === null ? MOVED : answer.cost;
  }

  unwatch(watcher: Watcher, gameId: GameId, isLost: boolean): void {
    const game = this.#games.get(gameId);
    const socket = game?.sockets.get(watcher);
    if (game === undefined || socket === undefined) return;
    game.sockets.delete(watcher);
    this.#sockets.delete(socket);
    if (game.sockets.size === 0) {
      this.#games.delete(gameId);
      this.#deps.arrivals.forget(gameId);
    }
    const sent: SentUnwatch = { socket, isLost, isStopping: this.#deps.tables.isClosing };
    this.#deps.links.send(game.owner, "game.unwatch", sent);
  }

  /** Forgets the game and returns its watchers, who have to look for it again. */
  take(gameId: GameId): readonly Watcher[] {
    const game = this.#games.get(gameId);
    this.#games.delete(gameId);
    for (const socket of game?.sockets.values() ?? []) this.#sockets.delete(socket);
    return [...(game?.sockets.keys() ?? [])];
  }

  reconnectAll(): void {
    for (const { watcher } of this.#sockets.values()) watcher.reconnect();
  }

  /** To be called often. Other servers may reach an owner that lives but sends nothing here. */
  reconnectSilent(): void {
    const { links, own, time } = this.#deps;
    if (!links.isConnected) this.#connectedMs = time.monotonicMs();
    const connectedMs = time.monotonicMs() - this.#connectedMs;
    for (const [gameId, { owner }] of this.#games) {
      const isSilent = Math.min(links.silentMs(owner), connectedMs) > OWNER_SILENT_MS_MAX;
      if (!isSilent || !own.others().includes(owner)) continue;
      for (const watcher of this.take(gameId)) watcher.reconnect();
    }
  }

  #pass({ sockets, frame, startsTurn }: SentFrame): void {
    const { arrivals, outages } = this.#deps;
    for (const socket of sockets) {
      const known = this.#sockets.get(socket);
      if (known === undefined) continue;
      known.watcher.send(frame, startsTurn);
      const { player } = known.watcher;
      if (startsTurn && player !== null) arrivals.turnStarted(known.gameId, player.id, outages.lostMs());
    }
  }
}
