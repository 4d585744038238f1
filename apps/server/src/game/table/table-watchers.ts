import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { PacedDelivery } from "../../platform/paced-delivery.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { formatForViewer, type SendableRecord } from "../log/log-record.ts";
import type { TableView } from "./table-view.ts";
import { seatOf, type Watcher } from "./watcher.ts";

export interface WatchersDeps {
  readonly time: Pick<Time, "now" | "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly delivery: Pick<PacedDelivery, "add">;
}

/** At most so often everyone at the table is told how many watch. */
const COUNT_EVERY_MS = 1_000;

/** The connections at a table, which of its players are among them, and what all are sent. */
export class TableWatchers {
  readonly #table: TableView;
  readonly #deps: WatchersDeps;
  readonly #all = new Set<Watcher>();
  #awaySinceAt: BySeat<Instant | null>;
  #sentCount = 0;
  #isCountDue = false;

  /** Both players count as away since `at` until they watch. */
  constructor(table: TableView, deps: WatchersDeps, at: Instant) {
    this.#table = table;
    this.#deps = deps;
    this.#awaySinceAt = [at, at];
  }

  get all(): ReadonlySet<Watcher> {
    return this.#all;
  }

  get awaySinceAt(): BySeat<Instant | null> {
    return this.#awaySinceAt;
  }

  isPresent(seat: Seat): boolean {
    const playerId = ofSeat(this.#table.state.players, seat);
    for (const { player } of this.#all) if (player !== null && player.id === playerId) return true;
    return false;
  }

  lagMs(playerId: PlayerId | null): number {
    let lagMs = 0;
    for (const watcher of this.#all) {
      if (watcher.player !== null && watcher.player.id === playerId) lagMs = Math.max(lagMs, watcher.lagMs());
    }
    return lagMs;
  }

  /** Sends the records after that version and returns their number. */
  add(watcher: Watcher, since: number): number {
    const seat = seatOf(this.#table, watcher.player);
    const wasPresent = seat === null || this.isPresent(seat);
    this.#all.add(watcher);
    if (seat !== null && !wasPresent) this.#sendPresence(seat, true);
    if (seat === null) this.#countLater();
    watcher.send(this.#toTableFrame(watcher, since));
    return this.#table.state.version - toFirstSent(this.#table, since);
  }

  /** Returns false if the connection did not watch. */
  remove(watcher: Watcher): boolean {
    if (!this.#all.delete(watcher)) return false;
    const seat = seatOf(this.#table, watcher.player);
    if (seat === null) this.#countLater();
    else if (!this.isPresent(seat)) this.#sendPresence(seat, false);
    return true;
  }

  /** The player of seat 2 has joined at that moment: a record does not carry their name. */
  sendJoined({ version }: SendableRecord, at: Instant, startsTurn: boolean): void {
    this.#awaySinceAt = replaceSeat(this.#awaySinceAt, 2, this.isPresent(2) ? null : at);
    this.sendTable(version - 1, startsTurn);
  }

  sendTable(since: number, startsTurn = false): void {
    this.#send((watcher) => this.#toTableFrame(watcher, since), startsTurn);
  }

  sendRecord(record: SendableRecord, startsTurn: boolean): void {
    this.#send((watcher) => toRecordFrame(this.#table, record, seatOf(this.#table, watcher.player)), startsTurn);
  }

  #sendPresence(seat: Seat, isPresent: boolean): void {
    this.#awaySinceAt = replaceSeat(this.#awaySinceAt, seat, isPresent ? null : this.#deps.time.now());
    const frame = toPresenceFrame(this.#table, seat);
    this.#send(() => frame, false);
  }

  /** People, without the two players: a person may have several pages, a visitor has no name. */
  #count(): number {
    const players = new Set<PlayerId>();
    let visitors = 0;
    for (const { player } of this.#all) {
      if (player === null) visitors += 1;
      else if (seatOf(this.#table, player) === null) players.add(player.id);
    }
    return players.size + visitors;
  }

  #countLater(): void {
    if (this.#isCountDue) return;
    this.#isCountDue = true;
    this.#deps.wheel.schedule(this.#deps.time.monotonicMs() + COUNT_EVERY_MS, () => {
      this.#isCountDue = false;
      const count = this.#count();
      if (count === this.#sentCount) return;
      this.#sentCount = count;
      const frame = toWatchersFrame(this.#table, count);
      this.#send(() => frame, false);
    });
  }

  #toTableFrame(watcher: Watcher, since: number): string {
    return toTableFrame(this.#table, watcher, { since, now: this.#deps.time.now(), watchers: this.#sentCount });
  }

  /** To the players at once, then to the others in small batches: a crowd delays no move. */
  #send(toFrame: (watcher: Watcher) => string, startsTurn: boolean): void {
    const crowd: Watcher[] = [];
    for (const watcher of this.#all) {
      const isFirst = watcher.isHosted === true || seatOf(this.#table, watcher.player) !== null;
      if (isFirst) watcher.send(toFrame(watcher), startsTurn);
      else crowd.push(watcher);
    }
    if (crowd[0] === undefined) return;
    // They all see the same, as it is now.
    const frame = toFrame(crowd[0]);
    this.#deps.delivery.add(crowd, (watcher) => {
      if (this.#all.has(watcher)) watcher.send(frame);
    });
  }
}

/** Records are already encoded, so these frames are composed as text. */
function toRecordFrame(table: TableView, record: SendableRecord, viewer: Seat | null): string {
  return `{"type":"record","gameId":"${table.gameId}","record":${formatForViewer(record, viewer)}}`;
}

/** The records after version `since`, with what a client needs to verify its own fold. */
function toTableFrame(
  table: TableView,
  watcher: Watcher,
  { since, now, watchers }: { readonly since: number; readonly now: Instant; readonly watchers: number },
): string {
  const seat = seatOf(table, watcher.player);
  const from = toFirstSent(table, since);
  const records = table.records.slice(from).map((record) => formatForViewer(record, seat));
  const rest = JSON.stringify({
    version: table.state.version,
    position: table.rules.formatPosition(table.state.position),
    players: table.players,
    awaySinceAt: table.awaySinceAt,
    watchers,
    serverNow: now,
  });
  return `{"type":"table","gameId":"${table.gameId}","since":${from},"records":[${records.join(",")}],${rest.slice(1)}`;
}

/** The version after which records are sent. A client ahead of the table gets all. */
function toFirstSent(table: Pick<TableView, "state">, since: number): number {
  return since <= table.state.version ? since : 0;
}

function toPresenceFrame(table: TableView, seat: Seat): string {
  const frame: ServerFrame = { type: "presence", gameId: table.gameId, seat, sinceAt: ofSeat(table.awaySinceAt, seat) };
  return JSON.stringify(frame);
}

function toWatchersFrame({ gameId }: TableView, count: number): string {
  const frame: ServerFrame = { type: "watchers", gameId, count };
  return JSON.stringify(frame);
}
