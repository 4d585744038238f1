import type { Instant } from "@holo/kernel/instant.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { formatForViewer, type SendableRecord } from "../log/log-record.ts";
import type { TableView } from "./table-view.ts";
import { seatOf, type Watcher } from "./watcher.ts";

/** Records are already encoded, so these frames are composed as text. */
export function toRecordFrame(table: TableView, record: SendableRecord, viewer: Seat | null): string {
  return `{"type":"record","gameId":"${table.gameId}","record":${formatForViewer(record, viewer)}}`;
}

/** The records after version `since`, with what a client needs to verify its own fold. */
export function toTableFrame(table: TableView, watcher: Watcher, since: number, now: Instant): string {
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
export function toFirstSent(table: Pick<TableView, "state">, since: number): number {
  return since <= table.state.version ? since : 0;
}

export function toPresenceFrame(table: TableView, seat: Seat): string {
  const frame: ServerFrame = { type: "presence", gameId: table.gameId, seat, sinceAt: ofSeat(table.awaySinceAt, seat) };
  return JSON.stringify(frame);
}
