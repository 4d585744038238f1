import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Outage } from "@holo/table/clock.ts";
import { isUnlisted } from "@holo/table/state.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import { type LoadOne, makeBatchLoader } from "../../platform/batch-loader.ts";
import { sleep } from "../../platform/runtime.ts";
import type { ChatMessage } from "../chat/chat-store.ts";
import { loadDatabaseStart, loadDiverged, loadOtherVersions } from "../log/game-store.ts";
import { parseSeatKey, parseServed, type StoredOutage } from "./outage-store.ts";
import { Refusals } from "./refusals.ts";
import { ServedSeats } from "./served-seats.ts";
import { seatOf, type TableMessage, type WatchCost, type Watcher } from "./table.ts";
import { TableActor, type TableActorDeps, type TableHost } from "./table-actor.ts";
import { loadTableContents, type TableContent } from "./table-content.ts";

const DRAIN_MS = 20;
const COMPARED_AT_ONCE = 1_000;
/** Bounds the memory of one answer: some logs are long. */
const LOADED_AT_ONCE = 50;

/** The tables in memory on this server, one actor per game, each read from its log once. */
export class TableRegistry implements TableHost {
  readonly refusals: Refusals;
  readonly seats: ServedSeats;
  readonly #deps: TableActorDeps;
  readonly #outages: StoredOutage[];
  readonly #tables = new Map<GameId, TableActor>();
  readonly #rematchOffers = new Set<TableActor>();
  readonly #loadContent: LoadOne<GameId, TableContent | BrokenInvariant>;
  readonly #loading = new Map<GameId, Promise<TableActor | null>>();
  #isClosing = false;
  /** Of the PostgreSQL with which all tables agree. */
  #databaseStart: string | null = null;
  #onChat: (table: TableActor, message: ChatMessage) => void = () => undefined;

