import { isDeepStrictEqual } from "node:util";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { ClientFrame, CommandFrame, ServerFrame } from "@holo/protocol/frames.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { findClockFaults } from "./clock-model.ts";
import type { Evidence, StoredGame } from "./evidence.ts";
import type { Crossed, RecordedConnection, Recording } from "./recording.ts";

/** A push that is later than this on a connection that works is missing. */
const LATE_MS = 5_000;
/** The network delivers the copies of a frame within this time. */
const COPY_MS = 300;
/** Stalls, commits and network time take the most of short turns on a busy machine. */
const CHARGED_SHARE_MIN = 0.02;
/** A connection may open while a change is being pushed. */
const OPENING_MS = 1_000;

/** Everything that a correct server cannot have sent or stored; empty if there is nothing. */
export function judge(evidence: Evidence): readonly string[] {
  return [
    ...findForgedRecords(evidence),
    ...findLostCommands(evidence),
    ...findBrokenOrder(evidence),
    ...findStoredRefusals(evidence),
    ...findUnaskedRecords(evidence),
    ...findLeaks(evidence),
    ...findMissedRecords(evidence),
    ...findWrongWallets(evidence),
    ...findMissedOpenGames(evidence),
    ...[...evidence.games].flatMap(([gameId, { log }]) =>
      findClockFaults(log, evidence).map((fault) => `${gameId}: ${fault}`),
    ),
    ...findUnmeasuredOutages(evidence),
    ...findFreeTime(evidence),
  ];
}

