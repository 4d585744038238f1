import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs } from "@holo/kernel/instant.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import { random, sleep } from "../../platform/runtime.ts";
import type { Links } from "../../platform/servers/links.ts";
import type { OwnServer } from "../../platform/servers/own-server.ts";
import type { OutageMeter } from "../../platform/time/outage-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { type Answer, refused, UNKNOWN } from "../answer.ts";
import { type ChatOrder, formatAnswer, type Order, parseAnswer, parseOrder, type SentAnswer } from "../table/orders.ts";
import type { Arrival } from "../table/queued-command.ts";
import { Table } from "../table/table.ts";
import type { Tables } from "../table/tables.ts";
import type { WatchCost, Watcher, WatchRequest } from "../table/watcher.ts";
import type { GameTopics } from "../topics.ts";
import { FirstArrivals } from "./first-arrivals.ts";
import { HostedWatchers, isHosted } from "./hosted-watchers.ts";
import { RemoteTables } from "./remote-tables.ts";
import { ask, MOVED } from "./requests.ts";

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

const ATTEMPTS_MAX = 4;
const LIVE_HEARD_MS_MAX = 1_000;
const LOOK_EVERY_MS = 500;
/** After the end of an owner: tables that look for a new one at once, and the pause after them. */
const REWATCHED_AT_ONCE = 100;
const REWATCH_PAUSE_MS = 100;

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
  readonly #remote: RemoteTables;
  readonly #hosted: HostedWatchers;
  /** Lookups of a game that lost its owner, and whether the watcher has left meanwhile. */
  readonly #moving = new Map<Watcher, Set<{ readonly gameId: GameId; hasLeft: boolean }>>();
  #liveHeardMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(deps: GatewayDeps) {
    const { tables, own, links, bus } = deps;
    this.#deps = deps;
    this.#arrivals = new FirstArrivals(deps.time);
    this.#remote = new RemoteTables({ ...deps, arrivals: this.#arrivals });
    this.#hosted = new HostedWatchers({ ...deps, watch: deps.local.watch });
    tables.connect(this);
    links.onRequest("game.command", (sent: SentCommand) => this.#hostCommand(sent));
    links.onRequest("game.chat", (order: ChatOrder) => this.#hostChat(order));
    links.onRequest("game.in_flight", async ({ gameId, playerId }: { gameId: GameId; playerId: PlayerId }) =>
      this.#arrivals.isInFlight(gameId, playerId),
    );
    links.onRequest("game.hand_over", async ({ gameId }: { gameId: GameId }, from) => {
      await tables.handTo(gameId, from);
      return true;
    });
    links.onMessage("game.moved", ({ gameId }: { gameId: GameId }) => this.#rewatchRemote(gameId));
    links.onMessage("game.attach_again", (_, from) => this.#attachAgain(from));
    links.onGap((from) => this.#repair(from));
    links.onMessage("game.live", () => {
      this.#liveHeardMs = deps.time.monotonicMs();
    });
    own.onEnded((ended) => {
      this.#hosted.serverEnded(ended);
      void this.#rewatchAll(ended.serverId);
    });
    own.onRenewed(() => {
      this.#hosted.clear();
      for (const gameId of this.#remote.all()) this.#rewatchRemote(gameId);
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
      const known = attempt === 1 ? this.#remote.findOwner(order.gameId) : null;
      const place = known ?? (await this.#deps.tables.locate(order.gameId));
      if (place === null) return this.#deps.tables.isClosing ? UNKNOWN : refused("unknown_game");
      if (place instanceof Table) return await this.#deps.local.chat(place, order);
      const answer = await ask<SentAnswer>(this.#deps, place.owner, "game.chat", order);
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
      const cost = await this.#remote.watch(watcher, request, place.owner);
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
    this.#remote.unwatch(watcher, gameId, isLost);
  }

  /** The table is in this server's memory from now on, for an act that only it can carry out. */
  async takeOver(gameId: GameId): Promise<Table | null> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const place = await this.#deps.tables.locate(gameId);
      if (place === null || place instanceof Table) return place;
      await ask(this.#deps, place.owner, "game.hand_over", { gameId });
    }
    throw new Error(`the table of game ${gameId} is out of reach`);
  }

  // For `Tables`

  rewatch(gameId: GameId, watchers: readonly Watcher[]): void {
    this.#hosted.sendAway(gameId);
    for (const watcher of watchers) if (!isHosted(watcher)) void this.#watchAgain(watcher, gameId);
  }

  async isInFlight(table: Table, playerId: PlayerId): Promise<boolean> {
    if (this.#arrivals.isInFlight(table.gameId, playerId)) return true;
    const { own } = this.#deps;
    for (const server of this.#hosted.serversOf(table.gameId, playerId)) {
      if (!own.others().includes(server)) continue;
      const answer = await ask<boolean>(this.#deps, server, "game.in_flight", { gameId: table.gameId, playerId });
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
        const place =
          (attempt === 1 ? this.#remote.findOwner(order.gameId) : null) ?? (await tables.locate(order.gameId));
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

  async #forward(owner: string, order: Order, { lagMs }: Arrival): Promise<Answer | null> {
    const { thinkMs, waitedMs } = this.#arrivals.measure(order);
    const sent: SentCommand = { order, lagMs, thinkMs, waitedMs };
    const answer = await ask<SentAnswer>(this.#deps, owner, "game.command", sent);
    return answer === null ? null : parseAnswer(answer);
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

  // Looking for a table again

  /** The game is looked up again for everyone here who watches it. */
  #rewatchRemote(gameId: GameId): void {
    for (const watcher of this.#remote.take(gameId)) void this.#watchAgain(watcher, gameId);
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

  async #rewatchAll(owner: string): Promise<void> {
    for (const [index, gameId] of this.#remote.listOf(owner).entries()) {
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
    this.#remote.reconnectAll();
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
    this.#hosted.noteSilences();
    if (own.isLive()) links.broadcast("game.live", null);
    else if (time.monotonicMs() - this.#liveHeardMs < LIVE_HEARD_MS_MAX) this.#sendAllAway();
    this.#remote.reconnectSilent();
  }
}
