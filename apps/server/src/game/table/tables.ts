import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { Outage } from "@holo/table/clock.ts";
import { isUnlisted, type TableState } from "@holo/table/state.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import { type LoadOne, makeBatchLoader } from "../../platform/batch-loader.ts";
import { sleep } from "../../platform/runtime.ts";
import { Fenced } from "../../platform/servers/fence.ts";
import { claimGames, clearUnserved, handGame, listAbandoned, releaseGames } from "../log/claim-store.ts";
import { confirmDatabase, loadGames } from "../log/game-store.ts";
import { Refusals } from "./refusals.ts";
import { Table, type TableBeginning, type TableDeps, type TableHost } from "./table.ts";
import { loadTableContents, type TableContent } from "./table-content.ts";
import { seatOf, type WatchCost, type Watcher, type WatchRequest } from "./watcher.ts";

/** Where a game is: in this server's memory, or at another server that owns it. */
export type Place = Table | { readonly owner: string };

/** What the tables ask of the way to other servers. */
interface Router {
  /** These watchers have lost their table here. */
  rewatch(gameId: GameId, watchers: readonly Watcher[]): void;
  /** Whether a command of the player may be on its way to the table. */
  isInFlight(table: Table, playerId: PlayerId): Promise<boolean>;
  announceOwner(gameId: GameId): void;
}

type Found = TableBeginning | { readonly owner: string };

const DRAIN_MS = 20;
/** Bounds the memory of one answer: some logs are long. */
const LOADED_AT_ONCE = 50;
const ABANDONED_AT_ONCE = 100;
/** A server whose claim was refused finds out within a beat why, and goes on under a new id. */
const CLAIM_ATTEMPTS = 10;
/** Between two attempts. */
export const CLAIM_RETRY_MS = 200;

/** The tables in memory on this server: those that it owns, and waiting games. */
export class Tables implements TableHost {
  readonly refusals: Refusals;
  readonly #deps: TableDeps;
  readonly #outages: Outage[];
  readonly #tables = new Map<GameId, Table>();
  readonly #rematchOffers = new Set<Table>();
  readonly #find: LoadOne<GameId, Found | BrokenInvariant>;
  readonly #loading = new Map<GameId, Promise<Place | null>>();
  #router: Router | null = null;
  #isClosing = false;