/** Every record that any client was ever sent is stored as it was sent, also across crashes. */
function findForgedRecords({ clients, games }: Evidence): string[] {
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

/** Every acknowledged command is stored exactly once, where its acknowledgement says. */
function findLostCommands({ clients, games }: Evidence): string[] {
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

/** A command that was sent after another one was acknowledged comes after it in the log. */
function findBrokenOrder({ clients, games }: Evidence): string[] {
  const sentAt = new Map<string, number>();
  for (const { frame, atMs } of listCommands(clients))
    sentAt.set(frame.commandId, Math.min(atMs, sentAt.get(frame.commandId) ?? atMs));
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
function findStoredRefusals({ clients, games, tablesAheadFromMs }: Evidence): string[] {
  const storedAt = new Map<string, number>();
  for (const { log } of games.values())
    for (const { commandId, at } of log) if (commandId !== undefined) storedAt.set(commandId, at);
  const found: string[] = [];
  for (const { atMs, frame, viewer } of listReceived(clients)) {
    if (frame.type !== "refused" || (tablesAheadFromMs !== null && atMs > tablesAheadFromMs)) continue;
    const at = storedAt.get(frame.commandId);
    if (at !== undefined && at + COPY_MS < atMs)
      found.push(`${viewer}'s command ${frame.commandId} was refused (${frame.refusal.code}) and is stored`);
  }
  return found;
}

/** Every command in a log was sent by the player of its seat, for the board that was there. */
function findUnaskedRecords({ clients, games }: Evidence): string[] {
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
    const players: (PlayerId | undefined)[] = [];
    let boardVersion = 0;
    for (const record of log) {
      const say = (what: string): void => void found.push(`${gameId}: version ${record.version} ${what}`);
      const earlierBoard = boardVersion;
      for (const event of record.events) {
        if (event.type === "created" || event.type === "joined") players.push(event.player);
        if (["created", "joined", "moved", "taken_back"].includes(event.type)) boardVersion = record.version;
      }
      const command = record.commandId === undefined ? undefined : commands.get(record.commandId);
      const [event] = record.events;
      if (command === undefined) {
        if (event?.type === "moved" || record.commandId !== undefined) say("is a command that nobody sent");
        continue;
      }
      if (record.by === 0 || players[record.by - 1] !== command.sender) say("was not sent by the player of its seat");
      const { frame } = command;
      if (event?.type === "moved") {
        if (frame.type !== "move" || !isDeepStrictEqual(frame.path, event.path) || frame.promotion !== event.promotion)
          say("is not the move that was sent");
        else if (frame.atVersion !== earlierBoard)
          say(`was a move for version ${frame.atVersion}, but the board was of version ${earlierBoard}`);
      }
      if (event?.type === "draw_answered" || event?.type === "takeback_answered") {
        if (frame.type !== "answer_draw" && frame.type !== "answer_takeback") {
          // A move or a request that meets the opponent's own answers it, too.
          continue;
        }
        if (frame.offer !== event.offer || frame.answer !== event.answer) say("is not the answer that was sent");
        if (event.answer === "accept" && frame.atVersion !== earlierBoard) say("accepted an offer for another board");
      }
    }
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
function findLeaks({ clients, games }: Evidence): string[] {
  const found: string[] = [];
  for (const { account, connections } of clients) {
    const viewer = account?.username ?? "a visitor";
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
        if (record.lagMs !== undefined && !hasEnded(games.get(gameId)))
          found.push(`${viewer} was sent network times of the running game ${gameId}`);
      }
    }
  }
  return found;
}

/** On each connection the records of a watched table follow one another, none missing or late. */
function findMissedRecords(evidence: Evidence): string[] {
  const found: string[] = [];
  for (const { account, connections } of evidence.clients) {
    const viewer = account?.username ?? "a visitor";
    for (const connection of connections) {
      const known = new Map<GameId, number>();
      const endTable = (gameId: GameId, endMs: number): void => {
        const version = known.get(gameId);
        known.delete(gameId);
        const missed = version === undefined ? undefined : evidence.games.get(gameId)?.log[version];
        if (missed !== undefined && isLate(evidence, missed.at, endMs))
          found.push(`${gameId}: ${viewer} was not sent version ${missed.version}`);
      };
      let lastMs = 0;
      for (const { atMs, frame } of toTimeline(connection)) {
        switch (frame.type) {
          case "table":
            known.set(frame.gameId, frame.version);
            break;
          case "entry": {
            const version = known.get(frame.gameId);
            if (version === undefined) break;
            if (frame.entry.version > version + 1)
              found.push(`${frame.gameId}: ${viewer} was sent version ${frame.entry.version} after ${version}`);
            known.set(frame.gameId, Math.max(version, frame.entry.version));
            break;
          }
          case "unwatch":
            endTable(frame.gameId, lastMs);
            break;
        }
        if (!isSent(frame)) lastMs = atMs;
      }
      for (const gameId of [...known.keys()]) endTable(gameId, lastMs);
    }
  }
  return found;
}

/** Every balance that was pushed is the one of its sequence; every change is pushed in time. */
function findWrongWallets(evidence: Evidence): string[] {
  const found: string[] = [];
  for (const { account, connections } of evidence.clients) {
    if (account === null) continue;
    const balances = evidence.wallets.get(account.id) ?? [];
    for (const connection of connections) {
      const pushes = connection.received.flatMap(({ atMs, frame }) =>
        frame.type === "wallet" ? [{ atMs, ...frame }] : [],
      );
      for (const { balance, sequence } of pushes) {
        if (balances[sequence - 1]?.balance !== BigInt(balance))
          found.push(`${account.username} was sent the balance ${balance} as number ${sequence}`);
      }
      const changes = balances.map(({ atMs }, index) => ({ atMs, sequence: index + 1 }));
      for (const change of findMissed(evidence, connection, changes, (atMs, untilMs) =>
        pushes.some((push) => push.atMs >= atMs && push.atMs <= untilMs),
      ))
        found.push(`${account.username} was not sent the change ${change.sequence} of the balance`);
    }
  }
  return found;
}

/** A player is told when their game appears, starts and ends. */
function findMissedOpenGames(evidence: Evidence): string[] {
  const found: string[] = [];
  const changes = new Map<PlayerId, { readonly atMs: number; readonly gameId: GameId; readonly what: string }[]>();
  for (const [gameId, game] of evidence.games) {
    const players = findPlayers(game);
    for (const { at, events } of game.log) {
      for (const { type } of events) {
        const isChange = type === "created" || type === "joined" || type === "ended" || type === "cancelled";
        if (!isChange) continue;
        for (const player of type === "created" ? players.slice(0, 1) : players)
          changes.set(player, [...(changes.get(player) ?? []), { atMs: at, gameId, what: type }]);
      }
    }
  }
  for (const { account, connections } of evidence.clients) {
    if (account === null) continue;
    for (const connection of connections) {
      const pushes = connection.received.flatMap(({ atMs, frame }) =>
        frame.type === "open_game" ? [{ atMs, ...frame }] : [],
      );
      const disordered = pushes.find(({ sequence }, index) => index > 0 && sequence <= pushes[index - 1]!.sequence);
      if (disordered !== undefined)
        found.push(`${account.username} was sent two open games numbered ${disordered.sequence}`);
      const missed = findMissed(evidence, connection, changes.get(account.id) ?? [], (atMs, untilMs) =>
        pushes.some((push) => push.atMs >= atMs && push.atMs <= untilMs),
      );
      for (const { gameId, what } of missed) found.push(`${account.username} was not sent that ${gameId} was ${what}`);
    }
  }
  return found;
}

/** Each time that the server was down is stored as an outage. */
function findUnmeasuredOutages({ downtimes, outages }: Evidence): string[] {
  return downtimes
    .filter(
      ({ fromMs, toMs }) =>
        !outages.some(({ fromAt, toAt }) => fromAt <= fromMs + OPENING_MS && toAt > fromMs && fromAt < toMs),
    )
    .map(({ fromMs, toMs }) => `the server was down for ${toMs - fromMs} ms, which is not stored as an outage`);
}

/** Some of the time that moves took is charged. */
function findFreeTime({ games, disturbances }: Evidence): string[] {
  let elapsedMs = 0;
  let chargedMs = 0;
  for (const { log } of games.values()) {
    for (const [index, { at, events }] of log.entries()) {
      const [event] = events;
      const before = log[index - 1];
      // From the third ply on clocks run, and a turn that one move began is measured simply.
      if (event?.type !== "moved" || index < 4 || before?.events[0]?.type !== "moved") continue;
      if (disturbances.some(({ fromMs, toMs }) => fromMs < at && toMs > before.at)) continue;
      elapsedMs += at - before.at;
      chargedMs += event.chargedMs;
    }
  }
  const isFree = chargedMs < elapsedMs * CHARGED_SHARE_MIN;
  return isFree ? [`moves took ${elapsedMs} ms, and ${chargedMs} ms were charged`] : [];
}

/** The changes that were due on a working connection and not pushed in time. */
function findMissed<Change extends { readonly atMs: number }>(
  evidence: Evidence,
  { received }: RecordedConnection,
  changes: readonly Change[],
  wasPushed: (fromMs: number, untilMs: number) => boolean,
): readonly Change[] {
  const first = received.find(({ frame }) => frame.type === "hello");
  const last = received.at(-1);
  if (first === undefined || last === undefined) return [];
  return changes.filter(
    ({ atMs }) =>
      atMs > first.atMs + OPENING_MS &&
      isLate(evidence, atMs, last.atMs) &&
      !wasPushed(atMs - OPENING_MS, atMs + LATE_MS),
  );
}

/** Whether a change must have been pushed before `untilMs`, when the connection still worked. */
function isLate({ disturbances, tablesAheadFromMs }: Evidence, atMs: number, untilMs: number): boolean {
  const dueMs = atMs + LATE_MS;
  if (dueMs >= untilMs || (tablesAheadFromMs !== null && dueMs >= tablesAheadFromMs)) return false;
  return !disturbances.some(({ fromMs, toMs }) => fromMs < dueMs && toMs + LATE_MS > atMs);
}

function isSent(frame: ServerFrame | ClientFrame): boolean {
  return frame.type === "unwatch";
}

/** What was received, with the moments at which tables were no longer watched. */
function toTimeline({
  received,
  sent,
}: RecordedConnection): readonly Crossed<ServerFrame | (ClientFrame & { type: "unwatch" })>[] {
  const ends = sent.flatMap(({ atMs, frame }) => (frame.type === "unwatch" ? [{ atMs, frame }] : []));
  return [...ends, ...received].toSorted((a, b) => a.atMs - b.atMs);
}

function findPlayers(game: StoredGame | undefined): readonly PlayerId[] {
  return (game?.log ?? []).flatMap(({ events }) =>
    events.flatMap((event) => (event.type === "created" || event.type === "joined" ? [event.player] : [])),
  );
}

function hasEnded(game: StoredGame | undefined): boolean {
  return (game?.log ?? []).some(({ events }) => events.some(({ type }) => type === "ended" || type === "cancelled"));
}

function toPublic({ version, at, by, events }: LogRecord): unknown {
  return { version, at, by, events };
}

interface SentRecord {
  readonly gameId: GameId;
  readonly record: LogRecord;
}

function toRecords(frame: ServerFrame): readonly SentRecord[] {
  if (frame.type === "entry") return [{ gameId: frame.gameId, record: frame.entry }];
  return frame.type === "table" ? frame.entries.map((record) => ({ gameId: frame.gameId, record })) : [];
}

function* listReceived(clients: readonly Recording[]): Iterable<Crossed<ServerFrame> & { readonly viewer: string }> {
  for (const { account, connections } of clients)
    for (const { received } of connections)
      for (const crossed of received) yield { ...crossed, viewer: account?.username ?? "a visitor" };
}

function* listSentRecords(clients: readonly Recording[]): Iterable<SentRecord & { readonly viewer: string }> {
  for (const { frame, viewer } of listReceived(clients)) for (const sent of toRecords(frame)) yield { ...sent, viewer };
}

function* listCommands(clients: readonly Recording[]): Iterable<Crossed<CommandFrame>> {
  for (const { connections } of clients)
    for (const { sent } of connections)
      for (const { atMs, frame } of sent) if ("commandId" in frame) yield { atMs, frame };
}

function* listAcknowledgements(
  clients: readonly Recording[],
): Iterable<{ readonly commandId: string; readonly place: string; readonly atMs: number; readonly viewer: string }> {
  for (const { atMs, frame, viewer } of listReceived(clients)) {
    if (frame.type === "done")
      yield { commandId: frame.commandId, place: `${frame.gameId} ${frame.version}`, atMs, viewer };
    for (const { gameId, record } of toRecords(frame))
      if (record.commandId !== undefined)
        yield { commandId: record.commandId, place: `${gameId} ${record.version}`, atMs, viewer };
  }
}
