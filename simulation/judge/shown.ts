import { isDeepStrictEqual } from "node:util";
import type { GameId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { type Evidence, toTableTime } from "./evidence.ts";
import { findPlayers, listSentRecords, nameOf, noteFirst, toRecords } from "./frames.ts";

/** A record that was decided before the database stopped was on its way to it. */
const DELIVERY_MS = 100;

/** Every record that any client ever received is stored as it was sent, also across crashes. */
export function findForgedRecords({ clients, games }: Evidence): string[] {
  const found: string[] = [];
  for (const { gameId, record, viewer } of listSentRecords(clients)) {
    const stored = games.get(gameId)?.log[record.version - 1];
    if (stored === undefined)
      found.push(`${gameId}: ${viewer} was sent version ${record.version}, which is not stored`);
    else if (!isDeepStrictEqual(toPublic(record), toPublic(stored)))
      found.push(`${gameId}: ${viewer} was sent version ${record.version} unlike it is stored`);
  }
  return found;
}

const PLAYERS_ONLY: ReadonlySet<ServerFrame["type"]> = new Set<ServerFrame["type"]>([
  "chat",
  "wallet",
  "payment",
  "open_game",
  "limits",
  "notice",
  "role_changed",
]);

/** No frame carries what its receiver must not see. */
export function findLeaks({ clients, games }: Evidence): string[] {
  const found: string[] = [];
  for (const client of clients) {
    const { account, connections } = client;
    const viewer = nameOf(client);
    const seatOf = (gameId: GameId): number =>
      account === null ? 0 : findPlayers(games.get(gameId)).indexOf(account.id) + 1;
    for (const { frame } of connections.flatMap(({ received }) => received)) {
      if (account === null && PLAYERS_ONLY.has(frame.type)) found.push(`a visitor was sent a frame "${frame.type}"`);
      if (frame.type === "chat" && account !== null && seatOf(frame.gameId) === 0)
        found.push(`${viewer} was sent the chat of strangers in ${frame.gameId}`);
      if (frame.type === "open_game" && frame.openGame !== null && seatOf(frame.openGame.gameId) === 0)
        found.push(`${viewer} was sent the open game of others`);
      for (const { gameId, record } of toRecords(frame)) {
        if (record.commandId !== undefined && record.by !== seatOf(gameId))
          found.push(`${viewer} was sent the command's id of another player in ${gameId}, version ${record.version}`);
        if (record.lagMs !== undefined) found.push(`${viewer} was sent network times of ${gameId}`);
      }
    }
  }
  return found;
}

/** What was decided while the database could write nothing is not sent before it can. */
export function findHastyRecords({ clients, frozen, jumps }: Evidence): string[] {
  const found = new Set<string>();
  const sent = [...listSentRecords(clients)];
  // No record arrives before it is decided, so this much the server's clock is ahead at most.
  let aheadMs = Number.NEGATIVE_INFINITY;
  for (const { record, atMs } of sent) aheadMs = Math.max(aheadMs, record.at - toTableTime(atMs, jumps));
  for (const { gameId, record, atMs } of sent)
    for (const { fromMs, toMs } of frozen)
      if (atMs > fromMs && atMs < toMs && record.at - aheadMs > toTableTime(fromMs, jumps) + DELIVERY_MS)
        found.add(`${gameId}: version ${record.version} was sent while the database could not write it`);
  return [...found];
}

/** When any client was first sent each record, on the clock of tables. */
export function findFirstSeen({ clients, jumps }: Evidence): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  for (const { gameId, record, atMs } of listSentRecords(clients)) {
    const key = `${gameId} ${record.version}`;
    noteFirst(seen, key, toTableTime(atMs, jumps));
  }
  return seen;
}

function toPublic({ version, at, by, events }: LogRecord): unknown {
  return { version, at, by, events };
}
