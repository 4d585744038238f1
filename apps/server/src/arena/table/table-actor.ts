import { assert, BrokenInvariant } from "@holo/kernel/assert.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameRules, Seat } from "@holo/rules/rules.ts";
import { type Delivery, LAG_PER_MOVE_MAX_MS, NO_DELIVERY } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import type { Deadline } from "@holo/table/deadline.ts";
import { evolve } from "@holo/table/evolve.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { findSeat, isOpen, type TableState } from "@holo/table/state.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Servers } from "../../platform/servers/servers.ts";
import type { ChatMessage } from "../chat/chat-store.ts";
import { awaitCommits } from "../log/game-store.ts";
import { type EncodedRecord, encodeRecord, parseRecord, toSendable } from "../log/log-record.ts";
import { isSettling, type Settled } from "../log/settlement.ts";
import type { Broadcast } from "./broadcast.ts";
import { type ClockDeps, TableClock } from "./clocks.ts";
import { CommandQueue, type CommandQueueDeps, type Commit } from "./command-queue.ts";
import { toFirstSent, toPresenceFrame, toRecordFrame, toTableFrame } from "./frames.ts";
import { OutageCredits } from "./outage-credits.ts";
import type { StoredOutage } from "./outage-store.ts";
import { TablePresence } from "./presence.ts";
import type { Refusals } from "./refusals.ts";
import { RestartTimer } from "./restart-timer.ts";
import type { ServedSeats } from "./served-seats.ts";
import { TableSharing } from "./sharing.ts";
import { type QueuedCommand, type RemoteRecord, seatOf, type Table, type TableMessage, type Watcher } from "./table.ts";
import { type LoadPlayers, loadNewerContent, loadTableContent, type TableContent } from "./table-content.ts";

export interface TableActorDeps extends ClockDeps, CommandQueueDeps {
  readonly servers: Servers;
  readonly broadcast: Broadcast;
  readonly loadPlayers: LoadPlayers;
}

export interface TableHost {
  readonly isClosing: boolean;
  readonly outages: readonly StoredOutage[];
  readonly refusals: Refusals;
  readonly seats: ServedSeats;
  load(gameId: GameId): Promise<Table | null>;
  receiveChat(table: TableActor, message: ChatMessage): void;
  open(content: TableContent, wallets: readonly Wallet[]): Table;
  /** These players have an open game: their rematch offers elsewhere lapse. */
  playersSeated(playerIds: readonly (PlayerId | null)[], gameId: GameId): void;
  /** Whether the table has a rematch offer that `playersSeated` may end. */
  noteRematchOffer(table: TableActor, isPending: boolean): void;
  dropIfIdle(table: TableActor): void;
  drop(table: TableActor): void;
}

const STARTS_TURN: ReadonlySet<TableEvent["type"]> = new Set([
  "joined",
  "moved",
  "taken_back",
  "returned",
  "wait_ended",
]);

/** If the database takes longer, an outage may have made the flag fall: it is credited first. */
const FLAG_DELAY_MS_MAX = 1 * SECOND_MS;

const FLAG_ELSEWHERE_AFTER_MS = 3 * SECOND_MS;
/** The mover's socket here may be dead. The other server's commit has half a second. */
const FLAG_ALSO_ELSEWHERE_AFTER_MS = LAG_PER_MOVE_MAX_MS + SECOND_MS / 2;
const FLAG_RECHECK_MS = SECOND_MS / 2;
/** By then each server has stored how long its database was silent, and read the others' values. */
const SILENCE_KNOWN_WITHIN_MS = 5 * SECOND_MS;
/** With several servers a table without watchers here is soon out of date. */
const KEPT_UNWATCHED_MS = 30 * SECOND_MS;

/** Ruling 19: a player who returns within this time has not left the table. */
export const LEFT_AFTER_MS = 15 * SECOND_MS;

/**
 * Owns one game in memory: its state, queue, clock and watchers; nothing else changes them. If the
 * database may have newer records, the table reads its log.
 */
export class TableActor implements Table {
  readonly gameId: GameId;
  readonly rules: GameRules<unknown>;
  readonly #deps: TableActorDeps;
  readonly #host: TableHost;
  readonly #commands: CommandQueue;
  readonly #presence: TablePresence;
  readonly #clock: TableClock;
  readonly #restarts = new RestartTimer();
  #credits: OutageCredits | null = null;
  #content: TableContent;
  readonly #sharing: TableSharing;
  #unwatchedSinceMs: number;

