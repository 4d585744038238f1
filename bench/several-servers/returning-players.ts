import { setTimeout as sleep } from "node:timers/promises";
import type { GameId } from "@holo/kernel/ids.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { findLostMoves } from "../../apps/server/src/testing/robot-pairs.ts";
import { type Robot, startRobot } from "../../apps/server/src/transport/testing/robot.ts";
import { createReconnectDelays } from "../../apps/web/src/lib/socket/reconnect-delays.ts";
import { type Arena, connectAll, toAddress } from "../servers/arena.ts";
import { openPairs } from "../servers/pairs.ts";

/** A player's page in a running game: it moves at a human pace and reconnects as the page does. */
export interface ReturningPlayer {
  readonly robot: Robot;
  readonly gameId: GameId;
  /** When the table arrived on this connection; null before. */
  shownMs: number | null;
  lostMs: number;
  /** Times without a table, since `forget`. */
  gapsMs: number[];
  /** When the table was first sent since `forget`; null before. */
  answeredMs: number | null;
}

const COINS = 10_000;
/** Two connections for each player at once would be too many. */
const SEATED_AT_ONCE = 100;
const SHOWN_MS_MAX = 120_000;
/** Longer than anyone thinks: a move that was begun is made. */
const REST_MS_MAX = 60_000;
const POLL_MS = 50;

/** Seats players of games of checkers. `running` are the servers that a proxy would choose from. */
export async function seatReturningPlayers(
  running: ReadonlySet<Arena>,
  games: number,
  thinkMs: number,
): Promise<readonly ReturningPlayer[]> {
  const [first] = running;
  const players = await first!.makePlayers(2 * games, COINS);
  const choose = (): string => {
    const sites = [...running];
    // While none runs, the address of any refuses.
    return `http://127.0.0.1:${(sites[Math.floor(Math.random() * sites.length)] ?? first)!.port}`;
  };
  const all: ReturningPlayer[] = [];
  for (let from = 0; from < players.length; from += 2 * SEATED_AT_ONCE) {
    const part = players.slice(from, from + 2 * SEATED_AT_ONCE);
    const sockets = await connectAll(() => first!, part);
    for (const [gameId, seats] of await openPairs(sockets, [], { game: "checkers" }).seat())
      for (const seat of seats) all.push(startPlayer(choose, first!.origin, part[seat]!, all.length, gameId, thinkMs));
    for (const socket of sockets) socket.close();
  }
  await untilShown(all);
  return all;
}

function startPlayer(
  origin: () => string,
  page: string,
  player: Parameters<typeof startRobot>[2],
  index: number,
  gameId: GameId,
  thinkMs: number,
): ReturningPlayer {
  const robot = startRobot(origin, page, player, index + 1, thinkMs, {
    delays: createReconnectDelays(Math.random),
    localAddress: toAddress(index),
    onTable() {
      own.answeredMs ??= performance.now();
      if (own.shownMs !== null) return;
      own.shownMs = performance.now();
      own.gapsMs.push(own.shownMs - own.lostMs);
    },
    onClosed() {
      if (own.shownMs !== null) own.lostMs = performance.now();
      own.shownMs = null;
    },
  });
  const own: ReturningPlayer = {
    robot,
    gameId,
    shownMs: null,
    lostMs: performance.now(),
    gapsMs: [],
    answeredMs: null,
  };
  robot.play(gameId);
  return own;
}

export function forget(players: readonly ReturningPlayer[]): void {
  for (const player of players) Object.assign(player, { gapsMs: [], answeredMs: null });
}

export async function untilShown(players: readonly ReturningPlayer[]): Promise<void> {
  const untilMs = performance.now() + SHOWN_MS_MAX;
  for (;;) {
    const missing = players.filter(({ shownMs }) => shownMs === null).length;
    if (missing === 0) return;
    if (performance.now() > untilMs) throw new Error(`${missing} players of the benchmark did not come back`);
    await sleep(POLL_MS);
  }
}

/** Ends the play. Returns what was acknowledged, lost and never answered. */
export async function countLost(players: readonly ReturningPlayer[], connectionString: string) {
  for (const { robot } of players) robot.rest();
  const countWaiting = (): number => players.filter(({ robot }) => !robot.isAtRest()).length;
  for (const untilMs = performance.now() + REST_MS_MAX; countWaiting() > 0 && performance.now() < untilMs; )
    await sleep(POLL_MS);
  const unanswered = countWaiting();
  for (const { robot } of players) robot.stop();
  const database = openDatabase({ connectionString, log: openLog("error") });
  let [acknowledged, lost] = [0, 0];
  for (const { gameId, robot } of players) {
    acknowledged += robot.acknowledged.size;
    lost += (await findLostMoves(database, gameId, robot.acknowledged)).length;
  }
  await database.close();
  return { acknowledged, lost, unanswered };
}
