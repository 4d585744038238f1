import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { ClientFrame, CommandFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { Crossed, RecordedConnection, Recording } from "../recording.ts";
import type { StoredGame } from "./evidence.ts";

interface SentRecord {
  readonly gameId: GameId;
  readonly record: LogRecord;
}

interface Acknowledgement {
  readonly commandId: string;
  /** The game and the version of its record, or the number of the chat message. */
  readonly place: string;
  readonly atMs: number;
  readonly viewer: string;
}

/** A frame in either direction, of one connection. */
export type Passed =
  | (Crossed<ServerFrame> & { readonly isSent: false })
  | (Crossed<ClientFrame> & { readonly isSent: true });

export function nameOf({ account }: Recording): string {
  return account?.username ?? "a visitor";
}

export function toRecords(frame: ServerFrame): readonly SentRecord[] {
  if (frame.type === "record") return [{ gameId: frame.gameId, record: frame.record }];
  return frame.type === "table" ? frame.records.map((record) => ({ gameId: frame.gameId, record })) : [];
}

export function* listReceived(
  clients: readonly Recording[],
): Iterable<Crossed<ServerFrame> & { readonly viewer: string }> {
  for (const client of clients)
    for (const { received } of client.connections)
      for (const crossed of received) yield { ...crossed, viewer: nameOf(client) };
}

export function* listSentRecords(
  clients: readonly Recording[],
): Iterable<SentRecord & { readonly viewer: string; readonly atMs: number }> {
  for (const { frame, viewer, atMs } of listReceived(clients))
    for (const sent of toRecords(frame)) yield { ...sent, viewer, atMs };
}

export function* listCommands(clients: readonly Recording[]): Iterable<Crossed<CommandFrame>> {
  for (const { connections } of clients)
    for (const { sent } of connections)
      for (const { atMs, frame } of sent) if ("commandId" in frame) yield { atMs, frame };
}

export function* listAcknowledgements(clients: readonly Recording[]): Iterable<Acknowledgement> {
  for (const { atMs, frame, viewer } of listReceived(clients)) {
    if (frame.type === "done")
      yield { commandId: frame.commandId, place: `${frame.gameId} ${frame.version}`, atMs, viewer };
    for (const { gameId, record } of toRecords(frame))
      if (record.commandId !== undefined)
        yield { commandId: record.commandId, place: `${gameId} ${record.version}`, atMs, viewer };
  }
}

/** When each command was first sent. */
export function findFirstSent(clients: readonly Recording[]): ReadonlyMap<string, number> {
  const sentAt = new Map<string, number>();
  for (const { frame, atMs } of listCommands(clients)) noteFirst(sentAt, frame.commandId, atMs);
  return sentAt;
}

export function noteFirst(times: Map<string, number>, key: string, atMs: number): void {
  times.set(key, Math.min(atMs, times.get(key) ?? atMs));
}

/** Both directions of a connection, oldest first. */
export function toTimeline({ received, sent }: RecordedConnection): readonly Passed[] {
  return [
    ...sent.map((crossed): Passed => ({ ...crossed, isSent: true })),
    ...received.map((crossed): Passed => ({ ...crossed, isSent: false })),
  ].toSorted((a, b) => a.atMs - b.atMs);
}

export function findPlayers(game: StoredGame | undefined): BySeat<PlayerId | null> {
  const seated = (game?.log ?? []).flatMap(({ events }) =>
    events.flatMap((event) => (event.type === "created" || event.type === "joined" ? [event.player] : [])),
  );
  return [seated[0] ?? null, seated[1] ?? null];
}