  constructor(deps: TableActorDeps, host: TableHost, content: TableContent) {
    const { gameId, game, changedAt } = content.state;
    this.gameId = gameId;
    this.rules = rulesOf(game);
    this.#deps = deps;
    this.#host = host;
    this.#content = content;
    this.#commands = new CommandQueue(deps, {
      table: this,
      refusals: host.refusals,
      hash: () => this.hash,
      apply: (commit) => this.#apply(commit),
      measureDelivery: (queued) => this.#withoutLoss(this.#clock.measureDelivery(queued), queued.at),
      broadcast: (commit, settled) => this.#broadcast(commit, settled),
      readNewer: (afterUnknown) => this.#readNewer(afterUnknown),
      applyRemote: (record) => this.#applyRemote(record),
      restart: () => this.#restart(),
      isInDoubt: (command) => this.#isInDoubt(command),
    });
    this.#presence = new TablePresence(changedAt);
    this.#sharing = new TableSharing(deps.servers, host.seats, gameId);
    this.#unwatchedSinceMs = deps.time.monotonicMs();
    for (const seat of [1, 2] as const) if (this.#isElsewhere(seat)) this.#presence.setAwaySince(seat, null);
    this.#clock = new TableClock(deps, this, {
      lagMs: () => this.#presence.lagMs(this.#moverId),
      graceMs: (due) => this.#toGraceMs(due),
      onDue: () => this.#expire(),
    });
  }

  get state(): TableState<unknown> {
    return this.#content.state;
  }

  /** Of the newest record. */
  get hash(): string {
    return this.#content.hash;
  }

  get records(): Table["records"] {
    return this.#content.records;
  }

  get players(): Table["players"] {
    return this.#content.players;
  }

  get watchers(): ReadonlySet<Watcher> {
    return this.#presence.watchers;
  }

  get awaySinceAt(): Table["awaySinceAt"] {
    return this.#presence.awaySinceAt;
  }

  get isBusy(): boolean {
    return this.#commands.isBusy || !this.#commands.isEmpty;
  }

  get isStopped(): boolean {
    return this.#restarts.isPending;
  }

  isPresent(seat: Seat): boolean {
    return this.#isHere(seat) || this.#isElsewhere(seat);
  }

  #isHere(seat: Seat): boolean {
    return this.#presence.isWatchedBy(ofSeat(this.state.players, seat));
  }

  #isElsewhere(seat: Seat): boolean {
    return this.#sharing.isElsewhere(ofSeat(this.state.players, seat));
  }

  /** Queues a command. It is answered once, after its commit or its refusal. */
  enqueue(queued: QueuedCommand): void {
    this.#commands.add(queued);
  }

  isQueued(id: CommandId): boolean {
    return this.#commands.has(id);
  }

  /** Reads the records that other servers wrote and broadcasts them, before the next command. */
  resync(): Promise<void> {
    return this.#commands.resync();
  }

  /** Starts the clock of a table that was read or created; credits outages to an open game. */
  start(): void {
    this.#noteRematchOffer();
    if (isOpen(this.state.status)) {
      this.#clock.markLoaded();
      for (const outage of this.#host.outages) this.#openCredits().creditUnmeasured(outage);
    }
    this.#clock.schedule();
  }

  creditOutage(outage: StoredOutage): void {
    this.#openCredits().creditOwn(outage);
  }

  creditStored(outage: StoredOutage): void {
    this.#openCredits().creditStored(outage);
  }

  /** Most tables meet no outage. */
  #openCredits(): OutageCredits {
    this.#credits ??= new OutageCredits({
      gameId: this.gameId,
      state: () => this.state,
      isShared: () => this.#sharing.isShared,
      isMoverElsewhere: () => this.#isMoverElsewhere(),
      hereSinceAt: (seat) => ofSeat(this.#presence.hereSinceAt, seat),
      enqueue: (command) => this.#enqueueOwn(command),
    });
    return this.#credits;
  }

  lapseRematchOf(playerIds: readonly (PlayerId | null)[]): void {
    if (this.state.offers.rematch.pending === null) return;
    const index = this.state.players.findIndex((player) => player !== null && playerIds.includes(player));
    if (index !== -1) this.#lapseRematch("other_game", index === 0 ? 1 : 2);
  }

  /** Sends the records after that version and returns their number, then sends every new one. */
  watch(watcher: Watcher, since: number): number {
    const seat = seatOf(this, watcher.player);
    const wasPresent = seat === null || this.isPresent(seat);
    this.#presence.add(watcher);
    this.#noteWatchers();
    if (seat !== null && !wasPresent) this.#broadcastPresence(seat, true);
    watcher.send(toTableFrame(this, watcher, since, this.#deps.time.now()));
    if (seat !== null) this.#returnAwaited(seat);
    return this.state.version - toFirstSent(this, since);
  }

  /** `isLost`: the connection was lost and may return, as opposed to leaving the table. */
  unwatch(watcher: Watcher, isLost: boolean): void {
    if (!this.#presence.remove(watcher)) return;
    this.#noteWatchers();
    const seat = seatOf(this, watcher.player);
    if (seat !== null && !this.isPresent(seat)) {
      this.#broadcastPresence(seat, false);
      if (isLost) this.#lapseRematchUnlessBack(seat);
      else this.#lapseRematch("left", seat);
    }
    this.#host.dropIfIdle(this);
  }

  noteElsewhere(playerId: PlayerId, isWatching: boolean): void {
    const seat = findSeat(this.state, playerId);
    if (seat === null || this.#isHere(seat)) return;
    this.#broadcastPresence(seat, isWatching);
    if (!isWatching) this.#lapseRematchUnlessBack(seat);
    this.#clock.schedule();
  }

  /** Takes a message of another server about this table. */
  receive(message: TableMessage): void {
    // Without watchers the table is read again by the next one.
    if (!this.#sharing.isFollowing) return;
    switch (message.type) {
      case "record":
        return this.#commands.addRemote(message);
      case "chat":
        return this.#host.receiveChat(this, message.message);
    }
  }

  publishChat(message: ChatMessage): void {
    this.#sharing.publish({ type: "chat", gameId: this.gameId, message }, this.state.players);
  }

  /** The log lacks the table's newest record: it is read again from its beginning. */
  reread(): void {
    this.#commands.interrupt();
  }

  isIdle(): boolean {
    const { status, offers } = this.state;
    if (this.#sharing.isShared && this.watchers.size === 0 && !this.isBusy && !this.isStopped) {
      if (this.#deps.time.monotonicMs() - this.#unwatchedSinceMs > KEPT_UNWATCHED_MS) return true;
    }
    const isOver = !isOpen(status) && offers.rematch.pending === null;
    return isOver && this.watchers.size === 0 && !this.isBusy;
  }

  dropIfStopped(): void {
    if (this.isStopped) this.#host.drop(this);
  }

  close(): void {
    this.#clock.close();
    this.#restarts.cancel();
    this.#commands.close();
    this.#sharing.close();
  }

  get #moverId(): PlayerId | null {
    return ofSeat(this.state.players, this.rules.toMove(this.state.position));
  }

  #isMoverElsewhere(): boolean {
    const mover = this.rules.toMove(this.state.position);
    return this.#sharing.isShared && !this.#isHere(mover) && this.#isElsewhere(mover);
  }

  /** Follows what other servers write while someone watches here. */
  #noteWatchers(): void {
    const { time } = this.#deps;
    if (!this.#sharing.isShared) return;
    for (const seat of [1, 2] as const) {
      const isHere = this.#isHere(seat);
      this.#presence.noteHere(seat, isHere, time.now());
      this.#sharing.setHere(seat, ofSeat(this.state.players, seat), isHere);
    }
    if (this.watchers.size > 0) return this.#sharing.follow();
    this.#unwatchedSinceMs = time.monotonicMs();
    this.#sharing.unfollow();
  }

  /** What changes money, names or seats is read from the database. */
  #applyRemote({ version, hashBefore, text }: RemoteRecord): boolean {
    const { state, hash, records } = this.#content;
    if (version <= state.version) return true;
    if (version !== state.version + 1 || hashBefore !== hash) return false;
    const record = parseRecord(text);
    if (isSettling(record)) return false;
    const encoded = encodeRecord(record, hash);
    const next = evolve(this.rules, state, record);
    records.push(toSendable(encoded));
    this.#setContent({ ...this.#content, state: next, records, hash: encoded.hash });
    this.#sendToWatchers(record, encoded, false);
    if (isCredit(record)) this.#clock.markCreditedElsewhere(record.at);
    else if (this.#isTurnStart(record) || next.clock.turnStartedAt !== state.clock.turnStartedAt)
      this.#clock.markTurnStarted();
    this.#clock.schedule();
    this.#returnPresent();
    this.#credits?.creditLeft();
    return true;
  }

  /** Whether the mover's earlier server may be lost since before they came here. */
  #isInDoubt(command: TableCommand): boolean {
    if (command.type !== "move" || !this.#sharing.isShared) return false;
    const seat = findSeat(this.state, command.player);
    const hereSinceAt = seat === null ? null : ofSeat(this.#presence.hereSinceAt, seat);
    return hereSinceAt !== null && this.#sharing.isInDoubt(command.player, this.#deps.time.now() - hereSinceAt);
  }

  /** The outage of the mover's earlier server is credited later, to turns that last until then. */
  #withoutLoss(delivery: Delivery, at: Instant): Delivery {
    const moverId = this.#moverId;
    const hereSinceAt = ofSeat(this.#presence.hereSinceAt, this.rules.toMove(this.state.position));
    const { turnStartedAt } = this.state.clock;
    if (!this.#sharing.isShared || moverId === null || hereSinceAt === null || turnStartedAt === null) return delivery;
    const lossMs = this.#sharing.findLossMs(moverId);
    if (lossMs === null) return delivery;
    const fromAt = Math.max(turnStartedAt, delivery.sentAt ?? turnStartedAt, this.#deps.time.now() - lossMs);
    // A command may have arrived before its player's `watch` had read the log.
    const untilAt = Math.min(hereSinceAt, at);
    return { ...delivery, stallMs: delivery.stallMs + Math.max(0, untilAt - fromAt) };
  }

  #toGraceMs(due: Deadline): number {
    const { time } = this.#deps;
    if (!this.#sharing.isShared) return 0;
    const seat = this.#toSeatOf(due);
    const playerId = seat === null ? null : ofSeat(this.state.players, seat);
    const overdueMs = time.now() - due.at;
    // The player's server may have ended: then the credit of that outage comes first.
    if (this.#sharing.isHeldByLost(playerId, overdueMs)) return FLAG_RECHECK_MS;
    if ((seat === null || !this.isPresent(seat)) && this.#isSilenceNew()) return FLAG_RECHECK_MS;
    const isHere = seat !== null && this.#isHere(seat);
    if (isHere && !this.#isElsewhere(seat)) return 0;
    const afterMs = isHere ? FLAG_ALSO_ELSEWHERE_AFTER_MS : FLAG_ELSEWHERE_AFTER_MS;
    return Math.max(0, due.at + afterMs - time.now());
  }

  /** Whether it may still be unknown that no server had the database. */
  #isSilenceNew(): boolean {
    const newest = this.#host.outages.findLast(({ cause }) => cause === "database");
    return newest !== undefined && this.#deps.time.now() - newest.toAt < SILENCE_KNOWN_WITHIN_MS;
  }

  /** Whose deadline it is; null if it is not one player's. */
  #toSeatOf({ type }: Deadline): Seat | null {
    switch (type) {
      case "time":
      case "first_move":
        return this.rules.toMove(this.state.position);
      case "not_joined":
        return 1;
      case "rematch":
        return this.state.offers.rematch.pending?.seat ?? null;
      default:
        return null;
    }
  }

  #enqueueOwn(command: TableCommand, answer: QueuedCommand["answer"] = () => undefined): void {
    this.enqueue({ command, at: this.#deps.time.now(), ...this.#clock.arriveNow(), answer });
  }

  #expire(): void {
    const arrival = this.#clock.arriveNow();
    const { time, outages } = this.#deps;
    this.enqueue({
      command: { type: "expire", delivery: NO_DELIVERY },
      at: time.now(),
      ...arrival,
      answer: () => this.#clock.scheduleIfIdle(),
      hook: async () => {
        outages.noteAnswer();
        return outages.lostMs() - arrival.lostMs > FLAG_DELAY_MS_MAX ? "unavailable" : null;
      },
    });
  }

  #apply({ queued, next, encoded }: Commit): void {
    const { records, players } = this.#content;
    records.push(toSendable(encoded));
    this.#setContent({
      state: next,
      records,
      hash: encoded.hash,
      players: queued.joiner === undefined ? players : [players[0], queued.joiner],
    });
  }

  #setContent(content: TableContent): void {
    this.#content = content;
    this.#noteRematchOffer();
  }

  #noteRematchOffer(): void {
    this.#host.noteRematchOffer(this, this.state.offers.rematch.pending !== null);
  }

  #broadcast({ queued, record, encoded, hashBefore }: Commit, { wallets, rematch }: Settled): void {
    const type = record.events[0]?.type;
    const isJoined = type === "joined";
    const { version } = record;
    const message = { type: "record", gameId: this.gameId, version, hashBefore, text: encoded.text } as const;
    this.#sharing.publish(message, this.state.players);
    if (isJoined) this.#noteWatchers();
    if (isJoined) this.#presence.setAwaySince(2, this.isPresent(2) ? null : record.at);
    this.#sendToWatchers(record, encoded, isJoined);
    if (type === "clock_credited") this.#clock.markCredited(queued.lostMs);
    else if (this.#isTurnStart(record)) this.#clock.markTurnStarted();
    this.#clock.schedule();
    this.#deps.broadcast.sendRecord(this, record, wallets);
    if (rematch !== undefined) this.#openRematch(rematch);
    if (type === "clock_credited") this.#returnPresent();
    if (isJoined) this.#host.playersSeated(this.state.players, this.gameId);
    this.#host.dropIfIdle(this);
  }

  /** Other records in the middle of a turn, such as the opponent's return, do not restart it. */
  #isTurnStart(record: LogRecord): boolean {
    return this.state.clock.turnStartedAt === record.at && startsTurn(record);
  }

  #sendToWatchers(record: LogRecord, encoded: EncodedRecord, isJoined: boolean): void {
    const now = this.#deps.time.now();
    this.#presence.send((watcher) => {
      // A record does not carry the name of the player who joined; the table frame does.
      if (isJoined) return toTableFrame(this, watcher, record.version - 1, now);
      return toRecordFrame(this, encoded, seatOf(this, watcher.player));
    });
  }

  #openRematch({ state, encoded }: NonNullable<Settled["rematch"]>): void {
    const [second, first] = this.players;
    const newest = encoded.at(-1);
    assert(first !== null && newest !== undefined, "two players agreed to a rematch");
    // The wallets were sent with the record of the acceptance.
    this.#host.open({ state, records: encoded.map(toSendable), hash: newest.hash, players: [first, second] }, []);
  }

  async #readNewer(afterUnknown: boolean): Promise<void> {
    const before = this.state;
    const { database, loadPlayers, broadcast, time } = this.#deps;
    if (afterUnknown) await awaitCommits(database.kysely, this.gameId);
    const newer = await loadNewerContent(database.kysely, loadPlayers, this.#content);
    this.#deps.outages.noteAnswer();
    if (newer === null) return;
    const { state } = newer.content;
    const isOwn = afterUnknown || !this.#sharing.isShared;
    const { gameId } = state.offers.rematch;
    const isRematchNew = gameId !== null && gameId !== before.offers.rematch.gameId;
    // Read before the fold: if the database fails between them, the next reading finds both again.
    const wallets = await this.#loadChangedWallets(before, state);
    const rematch = isRematchNew ? await this.#host.load(gameId) : null;
    this.#setContent(newer.content);
    const hasBegun = before.status === "waiting" && state.status === "active";
    if (hasBegun) this.#presence.setAwaySince(2, this.isPresent(2) ? null : state.changedAt);
    if (hasBegun) this.#host.playersSeated(state.players, this.gameId);
    if (hasBegun) this.#noteWatchers();
    const credit = newer.records.findLast(isCredit);
    if (!isOwn && credit !== undefined && !newer.records.some(startsTurn)) this.#clock.markCreditedElsewhere(credit.at);
    else if (state.clock.turnStartedAt !== before.clock.turnStartedAt) this.#markTurnRead(afterUnknown);
    this.#clock.schedule();
    this.#presence.send((watcher) => toTableFrame(this, watcher, before.version, time.now()));
    // The server that wrote the records has broadcast their effects.
    if (isOwn) for (const record of newer.records) broadcast.sendNotices(this, record);
    if (state.status !== before.status) broadcast.sendStatus(this, isOwn);
    broadcast.sendWallets(wallets, isOwn);
    if (rematch !== null) broadcast.sendStatus(rematch, isOwn);
    this.#returnPresent();
    this.#credits?.creditLeft();
  }

  /**
   * A position is known to its mover once it is read: its commit may have waited in an outage. A
   * mover who does not watch here may have received it long ago, from another server.
   */
  #markTurnRead(isOwn: boolean): void {
    const isNew = isOwn || !this.#sharing.isShared || this.#isHere(this.rules.toMove(this.state.position));
    if (isNew) this.#clock.markTurnStarted();
    else this.#clock.markLoaded();
  }

  /** The players' wallets if these records may have moved coins. */
  async #loadChangedWallets(before: Table["state"], after: Table["state"]): Promise<readonly Wallet[]> {
    const isChanged = after.status !== before.status || after.offers.rematch.gameId !== before.offers.rematch.gameId;
    return isChanged ? await this.#deps.broadcast.loadWallets(after) : [];
  }

  #restart(): void {
    this.#clock.cancel();
    const delayMs = this.#restarts.nextDelayMs(this.#deps.time.monotonicMs());
    if (delayMs === 0) void this.#readAgain();
    else this.#restartLater(delayMs);
  }

  #restartLater(delayMs: number): void {
    if (this.#host.isClosing) this.#host.drop(this);
    else this.#restarts.set(delayMs, () => this.#readAgain());
  }

  async #readAgain(): Promise<void> {
    const { broadcast, database, loadPlayers, log, time } = this.#deps;
    const before = this.state;
    try {
      await awaitCommits(database.kysely, this.gameId);
      const content = await loadTableContent(database.kysely, loadPlayers, this.gameId);
      assert(content !== null, `game ${this.gameId} has no log`);
      this.#deps.outages.noteAnswer();
      const wallets = await this.#loadChangedWallets(before, content.state);
      this.#setContent(content);
      broadcast.sendWallets(wallets);
      if (content.state.status !== before.status) broadcast.sendStatus(this);
    } catch (err) {
      log.error({ err, gameId: this.gameId }, "a stopped table could not be reloaded");
      if (err instanceof BrokenInvariant) this.#host.drop(this);
      else this.#restartLater(RestartTimer.RETRY_MS);
      return;
    }
    this.#presence.send((watcher) => toTableFrame(this, watcher, 0, time.now()));
    this.#commands.resume(() => {
      this.start();
      // The log may have a credit of another server, after which the table waits for both players.
      this.#returnPresent();
    });
  }

  #broadcastPresence(seat: Seat, isPresent: boolean): void {
    this.#presence.setAwaySince(seat, isPresent ? null : this.#deps.time.now());
    const frame = toPresenceFrame(this, seat);
    this.#presence.send(() => frame);
  }

  #returnAwaited(seat: Seat): void {
    if (this.state.clock.awaited.includes(seat)) this.#enqueueOwn({ type: "return", seat });
  }

  #returnPresent(): void {
    for (const seat of this.state.clock.awaited) if (this.#isHere(seat)) this.#returnAwaited(seat);
  }

  #lapseRematch(reason: "left" | "other_game", seat: Seat): void {
    if (this.state.offers.rematch.pending === null) return;
    this.#enqueueOwn({ type: "lapse_rematch", reason, seat });
  }

  #lapseRematchUnlessBack(seat: Seat): void {
    if (this.state.offers.rematch.pending === null) return;
    const { wheel, time } = this.#deps;
    const awaySinceAt = ofSeat(this.awaySinceAt, seat);
    wheel.schedule(time.monotonicMs() + LEFT_AFTER_MS, () => {
      // A player who returned and left again has another timer.
      if (!this.isPresent(seat) && ofSeat(this.awaySinceAt, seat) === awaySinceAt) this.#lapseRematch("left", seat);
    });
  }
}

function startsTurn({ events }: LogRecord): boolean {
  return events.some(({ type }) => STARTS_TURN.has(type));
}

function isCredit({ events }: LogRecord): boolean {
  return events.some(({ type }) => type === "clock_credited");
}
