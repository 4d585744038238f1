import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { RecordedConnection } from "../recording.ts";
import { type Evidence, isAhead } from "./evidence.ts";
import { findPlayers } from "./frames.ts";

/** A push that is later than this on a working connection is missing. */
const LATE_MS = 5_000;
/** A connection may open while a change is being pushed. */
export const OPENING_MS = 1_000;

/** When a player's open game appeared, started or ended. */
interface OpenGameChange {
  readonly at: number;
  readonly gameId: GameId;
  readonly what: string;
}

export function findMissedWallets(evidence: Evidence): string[] {
  const found: string[] = [];
  for (const { account, connections } of evidence.clients) {
    if (account === null) continue;
    const balances = evidence.wallets.get(account.id) ?? [];
    const changes = balances.map(({ atMs }, index) => ({ atMs, sequence: index + 1 }));
    for (const connection of connections) {
      const pushes = connection.received.filter(({ frame }) => frame.type === "wallet");
      for (const change of findMissed(evidence, connection, changes, (atMs, untilMs) =>
        pushes.some((push) => push.atMs >= atMs && push.atMs <= untilMs),
      ))
        found.push(`${account.username} was not sent the change ${change.sequence} of the balance`);
    }
  }
  return found;
}

/** A player is notified when their game appears, starts and ends. */
export function findMissedOpenGames(evidence: Evidence): string[] {
  const found: string[] = [];
  const changes = findOpenGameChanges(evidence);
  for (const { account, connections } of evidence.clients) {
    if (account === null) continue;
    for (const connection of connections) {
      const sent = connection.received.flatMap(({ atMs, frame }) =>
        frame.type === "open_game" ? [{ atMs, ...frame }] : [],
      );
      // A page ignores the others.
      const pushes = sent.filter(({ sequence }, index) => sent.slice(0, index).every((one) => one.sequence < sequence));
      // Of several servers one may read a change before the message about an earlier one arrives.
      if (!evidence.isShared && pushes.length < sent.length)
        found.push(`${account.username} was sent open games in another order than numbered`);
      const missed = findMissed(
        evidence,
        connection,
        (changes.get(account.id) ?? []).map((change) => ({ ...change, atMs: change.at })),
        (atMs, untilMs) => pushes.some((push) => push.atMs >= atMs && push.atMs <= untilMs),
      );
      for (const { gameId, what } of missed) found.push(`${account.username} was not sent that ${gameId} was ${what}`);
    }
  }
  return found;
}

export function findOpenGameChanges({ games }: Evidence): ReadonlyMap<PlayerId, readonly OpenGameChange[]> {
  const changes = new Map<PlayerId, OpenGameChange[]>();
  for (const [gameId, game] of games) {
    const players = findPlayers(game);
    for (const { at, events } of game.log)
      for (const { type } of events) {
        if (type !== "created" && type !== "joined" && type !== "ended" && type !== "cancelled") continue;
        for (const player of type === "created" ? players.slice(0, 1) : players)
          if (player !== null) changes.set(player, [...(changes.get(player) ?? []), { at, gameId, what: type }]);
      }
  }
  return changes;
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
function isLate({ disturbances, jumps }: Evidence, atMs: number, untilMs: number): boolean {
  const dueMs = atMs + LATE_MS;
  if (dueMs >= untilMs || isAhead(dueMs, jumps)) return false;
  return !disturbances.some(({ fromMs, toMs }) => fromMs < dueMs && toMs + LATE_MS > atMs);
}
