import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Time } from "../../platform/time/time.ts";
import { formatForViewer, type SendableRecord } from "../log/log-record.ts";
import type { TableView } from "./table-view.ts";
import { seatOf, type Watcher } from "./watcher.ts";

/** The connections at a table, which of its players are among them, and what all are sent. */
export class TableWatchers {
  readonly #table: TableView;
  readonly #time: Pick<Time, "now">;
  readonly #all = new Set<Watcher>();
  #awaySinceAt: BySeat<Instant | null>;

  /** Both players count as away since `at` until they watch. */
  constructor(table: TableView, time: Pick<Time, "now">, at: Instant) {
    this.#table = table;
    this.#time = time;
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
    watcher.send(toTableFrame(this.#table, watcher, since, this.#time.now()));
    return this.#table.state.version - toFirstSent(this.#table, since);
  }

  /** Returns false if the connection did not watch. */
  remove(watcher: Watcher): boolean {
    if (!this.#all.delete(watcher)) return false;
    const seat = seatOf(this.#table, watcher.player);
    if (seat !== null && !this.isPresent(seat)) this.#sendPresence(seat, false);
    return true;
  }

  /** The player of seat 2 has joined at that moment: a record does not carry their name. */
  sendJoined({ version }: SendableRecord, at: Instant, startsTurn: boolean): void {
    this.#awaySinceAt = replaceSeat(this.#awaySinceAt, 2, this.isPresent(2) ? null : at);
    this.sendTable(version - 1, startsTurn);
  }

  sendTable(since: number, startsTurn = false): void {
    const now = this.#time.now();
    this.#send((watcher) => toTableFrame(this.#table, watcher, since, now), startsTurn);
  }

  sendRecord(record: SendableRecord, startsTurn: boolean): void {
    this.#send((watcher) => toRecordFrame(this.#table, record, seatOf(this.#table, watcher.player)), startsTurn);
  }

  #sendPresence(seat: Seat, isPresent: boolean): void {
    this.#awaySinceAt = replaceSeat(this.#awaySinceAt, seat, isPresent ? null : this.#time.now());
    const frame = toPresenceFrame(this.#table, seat);
    this.#send(() => frame, false);
  }

  #send(toFrame: (watcher: Watcher) => string, startsTurn: boolean): void {
    for (const watcher of this.#all) watcher.send(toFrame(watcher), startsTurn);
  }
}

/** Records are already encoded, so these frames are composed as text. */
function toRecordFrame(table: TableView, record: SendableRecord, viewer: Seat | null): string {
  return `{"type":"record","gameId":"${table.gameId}","record":${formatForViewer(record, viewer)}}`;
}

/** The records after version `since`, with what a client needs to verify its own fold. */
function toTableFrame(table: TableView, watcher: Watcher, since: number, now: Instant): string {
  const seat = seatOf(table, watcher.player);
  const from = toFirstSent(table, since);
  const records = table.records.slice(from).map((record) => formatForViewer(record, seat));
  const rest = JSON.stringify({
    version: table.state.version,
    position: table.rules.formatPosition(table.state.position),
    players: table.players,
    awaySinceAt: table.awaySinceAt,
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
