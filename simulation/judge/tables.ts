import type { GameId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { RecordedConnection, Recording } from "../recording.ts";
import { type Evidence, toDueMs, toMachineTime } from "./evidence.ts";
import { listCommands, listReceived, nameOf, noteFirst, toRecords, toTimeline } from "./frames.ts";

/** What was sent to one client before another one asked has been sent to that one, too. */
const CROSSING_MS = 100;
/** Two servers count their messages every half second, and read again what was lost. */
const FOUND_ELSEWHERE_MS = 2_000;

/** What one connection was sent of a table that it watches. */
export interface WatchedTable {
  readonly version: number;
  /** The newest chat message; null before the messages were sent. */
  readonly message: number | null;
  readonly awaySinceAt: readonly (number | null)[];
}

type TableFrame = Extract<ServerFrame, { readonly type: "table" | "record" | "chat" | "presence" }>;

interface Delivery {
  readonly frame: TableFrame;
  /** What the connection had before. */
  readonly before: WatchedTable;
  /** When the client sent the watch that this answers; null if the server sent it by itself. */
  readonly askedMs: number | null;
}

/** What a connection was sent of the tables that it watches, and what it has of them in the end. */
export function watchTables(connection: RecordedConnection): {
  readonly deliveries: readonly Delivery[];
  readonly open: ReadonlyMap<GameId, WatchedTable>;
} {
  const deliveries: { frame: TableFrame; before: WatchedTable; askedMs: number | null }[] = [];
  /** The newest answer of each table; if another one comes unasked, it was none. */
  const answers = new Map<GameId, { askedMs: number | null }>();
  const open = new Map<GameId, WatchedTable>();
  const asked = new Map<string, { readonly atMs: number; readonly since: number }[]>();
  /** The newest messages that the client had from earlier connections. */
  const claimed = new Map<GameId, number>();
  const ask = (key: string, atMs: number, since: number): void =>
    void asked.set(key, [...(asked.get(key) ?? []), { atMs, since }]);
  for (const passed of toTimeline(connection)) {
    const { atMs, frame } = passed;
    if (frame.type === "watch") {
      ask(`table ${frame.gameId}`, atMs, frame.since);
      if (frame.chatSince !== undefined) ask(`chat ${frame.gameId}`, atMs, frame.chatSince);
      claimed.set(frame.gameId, Math.max(frame.chatSince ?? 0, claimed.get(frame.gameId) ?? 0));
    }
    if (frame.type === "unwatch") {
      open.delete(frame.gameId);
      for (const what of ["table", "chat"]) asked.delete(`${what} ${frame.gameId}`);
    }
    if (passed.isSent || !isOfTable(passed.frame)) continue;
    const sent = passed.frame;
    const before = open.get(sent.gameId);
    const first = findFirstAnswered(sent);
    const asks = first === null ? [] : (asked.get(`${sent.type} ${sent.gameId}`) ?? []);
    // Answers are in the order of the questions. Some may stay unanswered: the oldest one counts.
    // A server that looked for the table again sends all of it, unasked.
    const askedMs = asks[0] !== undefined && first! > asks[0].since ? asks.shift()!.atMs : null;
    if (before !== undefined) {
      const delivery = { frame: sent, before, askedMs };
      deliveries.push(delivery);
      const earlier = answers.get(sent.gameId);
      if (sent.type === "table" && askedMs !== null) answers.set(sent.gameId, delivery);
      else if (sent.type === "table" && earlier !== undefined) earlier.askedMs = null;
      // What is still on its way after the end of a watch begins no other one.
    } else if (sent.type !== "table" || askedMs === null) continue;
    open.set(
      sent.gameId,
      toNext(before ?? { version: 0, message: null, awaySinceAt: [] }, sent, claimed.get(sent.gameId) ?? 0),
    );
  }
  return { deliveries, open };
}

function isOfTable(frame: ServerFrame): frame is TableFrame {
  return frame.type === "table" || frame.type === "record" || frame.type === "chat" || frame.type === "presence";
}

/** The first record or message of what may answer a watch; infinity if it has none; else null. */
function findFirstAnswered(frame: TableFrame): number | null {
  if (frame.type === "table") return frame.records[0]?.version ?? Number.POSITIVE_INFINITY;
  if (frame.type === "chat" && frame.isRest === true) return frame.messages[0]?.number ?? Number.POSITIVE_INFINITY;
  return null;
}

function toNext(before: WatchedTable, frame: TableFrame, claimed: number): WatchedTable {
  switch (frame.type) {
    case "table":
      return { ...before, version: Math.max(before.version, frame.version), awaySinceAt: frame.awaySinceAt };
    case "record":
      return { ...before, version: Math.max(before.version, frame.record.version) };
    case "presence":
      return { ...before, awaySinceAt: before.awaySinceAt.with(frame.seat - 1, frame.sinceAt) };
    case "chat": {
      const newest = frame.messages.at(-1)?.number ?? 0;
      const isKnown = before.message !== null || frame.isRest === true;
      return isKnown ? { ...before, message: Math.max(before.message ?? claimed, newest) } : before;
    }
  }
}

/**
 * Records, messages and presence come by themselves, in order and none left out: the answer to a
 * later watch brings nothing that was sent elsewhere before the client asked.
 */
export function findMissedAtTables(evidence: Evidence): string[] {
  const sentAt = findFirstSentElsewhere(evidence.clients);
  return evidence.clients.flatMap((client) =>
    client.connections.flatMap((connection) =>
      watchTables(connection).deliveries.flatMap((delivery) => {
        const what = findMissed(evidence, delivery, sentAt);
        return what === null ? [] : [`${delivery.frame.gameId}: ${nameOf(client)} ${what}`];
      }),
    ),
  );
}

function findMissed(
  evidence: Evidence,
  { frame, before, askedMs }: Delivery,
  sentAt: ReadonlyMap<string, number>,
): string | null {
  const { disturbances, jumps, isShared } = evidence;
  const isDisturbed = (atMs: number): boolean =>
    disturbances.some(({ fromMs, toMs }) => fromMs < (askedMs ?? 0) && toMs > atMs);
  /** Whether it was sent elsewhere before the question: a connection keeps the order of frames. */
  const isMissed = (atMs: number | undefined): boolean => {
    if (atMs === undefined || askedMs === null) return false;
    // Another server learns of it over NATS, or by looking every second.
    return isShared ? toDueMs(evidence, atMs, FOUND_ELSEWHERE_MS) < askedMs : atMs < askedMs - CROSSING_MS;
  };
  const { gameId } = frame;
  switch (frame.type) {
    case "record":
      return frame.record.version > before.version + 1
        ? `was sent version ${frame.record.version} after ${before.version}`
        : null;
    case "table": {
      for (let version = before.version + 1; version <= frame.version; version += 1)
        if (isMissed(sentAt.get(`record ${gameId} ${version}`)))
          return `was not sent version ${version} until it asked`;
      for (const [index, sinceAt] of frame.awaySinceAt.entries()) {
        const earlier = before.awaySinceAt[index] ?? null;
        if (sinceAt === earlier) continue;
        // A player who was already away may have been back in between.
        const leftMs = sinceAt === null ? undefined : toMachineTime(sinceAt, jumps);
        if (leftMs !== undefined && earlier === null && isMissed(leftMs) && !isDisturbed(leftMs))
          return `was not sent until it asked that player ${index + 1} had left`;
      }
      return null;
    }
    case "chat": {
      const first = frame.messages[0]?.number;
      if (before.message === null || first === undefined) return null;
      if (frame.isRest !== true)
        return first > before.message + 1 ? `was sent message ${first} after ${before.message}` : null;
      const missed = frame.messages.find(
        ({ number }) => number > before.message! && isMissed(sentAt.get(`message ${gameId} ${number}`)),
      );
      return missed === undefined ? null : `was not sent message ${missed.number} until it asked`;
    }
    default:
      return null;
  }
}

/** When any client was first sent each record or message, or its acknowledgement. */
function findFirstSentElsewhere(clients: readonly Recording[]): ReadonlyMap<string, number> {
  const sentAt = new Map<string, number>();
  const messages = new Set(
    [...listCommands(clients)].flatMap(({ frame }) => (frame.type === "chat" ? frame.commandId : [])),
  );
  for (const { atMs, frame } of listReceived(clients)) {
    if (frame.type === "done")
      noteFirst(
        sentAt,
        `${messages.has(frame.commandId) ? "message" : "record"} ${frame.gameId} ${frame.version}`,
        atMs,
      );
    if (frame.type === "chat")
      for (const { number } of frame.messages) noteFirst(sentAt, `message ${frame.gameId} ${number}`, atMs);
    for (const { gameId, record } of toRecords(frame)) noteFirst(sentAt, `record ${gameId} ${record.version}`, atMs);
  }
  return sentAt;
}
