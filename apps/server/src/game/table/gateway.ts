import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import { random, sleep } from "../../platform/runtime.ts";
import type { Links } from "../../platform/servers/links.ts";
import type { EndedServer, OwnServer } from "../../platform/servers/own-server.ts";
import type { OutageMeter } from "../../platform/time/outage-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { type Answer, refused, UNKNOWN } from "../answer.ts";
import { CREDITED_AFTER_END_MS, type Unserved } from "../log/claim-store.ts";
import type { GameTopics } from "../topics.ts";
import { FirstArrivals } from "./first-arrivals.ts";
import { FrameOutbox, type SentFrame } from "./frame-outbox.ts";
import { type ChatOrder, formatAnswer, type Order, parseAnswer, parseOrder, type SentAnswer } from "./orders.ts";
import type { Arrival } from "./queued-command.ts";
import { Table } from "./table.ts";
import type { Tables } from "./tables.ts";
import type { WatchCost, Watcher, WatchRequest } from "./watcher.ts";

/** What is done at a table of this server. `null`: the table has left memory; route again. */
interface Local {
  command(table: Table, order: Order, arrival: Arrival, answer: (answer: Answer | null) => void): void;
  chat(table: Table, order: ChatOrder): Promise<Answer>;
  watch(table: Table, watcher: Watcher, request: WatchRequest, wasServed: boolean): WatchCost | null;
}

interface GatewayDeps {
  readonly tables: Tables;
  readonly own: OwnServer;
  readonly links: Links;
  readonly bus: Bus<GameTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly outages: OutageMeter;
  readonly log: Log;
  readonly local: Local;
}

/** What the owner answers if the table is not its own any more. */
const MOVED = "moved";
const ATTEMPTS_MAX = 4;
const RETRY_MS = 100;
const OWNER_SILENT_MS_MAX = 3 * SECOND_MS;
const LIVE_HEARD_MS_MAX = 1_000;
/** After a silence in which messages were lost. */
const RESET_WITHIN_MS = 3_000;
/** Three of the counts that each pair of servers sends. */
const SILENT_MS_MAX = 1_500;
const LOOK_EVERY_MS = 500;
/** After the end of an owner: tables that look for a new one at once, and the pause after them. */
const REWATCHED_AT_ONCE = 100;
const REWATCH_PAUSE_MS = 100;

/** A game of another server, with the connections here that watch it. */
interface RemoteGame {
  owner: string;
  readonly sockets: Map<Watcher, number>;
}

/** A connection of another server, which watches a table here. */
interface HostedWatcher extends Watcher {
  readonly gameId: GameId;
}

interface SentWatch {
  readonly socket: number;
  readonly player: PlayerView | null;
  readonly lagMs: number;
  readonly request: WatchRequest;
}

interface SentUnwatch {
  readonly socket: number;
  readonly isLost: boolean;
  /** Its server closes it, because it stops. */
  readonly isStopping: boolean;
}

interface SentCommand {
  readonly order: Order;
  readonly lagMs: number;
  readonly thinkMs: number | undefined;
  readonly waitedMs: number;
}

/**
 * Leads commands and watchers to the server that owns their table: this one, or another by requests
 * over the links. What is not answered is looked up again, then resent by the page.
 */
