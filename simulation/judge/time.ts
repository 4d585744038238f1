import type { GameId } from "@holo/kernel/ids.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { RecordedConnection } from "../recording.ts";
import { type BusySample, type Evidence, toMachineTime } from "./evidence.ts";
import { findFirstSent, findPlayers, listReceived, listSentRecords, nameOf, noteFirst } from "./frames.ts";

/** An outage may have begun with the last answer before it. */
const BEGINNING_MS = 1_000;
/** A server that ends first hands its players to the others, and has served them until then. */
const HANDOVER_MS_MAX = 6_000;
/** A busy database takes some time to store it. */
const STORED_MS_MAX = 8_000;
/** Shorter turns are nothing but commits and network time. */
const THOUGHT_MS_MIN = 250;
/** The clocks start after these plies. */
const FIRST_PLIES = 2;
/** The least share of a turn that must be charged or forgiven, without the server's busy time. */
const COUNTED_SHARE_MIN = 0.6;

/** Each downtime of the server is stored as an outage. */
export function findUnmeasuredOutages({ isShared, clients, downtimes, outages }: Evidence): string[] {
  const newestMs = [...listReceived(clients)].reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  return downtimes
    .filter(
      ({ fromMs, toMs, isKilled }) =>
        toMs + STORED_MS_MAX < newestMs &&
        !outages.some(({ fromAt, toAt }) => {
          const beganMs = fromMs + BEGINNING_MS + (isShared && !isKilled ? HANDOVER_MS_MAX : 0);
          return fromAt <= beganMs && toAt > fromMs && fromAt < toMs;
        }),
    )
    .map(({ fromMs, toMs }) => `the server was down for ${toMs - fromMs} ms, which is not stored as an outage`);
}

/** A player who watched their game on a killed server is among those whom it served. */
export function findForgottenPlayers({ downtimes, outages, clients, games }: Evidence): string[] {
  const found: string[] = [];
  for (const { fromMs, toMs, servers } of downtimes.filter(({ isKilled }) => isKilled)) {
    const during = outages.filter(
      ({ fromAt, toAt, cause }) =>
        cause === "restart" && fromAt <= fromMs + BEGINNING_MS && toAt > fromMs && fromAt < toMs,
    );
    // A server forgets the players of a game that is over, also of one that it finds lost later.
    const storedAt = during.length === 0 ? toMs : Math.max(...during.map(({ toAt }) => toAt));
    for (const client of clients)
      for (const connection of client.connections) {
        const gameId = servers.includes(connection.server) ? findWatched(connection, fromMs) : null;
        const game = gameId === null ? undefined : games.get(gameId);
        if (client.account === null || !findPlayers(game).includes(client.account.id)) continue;
        const isBetween = (fromAt: number, toAt: number, ...types: readonly string[]): boolean =>
          game!.log.some(
            ({ at, events }) => at > fromAt && at < toAt && events.some(({ type }) => types.includes(type)),
          );
        if (!isBetween(0, fromMs - BEGINNING_MS, "joined") || isBetween(0, storedAt, "ended", "cancelled")) continue;
        const seat = `${gameId} ${client.account.id}`;
        if (!during.some(({ served }) => served === null || served.some((one) => `${one} `.startsWith(`${seat} `))))
          found.push(`${gameId}: nothing is stored about the outage of ${nameOf(client)}'s server`);
      }
  }
  return found;
}

/** The table that was watched for a while on a connection that broke at that time. */
function findWatched({ silentFromMs, received, sent }: RecordedConnection, atMs: number): GameId | null {
  if (silentFromMs === null || silentFromMs < atMs || silentFromMs > atMs + BEGINNING_MS) return null;
  let watched: GameId | null = null;
  let sinceMs = 0;
  for (const { atMs: receivedMs, frame } of received) {
    if (receivedMs > atMs - BEGINNING_MS) break;
    if (frame.type === "table") [watched, sinceMs] = [frame.gameId, receivedMs];
  }
  const isLeft = sent.some(
    ({ atMs: sentMs, frame }) => frame.type === "unwatch" && frame.gameId === watched && sentMs > sinceMs,
  );
  return isLeft ? null : watched;
}

/**
 * Most of the time that players visibly thought is charged, or forgiven as network time. A server
 * that ran or waited for a processor meanwhile may have counted that as a stall.
 */
export function findFreeTime({ games, clients, outages, stopped, busy, jumps }: Evidence): string[] {
  const sentAt = findFirstSent(clients);
  const receivedAt = new Map<string, number>();
  for (const client of clients)
    for (const { atMs, gameId, record } of listSentRecords([client]))
      noteFirst(receivedAt, `${client.account?.id} ${gameId} ${record.version}`, atMs);
  const lost = [
    ...stopped,
    ...outages.map(({ fromAt, toAt }) => ({
      fromMs: toMachineTime(fromAt, jumps),
      toMs: toMachineTime(toAt, jumps),
    })),
  ];
  let thoughtMs = 0;
  let countedMs = 0;
  for (const [gameId, game] of games) {
    const players = findPlayers(game);
    let plies = 0;
    let pliesEver = 0;
    for (const [index, { by, events, commandId, lagMs }] of game.log.entries()) {
      const [event] = events;
      const before = game.log[index - 1];
      const isTimed = pliesEver >= FIRST_PLIES;
      for (const one of events) plies += one.type === "moved" ? 1 : one.type === "taken_back" ? -one.plies : 0;
      pliesEver = Math.max(pliesEver, plies);
      // A turn that one move began is easy to measure.
      if (by === 0 || !isTimed || event?.type !== "moved" || before?.events[0]?.type !== "moved") continue;
      const fromMs = receivedAt.get(`${ofSeat(players, by)} ${gameId} ${before.version}`);
      const toMs = sentAt.get(commandId ?? "");
      if (fromMs === undefined || toMs === undefined || toMs - fromMs < THOUGHT_MS_MIN) continue;
      if (lost.some((span) => span.fromMs < toMs && span.toMs > fromMs)) continue;
      thoughtMs += Math.max(0, toMs - fromMs - findBusyMs(busy, fromMs, toMs));
      countedMs += event.chargedMs + (lagMs ?? 0);
    }
  }
  const isFree = countedMs < thoughtMs * COUNTED_SHARE_MIN;
  return isFree ? [`players thought for ${thoughtMs} ms, and ${countedMs} ms were counted`] : [];
}

/** The most that the servers can have been busy in this span; infinite if it is unknown. */
function findBusyMs(busy: readonly BusySample[], fromMs: number, toMs: number): number {
  const before = busy.findLast(({ atMs }) => atMs <= fromMs);
  const after = busy.find(({ atMs }) => atMs >= toMs);
  return before === undefined || after === undefined ? Number.POSITIVE_INFINITY : after.busyMs - before.busyMs;
}
