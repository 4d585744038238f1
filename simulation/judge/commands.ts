import { isDeepStrictEqual } from "node:util";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import { type Evidence, isAhead, toDueMs } from "./evidence.ts";
import { findFirstSent, listAcknowledgements, listCommands, listReceived, nameOf, toRecords } from "./frames.ts";

/** The network delivers the copies of a frame within this time. */
const COPY_MS = 300;
/** Of two copies on two servers one may be refused while the other is being stored. */
const COPY_ELSEWHERE_MS = 2_000;
/** A table that stopped runs again within this time. */
const ANSWER_MS_MAX = 20_000;

/** Every acknowledged command is stored exactly once, where its acknowledgement says. */
export function findLostCommands({ clients, games }: Evidence): string[] {
  const places = new Map<string, string[]>();
  const add = (commandId: string | undefined, place: string): void => {
    if (commandId !== undefined) places.set(commandId, [...(places.get(commandId) ?? []), place]);
  };
  for (const [gameId, { log, chat }] of games) {
    for (const { commandId, version } of log) add(commandId, `${gameId} ${version}`);
    for (const { commandId, number } of chat) add(commandId, `${gameId} ${number}`);
  }
  const found: string[] = [];
  for (const [commandId, stored] of places)
    if (stored.length > 1) found.push(`command ${commandId} is stored ${stored.length} times: ${stored.join(", ")}`);
  for (const { commandId, place, viewer } of listAcknowledgements(clients))
    if (!places.get(commandId)?.includes(place))
      found.push(`${viewer}'s command ${commandId} was acknowledged as ${place}, which is not stored`);
  return found;
}

/** A command sent after the acknowledgement of another one follows it in the log. */
export function findBrokenOrder({ clients, games }: Evidence): string[] {
  const sentAt = findFirstSent(clients);
  const answeredAt = new Map<string, number>();
  for (const { commandId, atMs } of listAcknowledgements(clients))
    answeredAt.set(commandId, Math.min(atMs, answeredAt.get(commandId) ?? atMs));
  const found: string[] = [];
  for (const [gameId, { log }] of games) {
    const commands = log.flatMap(({ commandId, version }) => {
      const fromMs = commandId === undefined ? undefined : sentAt.get(commandId);
      return fromMs === undefined
        ? []
        : [{ version, fromMs, toMs: answeredAt.get(commandId!) ?? Number.POSITIVE_INFINITY }];
    });
    const answered = commands.toSorted((a, b) => a.toMs - b.toMs);
    let newest = 0;
    let next = 0;
    for (const { version, fromMs } of commands.toSorted((a, b) => a.fromMs - b.fromMs)) {
      for (; next < answered.length && answered[next]!.toMs < fromMs; next += 1)
        newest = Math.max(newest, answered[next]!.version);
      if (version < newest)
        found.push(`${gameId}: version ${version} was sent after version ${newest} was acknowledged`);
    }
  }
  return found;
}

/** A command is not refused after it was stored. Of two copies the first may be refused. */
export function findStoredRefusals(evidence: Evidence): string[] {
  const { clients, games, jumps, isShared } = evidence;
  const storedAt = new Map<string, number>();
  for (const { log } of games.values())
    for (const { commandId, at } of log) if (commandId !== undefined) storedAt.set(commandId, at);
  const found: string[] = [];
  for (const client of clients)
    for (const { received } of client.connections) {
      const known = new Set<string>();
      for (const { atMs, frame } of received) {
        for (const { record } of toRecords(frame)) if (record.commandId !== undefined) known.add(record.commandId);
        if (frame.type !== "refused" || isAhead(atMs, jumps)) continue;
        const at = storedAt.get(frame.commandId);
        if (at === undefined) continue;
        // A record may be decided long before a slow machine stores it.
        const dueMs = isShared ? toDueMs(evidence, at, COPY_ELSEWHERE_MS) : at + COPY_MS;
        // A server that has sent the record knows its command.
        if (dueMs < atMs || known.has(frame.commandId))
          found.push(
            `${nameOf(client)}'s command ${frame.commandId} was refused (${frame.refusal.code}) and is stored`,
          );
      }
    }
  return found;
}

