import { setTimeout as sleep } from "node:timers/promises";
import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { openFloor } from "./duel/duel.ts";
import { makeRandomGames } from "./random-games.ts";
import { atMost, type Finding, formatNumber, note } from "./report.ts";
import { connectAll, startArena } from "./servers/arena.ts";
import { query, startCluster } from "./servers/cluster.ts";
import { makeEndingGames, openPairs, type Pairs } from "./servers/pairs.ts";
import { listProcessTree, pinLoadGenerator, readCpuMs } from "./servers/processes.ts";
import { quantile } from "./statistics.ts";

const PAIRS = 200;
const COINS = 1_000_000;
const MOVES_PER_S = 500;
const ROUND_S = 10;
const WARM_UP_MS = 3_000;
/** More than a round's time suffices for. */
const GAMES_PER_ROUND = 4_000;
const POSITIONS = 2_000;
const EXTRAPOLATED = 100_000;
const MINUTES_MAX = 10;
const P99_MS_MAX = 2;
/** On a machine with other work, where the server seems busy. */
const SCREENED_MS_MAX = 60_000;
const POLL_MS = 100;
const MODES = ["floor A", "quiet", "screening"] as const;
type Mode = (typeof MODES)[number];

/** Moves without and with a screening of ended games, in turns beside a floor in memory. */
export async function benchScreening(seconds: number, profileDir?: string): Promise<readonly Finding[]> {
  const rounds = Math.max(2, Math.ceil(seconds / ROUND_S));
  note(`screening: ${MOVES_PER_S} moves/s, ${rounds} rounds of ${ROUND_S} s each, with and without`);
  const samples = makeEndingGames();
  const cluster = await startCluster();
  pinLoadGenerator();
  const arena = await startArena(cluster, { profileDir });
  const { connectionString } = arena;
  const sockets = await connectAll(() => arena, await arena.makePlayers(2 * PAIRS, COINS));
  const own = openPairs(sockets, samples);
  const floor = await openFloor("floor A", null, samples, cluster, profileDir);
  await addGames(connectionString, rounds * GAMES_PER_ROUND + POSITIONS);

  const seenMs: Record<Mode, number[]> = { "floor A": [], quiet: [], screening: [] };
  let screened = 0;
  const measure = async (mode: Mode, pairs: Pairs): Promise<void> => {
    if (mode === "screening") await release(connectionString, GAMES_PER_ROUND);
    const played = await pairs.play({ type: "open", movesPerS: MOVES_PER_S }, WARM_UP_MS, async () => {
      const before = await countScreened(connectionString);
      await sleep(ROUND_S * 1_000);
      return (await countScreened(connectionString)) - before;
    });
    if (mode === "screening") screened += played.usage;
    seenMs[mode].push(...played.seenMs);
    await hold(connectionString);
  };
  for (let round = 0; round < rounds; round += 1)
    for (const mode of MODES) await measure(mode, mode === "floor A" ? floor.pairs : own);

  const child = listProcessTree(arena.pid()).filter((pid) => pid !== arena.pid());
  const cpuBefore = sum(readCpuMs(child));
  const before = await countScreened(connectionString);
  const startedMs = performance.now();
  await release(connectionString, POSITIONS);
  const since = async (): Promise<number> => (await countScreened(connectionString)) - before;
  while ((await since()) < POSITIONS && performance.now() < startedMs + SCREENED_MS_MAX) await sleep(POLL_MS);
  const takenMs = performance.now() - startedMs;
  const done = await since();
  const cpuMs = sum(readCpuMs(child)) - cpuBefore;
  await floor.stop();
  for (const socket of sockets) socket.terminate();
  await arena.stop();
  await cluster.stop();

  const part = "screening";
  const format = (ms: readonly number[]): string =>
    `${[0.5, 0.95, 0.99].map((q) => `p${q * 100} ${formatNumber(quantile(ms, q), 1)}`).join(", ")} (${ms.length} moves)`;
  const later = quantile(seenMs.screening, 0.99) - quantile(seenMs.quiet, 0.99);
  const toMinutes = (ms: number): number => (ms / done / 60_000) * EXTRAPOLATED;
  return [
    { part, what: "a move until seen, ms, at a floor in memory", figures: format(seenMs["floor A"]) },
    { part, what: "a move until seen, ms, nothing to screen", figures: format(seenMs.quiet) },
    {
      part,
      what: "a move until seen, ms, while games are screened",
      figures: `${format(seenMs.screening)}; ${formatNumber(screened / rounds / ROUND_S, 1)} games/s screened; p99 later by`,
      goal: atMost(later, P99_MS_MAX, " ms"),
    },
    {
      part,
      what: `${formatNumber(EXTRAPOLATED)} last positions, minutes of one core`,
      figures: `${formatNumber(cpuMs / done, 2)} ms each of ${done}; at half a core ${formatNumber(toMinutes(takenMs), 1)} minutes`,
      goal: atMost(toMinutes(cpuMs), MINUTES_MAX, " min"),
    },
  ];
}