export class Gateway {
  readonly #deps: GatewayDeps;
  readonly #arrivals: FirstArrivals;
  readonly #outbox: FrameOutbox;
  readonly #remote = new Map<GameId, RemoteGame>();
  readonly #sockets = new Map<number, { readonly gameId: GameId; readonly watcher: Watcher }>();
  /** By server and the number of its socket. */
  readonly #hosted = new Map<string, Map<number, HostedWatcher>>();
  /** When a server that hosts watchers here was heard last, while it is silent. */
  readonly #silences = new Map<string, { readonly sinceMs: number; readonly endMs: number }>();
  /** Lookups of a game that lost its owner, and whether the watcher has left meanwhile. */
  readonly #moving = new Map<Watcher, Set<{ readonly gameId: GameId; hasLeft: boolean }>>();
  #lastSocket = 0;
  #liveHeardMs = Number.NEGATIVE_INFINITY;
  /** Since when messages of others could arrive. */
  #connectedMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(deps: GatewayDeps) {
    const { tables, own, links, bus } = deps;
    this.#deps = deps;
    this.#arrivals = new FirstArrivals(deps.time);
    this.#outbox = new FrameOutbox((server, frame) => links.send(server, "game.frame", frame));
    tables.connect(this);
    links.onRequest("game.watch", (sent: SentWatch, from) => this.#hostWatch(sent, from));
    links.onMessage("game.unwatch", (sent: SentUnwatch, from) => this.#unhost(sent, from));
    links.onRequest("game.command", (sent: SentCommand) => this.#hostCommand(sent));
    links.onRequest("game.chat", (order: ChatOrder) => this.#hostChat(order));
    links.onRequest("game.in_flight", async ({ gameId, playerId }: { gameId: GameId; playerId: PlayerId }) =>
      this.#arrivals.isInFlight(gameId, playerId),
    );
    links.onRequest("game.hand_over", async ({ gameId }: { gameId: GameId }, from) => {
      await tables.handTo(gameId, from);
      return true;
    });
    links.onMessage("game.frame", (sent: SentFrame) => this.#pass(sent));
    links.onMessage("game.moved", ({ gameId }: { gameId: GameId }) => this.#rewatchRemote(gameId));
    links.onMessage("game.reset", (_, from) => this.#resetHosted(from));
    links.onMessage("game.attach_again", (_, from) => this.#attachAgain(from));
    links.onGap((from) => this.#repair(from));
    links.onMessage("game.live", () => {
      this.#liveHeardMs = deps.time.monotonicMs();
    });
    own.onEnded((ended) => this.#serverEnded(ended));
    own.onRenewed(() => {
      this.#hosted.clear();
      for (const gameId of this.#remote.keys()) this.#rewatchRemote(gameId);
    });
    bus.subscribe("owned", ({ gameId }) => tables.noteOwner(gameId));
    if (own.isShared) this.#lookLater();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** The hot path: at a table of this server a command costs no promise. */
  command(order: Order, lagMs: number, answer: (answer: Answer) => void): void {
    const arrival = this.#arrivals.note(order, lagMs, this.#deps.outages.lostMs());
    const finish = (given: Answer): void => {
      this.#arrivals.answered(order, given);
      answer(given);
    };
    const table = this.#deps.tables.find(order.gameId);
    if (table === null) return void this.#route(order, arrival, finish, 1);
    this.#deps.local.command(table, order, arrival, (given) =>
      given === null ? void this.#route(order, arrival, finish, 2) : finish(given),
    );
  }

  async chat(order: ChatOrder): Promise<Answer> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const known = attempt === 1 ? this.#findOwner(order.gameId) : null;
      const place = known ?? (await this.#deps.tables.locate(order.gameId));
      if (place === null) return this.#deps.tables.isClosing ? UNKNOWN : refused("unknown_game");
      if (place instanceof Table) return await this.#deps.local.chat(place, order);
      const answer = await this.#ask<SentAnswer>(place.owner, "game.chat", order);
      if (answer !== null) return parseAnswer(answer);
    }
    return UNKNOWN;
  }

  /** Null without such a game. Throws while the table is out of reach. */
  async watch(watcher: Watcher, request: WatchRequest): Promise<WatchCost | null> {
    const { tables, local } = this.#deps;
    const { gameId } = request;
    this.#noteLeft(watcher, gameId, false);
    const inMemory = tables.find(gameId);
    // Without a pause: a move that came with this `watch` is charged as that of a watching player.
    if (inMemory !== null) return local.watch(inMemory, watcher, request, true);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const place = await tables.locate(gameId);
      if (place === null && !tables.isClosing) return null;
      if (place === null) break;
      if (place instanceof Table) return local.watch(place, watcher, request, false);
      const cost = await this.#watchRemote(watcher, request, place.owner);
      if (cost !== MOVED) return cost;
    }
    throw new Error(`the table of game ${gameId} is out of reach`);
  }

  /** This server stops: what it was asked last is not known to be carried out or not. */
  get isClosing(): boolean {
    return this.#deps.tables.isClosing;
  }

  /** Whether watching it costs no reading of its log here. */
  isServed(gameId: GameId): boolean {
    return this.#deps.tables.find(gameId) !== null || this.#remote.has(gameId);
  }

  /** `isLost`: the connection was lost and may return, as opposed to leaving the table. */
  unwatch(watcher: Watcher, gameId: GameId, isLost: boolean): void {
    this.#noteLeft(watcher, gameId, true);
    this.#deps.tables.find(gameId)?.unwatch(watcher, isLost);
    this.#detach(watcher, gameId, isLost);
  }

  /** The table is in this server's memory from now on, for an act that only it can carry out. */
  async takeOver(gameId: GameId): Promise<Table | null> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const place = await this.#deps.tables.locate(gameId);
      if (place === null || place instanceof Table) return place;
      await this.#ask(place.owner, "game.hand_over", { gameId });
    }
    throw new Error(`the table of game ${gameId} is out of reach`);
  }

  // For `Tables`

  rewatch(gameId: GameId, watchers: readonly Watcher[]): void {
    for (const [server, hosted] of this.#hosted) {
      const there = [...hosted].filter(([, watcher]) => watcher.gameId === gameId);
      for (const [socket] of there) hosted.delete(socket);
      if (there.length > 0) this.#deps.links.send(server, "game.moved", { gameId });
    }
    for (const watcher of watchers) if (!isHosted(watcher)) void this.#watchAgain(watcher, gameId);
  }

  async isInFlight(table: Table, playerId: PlayerId): Promise<boolean> {
    if (this.#arrivals.isInFlight(table.gameId, playerId)) return true;
    const { own } = this.#deps;
    for (const [server, hosted] of this.#hosted) {
      const isThere = [...hosted.values()].some(
        ({ gameId, player }) => gameId === table.gameId && player?.id === playerId,
      );
      if (!isThere || !own.others().includes(server)) continue;
      const answer = await this.#ask<boolean>(server, "game.in_flight", { gameId: table.gameId, playerId });
      // Until it answers or has ended.
      if (answer !== false && own.others().includes(server)) return true;
    }
    return false;
  }

  announceOwner(gameId: GameId): void {
    this.#deps.bus.publish("owned", { gameId });
  }

  // Commands

  async #route(order: Order, arrival: Arrival, answer: (answer: Answer) => void, first: number): Promise<void> {
    const { tables, local, links, log } = this.#deps;
    try {
      for (let attempt = first; attempt <= ATTEMPTS_MAX; attempt += 1) {
        const place = (attempt === 1 ? this.#findOwner(order.gameId) : null) ?? (await tables.locate(order.gameId));
        if (place === null) return answer(tables.isClosing ? UNKNOWN : refused("unknown_game"));
        const given =
          place instanceof Table
            ? await new Promise<Answer | null>((resolve) => local.command(place, order, arrival, resolve))
            : await this.#forward(place.owner, order, arrival);
        if (given !== null) return answer(given);
        if (!links.isConnected) break;
      }
    } catch (err) {
      log.error({ err, gameId: order.gameId }, "a command could not reach its table");
    }
    // An earlier copy may have been committed.
    answer(UNKNOWN);
  }

  /** Known without a look at the database, while someone here watches the game. */
  #findOwner(gameId: GameId): { readonly owner: string } | null {
    const owner = this.#remote.get(gameId)?.owner;
    return owner !== undefined && this.#deps.own.others().includes(owner) ? { owner } : null;
  }

  async #forward(owner: string, order: Order, { lagMs }: Arrival): Promise<Answer | null> {
    const { thinkMs, waitedMs } = this.#arrivals.measure(order);
    const sent: SentCommand = { order, lagMs, thinkMs, waitedMs };
    const answer = await this.#ask<SentAnswer>(owner, "game.command", sent);
    return answer === null ? null : parseAnswer(answer);
  }

  /** Null: no answer, or the table has moved. */
  async #ask<Answered>(server: string, topic: string, message: unknown): Promise<Answered | null> {
    try {
      const answer = await this.#deps.links.request(server, topic, message);
      return answer === MOVED ? null : (answer as Answered);
    } catch (err) {
      this.#deps.log.debug({ err, server, topic }, "another server did not answer");
      await sleep(RETRY_MS);
      return null;
    }
  }

  async #hostCommand({ order, lagMs, thinkMs, waitedMs }: SentCommand): Promise<SentAnswer | typeof MOVED> {
    const { tables, local, time, outages } = this.#deps;
    const place = await tables.locate(order.gameId);
    if (place === null && !tables.isClosing) return formatAnswer(refused("unknown_game"));
    if (!(place instanceof Table)) return MOVED;
    const arrival = { at: addMs(time.now(), -waitedMs), lostMs: outages.lostMs(), lagMs, thinkMs };
    const given = await new Promise<Answer | null>((resolve) =>
      local.command(place, parseOrder(order), arrival, resolve),
    );
    return given === null ? MOVED : formatAnswer(given);
  }

  async #hostChat(order: ChatOrder): Promise<SentAnswer | typeof MOVED> {
    const place = await this.#deps.tables.locate(order.gameId);
    return place instanceof Table ? formatAnswer(await this.#deps.local.chat(place, order)) : MOVED;
  }

  // Watchers here of tables elsewhere

  async #watchRemote(watcher: Watcher, request: WatchRequest, owner: string): Promise<WatchCost | null | typeof MOVED> {
    const { gameId } = request;
    const { player } = watcher;
    const remote = this.#remote.get(gameId) ?? { owner, sockets: new Map() };
    if (remote.owner !== owner) remote.owner = owner;
    this.#remote.set(gameId, remote);
    this.#lastSocket += 1;
    const socket = remote.sockets.get(watcher) ?? this.#lastSocket;
    remote.sockets.set(watcher, socket);
    this.#sockets.set(socket, { gameId, watcher });
    const sent: SentWatch = { socket, player, lagMs: watcher.lagMs(), request };
    const cost = await this.#ask<{ readonly cost: WatchCost | null }>(owner, "game.watch", sent);
    if (cost === null) {
      this.#detach(watcher, gameId, true);
      return MOVED;
    }
    if (cost.cost === null) this.#detach(watcher, gameId, true);
    return cost.cost;
  }

  #detach(watcher: Watcher, gameId: GameId, isLost: boolean): void {
    const remote = this.#remote.get(gameId);
    const socket = remote?.sockets.get(watcher);
    if (remote === undefined || socket === undefined) return;
    remote.sockets.delete(watcher);
    this.#sockets.delete(socket);
    if (remote.sockets.size === 0) {
      this.#remote.delete(gameId);
      this.#arrivals.forget(gameId);
    }
    const sent: SentUnwatch = { socket, isLost, isStopping: this.#deps.tables.isClosing };
    this.#deps.links.send(remote.owner, "game.unwatch", sent);
  }

  #pass({ sockets, frame, startsTurn }: SentFrame): void {
    for (const socket of sockets) {
      const known = this.#sockets.get(socket);
      if (known === undefined) continue;
      known.watcher.send(frame, startsTurn);
      const { player } = known.watcher;
      if (startsTurn && player !== null)
        this.#arrivals.turnStarted(known.gameId, player.id, this.#deps.outages.lostMs());
    }
  }

  /** The game is looked up again for everyone here who watches it. */
  #rewatchRemote(gameId: GameId): void {
    const remote = this.#remote.get(gameId);
    if (remote === undefined) return;
    this.#remote.delete(gameId);
    for (const [watcher, socket] of remote.sockets) {
      this.#sockets.delete(socket);
      void this.#watchAgain(watcher, gameId);
    }
  }