/** Every command in a log was sent by the player of its seat, for the board that was there. */
export function findUnaskedRecords({ clients, games }: Evidence): string[] {
  const commands = new Map(
    clients.flatMap((client) =>
      [...listCommands([client])].map(({ frame }) => [
        frame.commandId as string,
        { frame, sender: client.account?.id },
      ]),
    ),
  );
  const found: string[] = [];
  for (const [gameId, { log }] of games) {
    let players: BySeat<PlayerId | null> = [null, null];
    let boardVersion = 0;
    for (const record of log) {
      const say = (what: string): void => void found.push(`${gameId}: version ${record.version} ${what}`);
      const earlierBoard = boardVersion;
      for (const event of record.events) {
        if (event.type === "created") players = replaceSeat(players, 1, event.player);
        if (event.type === "joined") players = replaceSeat(players, 2, event.player);
        if (["created", "joined", "moved", "taken_back"].includes(event.type)) boardVersion = record.version;
      }
      const command = record.commandId === undefined ? undefined : commands.get(record.commandId);
      const [event] = record.events;
      if (command === undefined) {
        // Ruling 27: the server cancels the waiting game of a player who excludes themselves.
        const isOwnCancel = event?.type === "cancelled" && players[1] === null;
        if (!isOwnCancel && (event?.type === "moved" || record.commandId !== undefined))
          say("is a command that nobody sent");
        continue;
      }
      if (record.by === 0 || ofSeat(players, record.by) !== command.sender)
        say("was not sent by the player of its seat");
      const { frame } = command;
      const terms = log[0]?.events[0];
      if (
        frame.type === "create" &&
        (event?.type === "created" || event?.type === "joined") &&
        terms?.type === "created"
      ) {
        const isSame = terms.game === frame.game && terms.stake === frame.stake && terms.feeBps === frame.feeBps;
        if (!isSame || terms.limitMs !== frame.limitMinutes * 60_000) say("has other terms than the player was shown");
      }
      if (event?.type === "moved") {
        if (frame.type !== "move" || !isDeepStrictEqual(frame.path, event.path) || frame.promotion !== event.promotion)
          say("is not the move that was sent");
        else if (frame.atVersion !== earlierBoard)
          say(`was a move for version ${frame.atVersion}, but the board was of version ${earlierBoard}`);
      }
      if (event?.type === "draw_answered" || event?.type === "takeback_answered") {
        if (frame.type !== "answer_draw" && frame.type !== "answer_takeback") {
          // A move or a request that crosses the opponent's own also answers it.
          continue;
        }
        if (frame.offer !== event.offer || frame.answer !== event.answer) say("is not the answer that was sent");
        if (event.answer === "accept" && frame.atVersion !== earlierBoard) say("accepted an offer for another board");
      }
    }
  }
  return found;
}

/** On a connection that works every command gets an answer, even if it is to be sent again. */
export function findUnanswered(evidence: Evidence): string[] {
  // Another tab may have been told earlier of a command that was sent again.
  const answeredAt = new Map<string, number>();
  const noteAnswer = (commandId: string, atMs: number): void =>
    void answeredAt.set(commandId, Math.max(atMs, answeredAt.get(commandId) ?? atMs));
  for (const { commandId, atMs } of listAcknowledgements(evidence.clients)) noteAnswer(commandId, atMs);
  for (const { frame, atMs } of listReceived(evidence.clients))
    if (frame.type === "refused" || frame.type === "retry") noteAnswer(frame.commandId, atMs);
  const found: string[] = [];
  for (const client of evidence.clients)
    for (const connection of client.connections) {
      const { received } = connection;
      const last = received.at(-1);
      if (last === undefined) continue;
      const sentAt = findFirstSent([{ ...client, connections: [connection] }]);
      for (const [commandId, atMs] of sentAt)
        if ((answeredAt.get(commandId) ?? 0) < atMs && toDueMs(evidence, atMs, ANSWER_MS_MAX) < last.atMs)
          found.push(`${nameOf(client)}'s command ${commandId} was not answered for ${last.atMs - atMs} ms`);
    }
  return found;
}