  constructor(deps: TableDeps, outages: readonly Outage[] = []) {
    this.#deps = deps;
    this.refusals = new Refusals(deps.time);
    this.#outages = [...outages];
    this.#find = makeBatchLoader((ids) => this.#claim(ids), LOADED_AT_ONCE);
    deps.own.onRenewed(() => {
      for (const table of [...this.#tables.values()]) this.reroute(table);
    });
  }

  /** Called once, before any other use. */
  connect(router: Router): void {
    this.#router = router;
  }

  /** While the server stops it claims nothing. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  get outages(): readonly Outage[] {
    return this.#outages;
  }

  get size(): number {
    return this.#tables.size;
  }

  /** Tables that carry out a command, without those that have stopped. */
  countBusy(): number {
    return [...this.#tables.values()].filter((table) => table.isBusy && !table.isStopped).length;
  }

  all(): readonly Table[] {
    return [...this.#tables.values()];
  }

  find(gameId: GameId): Table | null {
    return this.#tables.get(gameId) ?? null;
  }

  /** Reads the game from its log, and claims it if no server owns it. Null without such a game. */
  async locate(gameId: GameId): Promise<Place | null> {
    const table = this.#tables.get(gameId);
    if (table !== undefined) return table;
    const loading = this.#loading.get(gameId) ?? this.#read(gameId).finally(() => this.#loading.delete(gameId));
    this.#loading.set(gameId, loading);
    return await loading;
  }

  /** A game that has just begun here. If it was read from its log meanwhile, that table stays. */
  open(content: TableContent, wallets: readonly Wallet[]): Table {
    const isOwned = content.state.status !== "waiting";
    const table = this.#tables.get(content.state.gameId) ?? this.#start({ content, isOwned, unserved: null });
    this.#deps.broadcast.sendWallets(wallets);
    this.#deps.broadcast.sendStatus(table);
    this.playersSeated(content.state.players, table.gameId);
    return table;
  }

  /** Broadcasts a game that was committed without an acknowledgement. */
  async announce(gameId: GameId): Promise<void> {
    const place = await this.locate(gameId);
    // Its owner has announced it.
    if (!(place instanceof Table)) return;
    this.playersSeated(place.state.players, gameId);
    await this.#deps.broadcast.sendStatusAndWallets(place);
  }

  announceLater(...gameIds: readonly GameId[]): void {
    const [gameId, ...rest] = gameIds;
    if (gameId === undefined) return;
    this.announce(gameId)
      .catch((err) => this.#deps.log.warn({ err, gameId }, "a game could not be announced"))
      .then(() => this.announceLater(...rest));
  }

  noteLeft(left: TableState<unknown>, player: PlayerView): void {
    const table = this.find(left.gameId);
    if (table !== null) this.reroute(table);
    this.#deps.broadcast.sendListed({ state: left, players: [player, null] });
  }

  /** These players have an open game: their rematch offers elsewhere lapse. */
  playersSeated(playerIds: readonly (PlayerId | null)[], gameId: GameId): void {
    for (const table of this.#rematchOffers) if (table.gameId !== gameId) table.lapseRematchOf(playerIds);
  }

  /** Whether the table has a rematch offer that `playersSeated` may end. */
  noteRematchOffer(table: Table, isPending: boolean): void {
    if (isPending && this.find(table.gameId) === table) this.#rematchOffers.add(table);
    else this.#rematchOffers.delete(table);
  }

  /** Credits open games in memory now, and the others when they are read (ruling 16). */
  creditOutage(outage: Outage): void {
    // What one of several servers measured concerns its own games, which are in memory.
    if (outage.cause === "restart" || !this.#deps.own.isShared) this.#outages.push(outage);
    for (const table of this.#tables.values()) table.creditOutage(outage);
  }

  /** Null without such a game. */
  watch(table: Table, watcher: Watcher, { since, isInvited }: WatchRequest, wasServed: boolean): WatchCost | null {
    if (isUnlisted(table.state) && !isInvited && seatOf(table, watcher.player) === null) return null;
    const recordsSent = table.watch(watcher, since);
    return { recordsSent, recordsRead: wasServed ? 0 : table.state.version };
  }

  /** Whether nothing comes before a deadline of the table: no outage, no command on its way. */
  async mayExpire(table: Table, moverId: PlayerId | null): Promise<boolean> {
    // A database that is silent may have been so before the deadline: then a credit comes first.
    await confirmDatabase(this.#deps.database.kysely);
    this.#deps.outages.noteAnswer();
    return moverId === null || !(await this.#toRouter().isInFlight(table, moverId));
  }

  noteJoined({ gameId, state }: Table): void {
    this.#toRouter().announceOwner(gameId);
    this.playersSeated(state.players, gameId);
  }

  /** Another server has begun to own the game. */
  noteOwner(gameId: GameId): void {
    const table = this.find(gameId);
    if (table !== null && !table.isOwned) this.reroute(table);
  }

  noteCredited(gameId: GameId): void {
    clearUnserved(this.#deps.database.kysely, this.#deps.own.fence(), [gameId]).catch((err) =>
      this.#deps.log.warn({ err, gameId }, "that a game was credited could not be noted; it may be credited again"),
    );
  }

  /** The table leaves memory; its watchers look for the game again. */
  reroute(table: Table): void {
    if (this.find(table.gameId) !== table) return;
    const watchers = [...table.watchers];
    this.drop(table);
    this.#toRouter().rewatch(table.gameId, watchers);
  }

  dropIfIdle(table: Table): void {
    if (table.isIdle()) this.drop(table);
  }

  drop(table: Table): void {
    this.#rematchOffers.delete(table);
    if (this.#tables.get(table.gameId) === table) this.#tables.delete(table.gameId);
    table.close();
  }

  /** Looks after games that no one watches, every few seconds. */
  async sweep(): Promise<void> {
    for (const table of this.#tables.values()) this.dropIfIdle(table);
    await Promise.all([this.#claimAbandoned(), this.recheckWaiting()]);
  }

  /** Waiting games that another server has changed: its message about it may be lost. */
  async recheckWaiting(): Promise<void> {
    const { own, database } = this.#deps;
    const waiting = [...this.#tables.values()].filter(({ isOwned }) => !isOwned);
    if (!own.isShared || waiting.length === 0 || this.#isClosing) return;
    const found = await loadGames(
      database.kysely,
      waiting.map(({ gameId }) => gameId),
    );
    const stillWaiting = new Set(found.filter(({ status }) => status === "waiting").map(({ id }) => id));
    for (const table of waiting) if (!stillWaiting.has(table.gameId)) this.reroute(table);
  }

  /** The other servers take over the tables of these players. */
  async release(playerIds: ReadonlySet<PlayerId>): Promise<void> {
    this.#isClosing = true;
    const { own, database, time } = this.#deps;
    const tables = [...this.#tables.values()].filter(({ state }) =>
      state.players.some((playerId) => playerId !== null && playerIds.has(playerId)),
    );
    const heldAt = time.now();
    await this.#giveUp(tables, async () => {
      const owned = tables.filter(({ isOwned }) => isOwned).map(({ gameId }) => gameId);
      if (owned.length > 0) await releaseGames(database.kysely, own.fence(), owned, heldAt);
    });
  }

  /** Another server asks for the game, for an act that its hands alone can carry out. */
  async handTo(gameId: GameId, server: string): Promise<void> {
    const table = this.find(gameId);
    const { own, database } = this.#deps;
    await this.#giveUp(table === null ? [] : [table], () => handGame(database.kysely, own.fence(), gameId, server));
  }

  /** No record of these tables is on its way when their owner changes, and none follows. */
  async #giveUp(tables: readonly Table[], change: () => Promise<void>): Promise<void> {
    for (const table of tables) table.hold();
    try {
      for (const table of tables) while (table.isCommitting && !table.isStopped) await sleep(DRAIN_MS);
      await change();
    } catch (error) {
      for (const table of tables) table.goOn();
      throw error;
    }
    for (const table of tables) this.reroute(table);
  }

  stopAccepting(): void {
    this.#isClosing = true;
    for (const table of this.#tables.values()) if (table.isStopped) this.drop(table);
  }

  /** Waits until every queued command is on disk, then drops all tables. */
  async close(): Promise<void> {
    this.stopAccepting();
    const isAnyBusy = () => [...this.#tables.values()].some((table) => table.isBusy);
    while (isAnyBusy()) await sleep(DRAIN_MS);
    for (const table of this.#tables.values()) this.drop(table);
  }

  #toRouter(): Router {
    if (this.#router === null) throw new BrokenInvariant("the tables have no router yet");
    return this.#router;
  }

  /** Active games whose server has ended, so that deadlines fall although no one watches. */
  async #claimAbandoned(): Promise<void> {
    for (let count = ABANDONED_AT_ONCE; count === ABANDONED_AT_ONCE && !this.#isClosing; ) {
      const ids = await listAbandoned(this.#deps.database.kysely, ABANDONED_AT_ONCE);
      count = ids.length;
      await Promise.allSettled(ids.map((gameId) => this.locate(gameId)));
    }
  }

  async #read(gameId: GameId): Promise<Place | null> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        // Others could not reach a table that it took now, or would take it away.
        if (!this.#deps.own.isLive()) throw new Fenced(this.#deps.own.fence());
        const found = this.#isClosing ? null : await this.#find(gameId);
        this.#deps.outages.noteAnswer();
        if (found === null) return null;
        if (found instanceof BrokenInvariant) throw found;
        // The game may have been opened meanwhile: two tables of one game would each miss records.
        return this.#tables.get(gameId) ?? ("owner" in found ? found : this.#start(found));
      } catch (error) {
        if (!(error instanceof Fenced) || attempt >= CLAIM_ATTEMPTS) throw error;
        this.#deps.own.noteFenced();
        await sleep(CLAIM_RETRY_MS);
      }
    }
  }

  /** The logs are read after the claims: what was committed before one is in them. */
  async #claim(ids: readonly GameId[]): Promise<ReadonlyMap<GameId, Found | BrokenInvariant>> {
    const { own, database, loadPlayers } = this.#deps;
    const fence = own.fence();
    const claims = await claimGames(database.kysely, fence, ids);
    const here = [...claims].filter(([, { owner, isOwn }]) => isOwn || owner === null).map(([gameId]) => gameId);
    const contents = await loadTableContents(database.kysely, loadPlayers, here);
    if (own.id !== fence.serverId) throw new Fenced(fence);
    const found = new Map<GameId, Found | BrokenInvariant>();
    for (const [gameId, { owner, isOwn, unserved }] of claims) {
      const content = contents.get(gameId);
      if (owner !== null && !isOwn) found.set(gameId, { owner });
      else if (content instanceof BrokenInvariant) found.set(gameId, content);
      // Another server's player joined between the two statements.
      else if (!isOwn && content !== undefined && content.state.status !== "waiting") throw new Fenced(fence);
      else if (content !== undefined) found.set(gameId, { content, isOwned: isOwn, unserved });
    }
    return found;
  }

  #start(beginning: TableBeginning): Table {
    const table = new Table(this.#deps, this, beginning);
    this.#tables.set(table.gameId, table);
    table.start(beginning.unserved);
    return table;
  }
}