  constructor(deps: TableActorDeps, outages: readonly StoredOutage[] = []) {
    this.#deps = deps;
    this.refusals = new Refusals(deps.servers, deps.time);
    this.seats = new ServedSeats(deps);
    this.#outages = [...outages];
    deps.servers.onHeldElsewhere((key, isHeld) => {
      const seat = parseSeatKey(key);
      if (seat !== null) this.find(seat.gameId)?.noteElsewhere(seat.playerId, isHeld);
    });
    deps.servers.onSentHere((message) => {
      const sent = message as TableMessage;
      this.find(sent.gameId)?.receive(sent);
    });
    const { database, loadPlayers } = deps;
    this.#loadContent = makeBatchLoader((ids) => loadTableContents(database.kysely, loadPlayers, ids), LOADED_AT_ONCE);
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  get outages(): readonly StoredOutage[] {
    return this.#outages;
  }

  get size(): number {
    return this.#tables.size;
  }

  /** Tables that carry out a command, without those that have stopped. */
  countBusy(): number {
    return [...this.#tables.values()].filter((table) => table.isBusy && !table.isStopped).length;
  }

  find(gameId: GameId): TableActor | null {
    return this.#tables.get(gameId) ?? null;
  }

  async load(gameId: GameId): Promise<TableActor | null> {
    const table = this.#tables.get(gameId);
    if (table !== undefined) return table;
    const loading = this.#loading.get(gameId) ?? this.#read(gameId).finally(() => this.#loading.delete(gameId));
    this.#loading.set(gameId, loading);
    return await loading;
  }

  /** If the game was read from its log meanwhile, that table stays. */
  open(content: TableContent, wallets: readonly Wallet[]): TableActor {
    const table = this.#tables.get(content.state.gameId) ?? this.#start(content);
    this.#deps.broadcast.sendWallets(wallets);
    this.#deps.broadcast.sendStatus(table);
    this.playersSeated(content.state.players, table.gameId);
    return table;
  }

  /** Broadcasts a game that was committed without an acknowledgement. */
  async announce(gameId: GameId, playerId: PlayerId): Promise<void> {
    this.playersSeated([playerId], gameId);
    const inMemory = this.find(gameId);
    if (inMemory !== null) return await inMemory.resync();
    const table = await this.load(gameId);
    if (table !== null) await this.#deps.broadcast.sendStatusAndWallets(table);
  }

  playersSeated(playerIds: readonly (PlayerId | null)[], gameId: GameId): void {
    for (const table of this.#rematchOffers) if (table.gameId !== gameId) table.lapseRematchOf(playerIds);
  }

  noteRematchOffer(table: TableActor, isPending: boolean): void {
    if (isPending && this.find(table.gameId) === table) this.#rematchOffers.add(table);
    else this.#rematchOffers.delete(table);
  }

  /**
   * Credits open games in memory now, and the others when they are loaded (ruling 16). `keys` are
   * the affected seats; null: all.
   */
  creditOutage(outage: Outage, keys: readonly string[] | null): void {
    const stored: StoredOutage = { ...outage, served: keys === null ? null : parseServed(keys), serverId: null };
    this.#outages.push(stored);
    for (const table of this.#tables.values()) table.creditOutage(stored);
  }

  /** Credits an outage that another server has stored. */
  creditStored(outage: StoredOutage): void {
    this.#outages.push(outage);
    for (const table of this.#tables.values()) table.creditStored(outage);
  }

  onChat(receive: (table: TableActor, message: ChatMessage) => void): void {
    this.#onChat = receive;
  }

  receiveChat(table: TableActor, message: ChatMessage): void {
    this.#onChat(table, message);
  }

  watched(): readonly TableActor[] {
    return [...this.#tables.values()].filter(({ watchers }) => watchers.size > 0);
  }

  /**
   * A PostgreSQL that took over may lack the newest record of a table, or have another one instead.
   * A busy table is not read again at once, so it compares until no table differs.
   */
  async rereadDiverged(): Promise<void> {
    const { kysely } = this.#deps.database;
    const databaseStart = await loadDatabaseStart(kysely);
    if (databaseStart === this.#databaseStart) return;
    let isAnyDiverged = false;
    const tables = [...this.#tables.values()];
    for (let from = 0; from < tables.length; from += COMPARED_AT_ONCE) {
      const part = tables.slice(from, from + COMPARED_AT_ONCE);
      const known = part.map(({ gameId, hash, state }) => ({ gameId, version: state.version, hash }));
      for (const gameId of await loadDiverged(kysely, known)) {
        isAnyDiverged = true;
        this.find(gameId)?.reread();
      }
    }
    if (!isAnyDiverged) this.#databaseStart = databaseStart;
  }

  async catchUp(): Promise<void> {
    await this.rereadDiverged();
    const known = this.watched().map((table) => ({ table, version: table.state.version }));
    for (let from = 0; from < known.length; from += COMPARED_AT_ONCE) {
      const part = known.slice(from, from + COMPARED_AT_ONCE);
      const stored = await loadOtherVersions(
        this.#deps.database.kysely,
        part.map(({ table, version }) => ({ gameId: table.gameId, version })),
      );
      for (const { table, version } of part) {
        const newest = stored.get(table.gameId);
        if (newest === undefined) continue;
        if (newest > table.state.version && !table.isBusy) void table.resync();
        // A record that was broadcast was never stored.
        else if (newest < version) table.reread();
      }
    }
  }

  /** Null without such a game. `isInvited`: the watcher has the link of a game by invitation. */
  async watch(watcher: Watcher, gameId: GameId, since: number, isInvited = false): Promise<WatchCost | null> {
    const inMemory = this.find(gameId);
    const wasServed = inMemory !== null;
    // Without a pause: a move that came with this `watch` is charged as that of a watching player.
    const table = inMemory ?? (await this.load(gameId));
    if (table === null) return null;
    // A table without watchers here may be behind its log.
    if (wasServed && this.#deps.servers.isShared && table.watchers.size === 0) await table.resync();
    if (isUnlisted(table.state) && !isInvited && seatOf(table, watcher.player) === null) return null;
    const recordsSent = table.watch(watcher, since);
    return { recordsSent, recordsRead: wasServed ? 0 : table.state.version };
  }

  /** `isLost`: the connection was lost and may return, as opposed to leaving the table. */
  unwatch(watcher: Watcher, gameId: GameId, isLost: boolean): void {
    this.find(gameId)?.unwatch(watcher, isLost);
  }

  dropIfIdle(table: TableActor): void {
    if (table.isIdle()) this.drop(table);
  }

  dropAllIdle(): void {
    for (const table of this.#tables.values()) this.dropIfIdle(table);
  }

  drop(table: TableActor): void {
    this.#rematchOffers.delete(table);
    if (this.#tables.get(table.gameId) === table) this.#tables.delete(table.gameId);
    table.close();
  }

  stopAccepting(): void {
    this.#isClosing = true;
    for (const table of this.#tables.values()) table.dropIfStopped();
  }

  /** Waits until every queued command is on disk, then drops all tables. */
  async close(): Promise<void> {
    this.stopAccepting();
    const isAnyBusy = () => [...this.#tables.values()].some((table) => table.isBusy);
    while (isAnyBusy()) await sleep(DRAIN_MS);
    for (const table of this.#tables.values()) this.drop(table);
  }

  async #read(gameId: GameId): Promise<TableActor | null> {
    const content = await this.#loadContent(gameId);
    this.#deps.outages.noteAnswer();
    if (content === null) return null;
    if (content instanceof BrokenInvariant) throw content;
    // The game may have been opened meanwhile: two tables of one game would each miss records.
    return this.#tables.get(gameId) ?? this.#start(content);
  }

  #start(content: TableContent): TableActor {
    const table = new TableActor(this.#deps, this, content);
    this.#tables.set(table.gameId, table);
    table.start();
    return table;
  }
}
