import { ofSeat } from "@holo/rules/by-seat.ts";
import { type BusySample, type Evidence, type Span, toMachineTime } from "./evidence.ts";
import { findFirstSent, findPlayers, listReceived, listSentRecords, noteFirst } from "./frames.ts";

/** An outage may have begun with the last answer before it. */
const BEGINNING_MS = 1_000;
/** A busy database takes some time to store it. */
const STORED_MS_MAX = 8_000;
/** Shorter turns are nothing but commits and network time. */
const THOUGHT_MS_MIN = 250;
/** The clocks start after these plies. */
const FIRST_PLIES = 2;
/** What the judge allows after a server's end until its players are back. */
const RETURN_MS = 10_000;
/** What was sent has arrived, unless the connection broke. */
const ARRIVED_MS = 2_000;
const BOARD_CHANGES: ReadonlySet<string> = new Set(["created", "joined", "moved", "taken_back"]);
/** The least share of a turn that must be charged or forgiven, without the server's busy time. */
const COUNTED_SHARE_MIN = 0.6;

/** Each downtime is stored as an outage, or of one of several servers as its end. */
export function findUnmeasuredOutages({ isShared, clients, downtimes, outages, ends }: Evidence): string[] {
  const newestMs = [...listReceived(clients)].reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  const ended = ends.map(({ lastBeatAt, endedAt }) => ({ fromAt: lastBeatAt, toAt: endedAt + 1 }));
  const known = isShared ? [...outages, ...ended] : outages;
  const isKnown = ({ fromMs, toMs }: Span): boolean =>
    known.some(({ fromAt, toAt }) => fromAt <= fromMs + BEGINNING_MS && toAt > fromMs && fromAt < toMs);
  return (
    downtimes
      // One of several that stops hands its players to the others before.
      .filter(({ isKilled }) => isKilled || !isShared)
      .filter((downtime) => downtime.toMs + STORED_MS_MAX < newestMs && !isKnown(downtime))
      .map(
        ({ fromMs, toMs }) =>
          `the server was down for ${toMs - fromMs} ms, which is not stored as an outage (from ${fromMs}, stored: ${JSON.stringify(known)})`,
      )
  );
}

/** A bonus follows an outage that clients cannot cause: a stopped process earns none. */
export function findUnfoundedBonuses(evidence: Evidence): string[] {
  const { games, outages, ends, frozen, jumps, isShared } = evidence;
  const real = [
    ...outages.filter(({ cause }) => cause !== "stall"),
    ...ends
      .filter(({ cause }) => cause === "gone")
      .map(({ lastBeatAt, endedAt }) => ({ fromAt: lastBeatAt, toAt: endedAt + RETURN_MS })),
    // Several servers do not store when the database was silent: each one credits its own tables.
    ...(isShared ? [...frozen, ...evidence.cuts] : []).map(({ fromMs, toMs }) => ({
      fromAt: fromMs,
      toAt: toMs + STORED_MS_MAX,
    })),
  ];
  return [...games].flatMap(([gameId, { log }]) =>
    log.flatMap(({ version, events }) =>
      events.flatMap((event) => {
        if (event.type !== "clock_credited" || event.bonusMs === 0) return [];
        const [from, to] = [event.outageFromAt, event.outageToAt].map((at) => toMachineTime(at, jumps)) as [
          number,
          number,
        ];
        const isFounded = real.some(({ fromAt, toAt }) => fromAt <= to && toAt >= from);
        return isFounded ? [] : [`${gameId}: version ${version} has a bonus for no outage`];
      }),
    ),
  );
}

/** No clock expires over a move that a server had received before. */
export function findHastyFlags({ clients, games, jumps }: Evidence): string[] {
  const moves = new Map<string, number>();
  for (const { connections } of clients)
    for (const { sent, received, silentFromMs } of connections) {
      // One that breaks the rules is refused at once.
      const answers = received.filter(({ frame }) => frame.type === "refused" || frame.type === "done");
      const isAnswered = (id: string, sentMs: number): boolean =>
        answers.some(({ atMs, frame }) => "commandId" in frame && frame.commandId === id && atMs < sentMs + ARRIVED_MS);
      for (const { atMs, frame } of sent)
        if (
          frame.type === "move" &&
          !isAnswered(frame.commandId, atMs) &&
          (silentFromMs ?? Infinity) > atMs + ARRIVED_MS
        )
          noteFirst(moves, `${frame.gameId} ${frame.atVersion}`, atMs);
    }
  return [...games].flatMap(([gameId, { log }]) => {
    let board = 0;
    for (const { version, at, events } of log) {
      const [event] = events;
      if (event?.type === "ended" && event.reason === "time") {
        const sentMs = moves.get(`${gameId} ${board}`);
        if (sentMs !== undefined && sentMs + ARRIVED_MS < toMachineTime(at, jumps))
          return [`${gameId}: version ${version} is a flag over a move that had arrived`];
      }
      if (events.some(({ type }) => BOARD_CHANGES.has(type))) board = version;
    }
    return [];
  });
}

/**
 * Most of the time that players visibly thought is charged, or forgiven as network time. A server
 * that ran or waited for a processor meanwhile may have counted that as a stall.
 */
export function findFreeTime({ games, clients, outages, ends, stopped, busy, jumps }: Evidence): string[] {
  const sentAt = findFirstSent(clients);
  const receivedAt = new Map<string, number>();
  for (const client of clients)
    for (const { atMs, gameId, record } of listSentRecords([client]))
      noteFirst(receivedAt, `${client.account?.id} ${gameId} ${record.version}`, atMs);
  const lost = [
    ...stopped,
    ...ends.map(({ lastBeatAt, endedAt }) => ({ fromMs: lastBeatAt, toMs: endedAt + RETURN_MS })),
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