function sum(times: ReadonlyMap<number, number>): number {
  return [...times.values()].reduce((total, ms) => total + ms, 0);
}

function listBoards<Position>(rules: GameRules<Position>, count: number): readonly string[] {
  const games = makeRandomGames(rules, { count, plies: 40, orShorter: false, seed: 49 });
  return games.map((moves, index) => {
    const played = moves.slice(0, 8 + (index % 30));
    return rules.formatPosition(
      played.reduce((position, { path, promotion }) => {
        const next = rules.play(position, path, promotion);
        if (!next.ok) throw new Error("a played move is legal");
        return next.value.position;
      }, rules.start()),
    );
  });
}

/** Resigned games of no one, half of each kind, held back; none of them is sampled. */
async function addGames(connectionString: string, count: number): Promise<void> {
  const boards = [
    ...listBoards(chess, 500).map((board) => ({ game: "chess", board })),
    ...listBoards(checkers, 500).map((board) => ({ game: "checkers", board })),
  ];
  await query(
    connectionString,
    `with board as (
       select * from jsonb_to_recordset('${JSON.stringify(boards)}') as t (game text, board text)
     ), numbered as (
       select game, board, row_number() over () - 1 as number from board
     ), made as materialized (
       select (left(gen_random_uuid()::text, 35) || '1')::uuid as id, game, board from generate_series(0, ${count - 1}) nth
       join numbered on number = nth * 7919 % 1000
     ), logged as (
       insert into game_log (game_id, version, format, record, at, hash, board_state, move_count, player1_captures, player2_captures,
         player1_remaining_ms, player2_remaining_ms)
       select id, 6, 1, '{}', 1000, repeat('0', 64), board, 8, 0, 0, 1, 1 from made)
     insert into games (id, game_type, status, player1_id, player2_id, stake_amount, fee_bps, platform_fee, time_limit, winner_id,
       end_reason, created_at, started_at, completed_at)
     select id, game, 'completed', 'white', 'black', 1, 740, 0, 300, 'white', 'resignation', 1, 1, 1 from made`,
  );
  await hold(connectionString);
  await query(connectionString, "vacuum analyze game_screenings, games, game_log");
}

async function hold(connectionString: string): Promise<void> {
  await query(
    connectionString,
    `update game_screenings set claimed_until = ${Number.MAX_SAFE_INTEGER} where at is null`,
  );
}

async function release(connectionString: string, count: number): Promise<void> {
  await query(
    connectionString,
    `update game_screenings set claimed_until = null
     where game_id in (select game_id from game_screenings where at is null limit ${count})`,
  );
}

async function countScreened(connectionString: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    connectionString,
    "select count(*)::int as count from game_screenings where at is not null and final_score is not null",
  );
  return row!.count;
}