  async #watchAgain(watcher: Watcher, gameId: GameId): Promise<void> {
    const chatSince = watcher.player === null ? undefined : 0;
    const own = this.#moving.get(watcher) ?? new Set();
    const lookup = { gameId, hasLeft: false };
    this.#moving.set(watcher, own.add(lookup));
    try {
      if (this.#deps.tables.isClosing) return watcher.reconnect();
      const cost = await this.watch(watcher, { gameId, since: 0, chatSince, isInvited: true });
      if (lookup.hasLeft) this.unwatch(watcher, gameId, true);
      else if (cost === null) watcher.reconnect();
    } catch (err) {
      this.#deps.log.warn({ err, gameId }, "a table could not be found again");
      watcher.reconnect();
    } finally {
      own.delete(lookup);
      if (own.size === 0) this.#moving.delete(watcher);
    }
  }

  #noteLeft(watcher: Watcher, gameId: GameId, hasLeft: boolean): void {
    for (const lookup of this.#moving.get(watcher) ?? []) if (lookup.gameId === gameId) lookup.hasLeft = hasLeft;
  }

  // Watchers elsewhere of tables here

  async #hostWatch(sent: SentWatch, from: string): Promise<{ readonly cost: WatchCost | null } | typeof MOVED> {
    const { tables, local } = this.#deps;
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
      lagMs: () => lagMs,
      send: (frame, startsTurn = false) => this.#outbox.add(from, socket, frame, startsTurn),
      reconnect: () => this.#deps.links.send(from, "game.moved", { gameId }),
    };
    hosted.set(socket, watcher);
    const cost = local.watch(place, watcher, request, inMemory !== null);
    if (cost === null) hosted.delete(socket);
    return { cost: cost === null ? null : { recordsSent: cost.recordsSent, recordsRead: cost.recordsRead } };
  }

  #unhost({ socket, isLost, isStopping }: SentUnwatch, from: string): void {
    const watcher = this.#hosted.get(from)?.get(socket);
    if (watcher === undefined) return;
    this.#hosted.get(from)!.delete(socket);
    const now = this.#deps.time.now();
    const unserved: Unserved = { fromAt: now, until: addMs(now, CREDITED_AFTER_END_MS), cause: "stall" };
    this.#deps.tables.find(watcher.gameId)?.unwatch(watcher, isLost, isStopping ? unserved : null);
  }

  #dropHosted(server: string, unserved: Unserved | null): void {
    const hosted = this.#hosted.get(server);
    this.#hosted.delete(server);
    for (const watcher of hosted?.values() ?? [])
      this.#deps.tables.find(watcher.gameId)?.unwatch(watcher, true, unserved);
  }

  /** Its connections attach again: messages were lost. A longer silence is credited to them. */
  #resetHosted(server: string): void {
    const silence = this.#silences.get(server);
    this.#silences.delete(server);
    const { time } = this.#deps;
    const now = time.now();
    const fromAt = silence === undefined ? now : addMs(now, silence.sinceMs - time.monotonicMs());
    this.#dropHosted(server, { fromAt, until: addMs(now, CREDITED_AFTER_END_MS), cause: "stall" });
  }

  // Servers

  #serverEnded({ serverId, lastBeatAt, endedAt, cause }: EndedServer): void {
    const until = addMs(endedAt, CREDITED_AFTER_END_MS);
    this.#dropHosted(serverId, {
      fromAt: lastBeatAt,
      until,
      cause: cause === "gone" ? "restart" : "stall",
    });
    void this.#rewatchAll(serverId);
  }

  async #rewatchAll(owner: string): Promise<void> {
    const games = [...this.#remote].filter(([, remote]) => remote.owner === owner).map(([gameId]) => gameId);
    for (const [index, gameId] of games.entries()) {
      if (index > 0 && index % REWATCHED_AT_ONCE === 0) await sleep(REWATCH_PAUSE_MS * (1 + random()));
      this.#rewatchRemote(gameId);
    }
  }

  /** Messages were lost on the way from that server, in either role. */
  #repair(server: string): void {
    this.#attachAgain(server);
    this.#deps.links.send(server, "game.attach_again", null);
  }

  #attachAgain(owner: string): void {
    this.#deps.links.send(owner, "game.reset", null);
    void this.#rewatchAll(owner);
  }

  /** This server alone lacks the database: others take over its tables, and players follow. */
  #sendAllAway(): void {
    this.#deps.log.error("without the database while other servers have it: players are sent to them");
    for (const table of this.#deps.tables.all()) for (const watcher of table.watchers) watcher.reconnect();
    for (const { watcher } of this.#sockets.values()) watcher.reconnect();
  }

  /** Players there may lack the newest position meanwhile. */
  #noteSilence(server: string): void {
    const { links, time } = this.#deps;
    const nowMs = time.monotonicMs();
    const sinceMs = nowMs - links.silentMs(server);
    const known = this.#silences.get(server);
    if (nowMs - sinceMs > SILENT_MS_MAX)
      this.#silences.set(server, { sinceMs: known?.sinceMs ?? sinceMs, endMs: nowMs });
    // Nothing was lost: no connection attaches again.
    else if (known !== undefined && nowMs - known.endMs > RESET_WITHIN_MS) this.#silences.delete(server);
  }

  #lookLater(): void {
    const { wheel, time } = this.#deps;
    const dueMs = time.monotonicMs() + LOOK_EVERY_MS;
    wheel.schedule(dueMs, () => {
      if (this.#isClosed) return;
      // After a stall of this server the messages of the others wait to be read.
      if (time.monotonicMs() - dueMs <= LOOK_EVERY_MS) this.#look();
      this.#lookLater();
    });
  }

  #look(): void {
    const { links, own, time } = this.#deps;
    for (const server of this.#hosted.keys()) this.#noteSilence(server);
    if (own.isLive()) links.broadcast("game.live", null);
    else if (time.monotonicMs() - this.#liveHeardMs < LIVE_HEARD_MS_MAX) this.#sendAllAway();
    if (!links.isConnected) this.#connectedMs = time.monotonicMs();
    const connectedMs = time.monotonicMs() - this.#connectedMs;
    for (const [gameId, { owner, sockets }] of this.#remote) {
      // The database says that the owner lives, but nothing arrives: another server may reach it.
      const isSilent = Math.min(links.silentMs(owner), connectedMs) > OWNER_SILENT_MS_MAX;
      if (!isSilent || !own.others().includes(owner)) continue;
      this.#remote.delete(gameId);
      for (const [watcher, socket] of sockets) {
        this.#sockets.delete(socket);
        watcher.reconnect();
      }
    }
  }
}

function isHosted(watcher: Watcher): watcher is HostedWatcher {
  return "gameId" in watcher;
}
