import { type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import { sql } from "kysely";
import type { TestPlayer } from "../accounts/testing/test-players.ts";
import type { Database } from "../platform/database/database.ts";
import { isOver, type Robot, startRobot } from "../transport/testing/robot.ts";
import { until } from "./server-process.ts";

export interface Pair {
  readonly robots: readonly [Robot, Robot];
  readonly gameId: GameId;
}

type Stake = Extract<ClientFrame, { readonly type: "create" }>["stake"];

interface Place {
  readonly origin: () => string;
  readonly page: string;
}

/** `index` differs between the pairs of a test. */
export async function beginGame(
  { origin, page }: Place,
  players: readonly [TestPlayer, TestPlayer],
  index: number,
  stake: Stake = 1,
): Promise<Pair> {
  const robots = players.map((player, seat) => startRobot(origin, page, player, 7_919 * (index + 1) + seat)) as [
    Robot,
    Robot,
  ];
  const created = await robots[0].send({
    type: "create",
    sentAgoMs: 0,
    byInvitation: false,
    commandId: toCommandId(`create-${index}-game`),
    game: "checkers",
    stake,
    limitMinutes: 10,
    feeBps: 740,
  });
  if (created.type !== "done") throw new Error(JSON.stringify(created));
  const joined = await robots[1].send({
    type: "join",
    sentAgoMs: 0,
    commandId: toCommandId(`join-${index}-game`),
    gameId: created.gameId,
  });
  if (joined.type !== "done") throw new Error(JSON.stringify(joined));
  for (const robot of robots) robot.play(created.gameId);
  return { robots, gameId: created.gameId };
}

interface Series {
  /** All games so far. */
  readonly pairs: readonly Pair[];
  /** Resolves once no robot is left, which a server that never answers prevents. */
  stop(): Promise<void>;
}

const GAME_MS_MAX = 600_000;

/**
 * One game after the other. `index` is that of the first game. Series at the same time need
 * different stakes, because equal matches are joined with each other.
 */
export function playSeries(
  place: Place,
  [first, second]: readonly [TestPlayer, TestPlayer],
  index: number,
  stake: Stake,
): Series {
  const pairs: Pair[] = [];
  let isStopped = false;
  const ended = (async () => {
    for (let next = index; !isStopped; next += 1) {
      const pair = await beginGame(place, next % 2 === 0 ? [first, second] : [second, first], next, stake);
      pairs.push(pair);
      await until(() => isStopped || pair.robots.some(isOver), GAME_MS_MAX);
      for (const robot of pair.robots) robot.stop();
    }
  })();
  return {
    pairs,
    stop() {
      isStopped = true;
      for (const robot of pairs.flatMap(({ robots }) => robots)) robot.stop();
      return ended;
    },
  };
}

export function countMoves(pairs: readonly Pair[]): number {
  return pairs.reduce((sum, { robots }) => sum + robots[0].acknowledged.size + robots[1].acknowledged.size, 0);
}

/** Acknowledged moves that the log does not contain exactly once, at their versions. */
export async function findLostMoves(
  database: Pick<Database, "kysely">,
  gameId: GameId,
  acknowledged: Iterable<readonly [commandId: string, version: number]>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ version: number; record: string }>`
    select version, record from game_log where game_id = ${gameId} order by version`.execute(database.kysely);
  const versions = Map.groupBy(rows, ({ record }) => (JSON.parse(record) as { commandId?: string }).commandId ?? "");
  return [...acknowledged].flatMap(([commandId, version]) => {
    const found = versions.get(commandId) ?? [];
    return found.length === 1 && found[0]?.version === version
      ? []
      : [`${commandId} at ${version}: ${found.length} times`];
  });
}
