import { fileURLToPath } from "node:url";
import { assert } from "@holo/kernel/assert.ts";
import { LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import pg from "pg";
import { atLeast, atMost, type Finding, formatNumber, note } from "../report.ts";
import { type Arena, addCoins, startArena } from "../servers/arena.ts";
import { type Cluster, startCluster } from "../servers/cluster.ts";
import {
  isPinned,
  pinLoadGenerator,
  readCpuMs,
  readServerCoreMs,
  startOnServerCore,
  stopProcess,
  toCpuMs,
  waitForMessage,
} from "../servers/processes.ts";
import { median, quantile } from "../statistics.ts";
import { openSeekers, type Seekers, type SeekerTerms } from "./seekers.ts";
import type { LifecycleRound } from "./shortest-game.ts";

const SEEKERS = 64;
const ROUNDS = 3;
const ROUND_SECONDS = 5;
const WARM_UP_MS = 2_000;
const COINS = 1_000_000;
const TERMS: readonly SeekerTerms[] = STAKES.flatMap((stake) =>
  LIMIT_MINUTES.map((limitMinutes) => ({ stake, limitMinutes })),
);
const FLOOR_FILE = fileURLToPath(new URL("bare-games.ts", import.meta.url));

const CPU_MS_MAX = 3;
const GAMES_PER_S_MIN = 300;
const CREATE_P99_MS_MAX = { spread: 60, same: 100 } as const;

type Spread = keyof typeof CREATE_P99_MS_MAX;

interface Round {
  readonly gamesPerS: number;
  readonly cpuMs: number;
  /** Without PostgreSQL. */
  readonly ownCpuMs: number;
  readonly createP50Ms: number;
  readonly createP99Ms: number;
  readonly otherProcessesShare: number;
  readonly loadGeneratorShare: number;
}

/** Whole games without play, compared with bare statements that write the same rows. */
export async function benchLifecycle(profileDir?: string): Promise<readonly Finding[]> {
  note(
    `lifecycle: ${SEEKERS} seekers, ${ROUNDS} rounds of ${ROUND_SECONDS} s on ${TERMS.length} terms and on the same`,
  );
  if (!isPinned()) note("lifecycle: this machine cannot keep server and load apart: compare with care");
  const cluster = await startCluster();
  pinLoadGenerator();
  const floorDatabase = await cluster.makeDatabase("floor");
  const arena = await startArena(cluster, "arena", profileDir);
  const rounds: Record<Spread, Round[]> = { spread: [], same: [] };
  const floors: Round[] = [];
  const seekers = { spread: await openPlayers(arena, "spread"), same: await openPlayers(arena, "same") };
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(await measureFloor(cluster, floorDatabase));
    for (const spread of ["spread", "same"] as const) {
      rounds[spread].push(await measureArena(arena, cluster, seekers[spread]));
    }
  }
  await assertSettled(arena);
  await arena.stop();
  await cluster.stop();
  return toFindings(rounds, floors);
}

async function openPlayers(arena: Arena, spread: Spread): Promise<Seekers> {
  const players = await arena.makePlayers(SEEKERS, spread);
  await addCoins(arena.connectionString, players, COINS);
  const sockets = await Promise.all(players.map((player) => arena.connect(player)));
  return openSeekers(sockets, (index) => TERMS[spread === "same" ? 0 : index % TERMS.length]!);
}

async function measureArena(arena: Arena, cluster: Cluster, seekers: Seekers): Promise<Round> {
  const pids = [arena.pid, ...cluster.pids()];
  let begun = { ofEach: readCpuMs(pids), coreMs: readServerCoreMs() };
  let ended = begun;
  const sought = await seekers.play(WARM_UP_MS, ROUND_SECONDS * 1_000, {
    begin: () => {
      begun = { ofEach: readCpuMs(pids), coreMs: readServerCoreMs() };
    },
    end: () => {
      ended = { ofEach: readCpuMs(pids), coreMs: readServerCoreMs() };
    },
  });
  const cpuMs = toCpuMs(begun.ofEach, ended.ofEach);
  return {
    gamesPerS: sought.games / sought.seconds,
    cpuMs: cpuMs / sought.games,
    ownCpuMs: toCpuMs(begun.ofEach, ended.ofEach, arena.pid) / sought.games,
    createP50Ms: quantile(sought.createMs, 0.5),
    createP99Ms: quantile(sought.createMs, 0.99),
    otherProcessesShare: Math.max(0, ended.coreMs - begun.coreMs - cpuMs) / (sought.seconds * 1_000),
    loadGeneratorShare: sought.loadGeneratorShare,
  };
}

async function measureFloor(cluster: Cluster, connectionString: string): Promise<Round> {
  const child = startOnServerCore(FLOOR_FILE, { args: [connectionString, String(ROUND_SECONDS)] });
  await waitForMessage(child);
  const pids = [child.pid!, ...cluster.pids()];
  const [before, coreBefore] = [readCpuMs(pids), readServerCoreMs()];
  const { games, seconds } = (await waitForMessage(child)) as LifecycleRound;
  const [after, coreAfter] = [readCpuMs(pids), readServerCoreMs()];
  await stopProcess(child);
  const cpuMs = toCpuMs(before, after);
  return {
    gamesPerS: games / seconds,
    cpuMs: cpuMs / games,
    ownCpuMs: toCpuMs(before, after, child.pid!) / games,
    createP50Ms: Number.NaN,
    createP99Ms: Number.NaN,
    otherProcessesShare: Math.max(0, coreAfter - coreBefore - cpuMs) / (seconds * 1_000),
    loadGeneratorShare: 0,
  };
}

async function assertSettled({ connectionString }: Arena): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(
    `select (select count(*)::int from games where status = 'completed') as ended,
       (select count(*)::int from ledger_entries where kind = 'win') as won,
       (select sum(amount)::bigint::text from ledger_postings) as total`,
  );
  await client.end();
  const { ended, won, total } = rows[0] as { readonly ended: number; readonly won: number; readonly total: string };
  assert(
    ended > 0 && ended === won && total === "0",
    `${ended} games ended, ${won} were won, the postings sum to ${total}`,
  );
}

function toFindings(rounds: Record<Spread, readonly Round[]>, floors: readonly Round[]): readonly Finding[] {
  const part = "lifecycle";
  const middle = (of: readonly Round[], figure: keyof Round): number => median(of.map((round) => round[figure]));
  const toFigures = (of: readonly Round[]): string =>
    [
      `${formatNumber(middle(of, "gamesPerS"))} games/s`,
      `CPU ${formatNumber(middle(of, "cpuMs"), 2)} ms a game (server ${formatNumber(middle(of, "ownCpuMs"), 2)})`,
      ...(Number.isNaN(middle(of, "createP50Ms"))
        ? []
        : [`create p50 ${formatNumber(middle(of, "createP50Ms"))} p99 ${formatNumber(middle(of, "createP99Ms"))} ms`]),
      `load ${formatNumber(middle(of, "loadGeneratorShare") * 100)} %, others ${formatNumber(middle(of, "otherProcessesShare") * 100)} %`,
    ].join("; ");
  const names = { spread: `${SEEKERS} seekers on ${TERMS.length} terms`, same: `${SEEKERS} seekers on the same terms` };
  const { spread, same } = rounds;
  const figures = `${formatNumber(middle(spread, "cpuMs") / middle(floors, "cpuMs"), 2)}x the floor`;
  return [
    { part, what: "floor: bare statements of the same rows", figures: toFigures(floors) },
    { part, what: names.spread, figures: toFigures(spread) },
    { part, what: names.same, figures: toFigures(same) },
    { part, what: "CPU of a game", figures, goal: atMost(middle(spread, "cpuMs"), CPU_MS_MAX, " ms") },
    { part, what: "games/s", figures: "", goal: atLeast(middle(spread, "gamesPerS"), GAMES_PER_S_MIN, "/s") },
    ...(["spread", "same"] as const).map((name) => ({
      part,
      what: `create, p99, ${names[name]}`,
      figures: "",
      goal: atMost(middle(rounds[name], "createP99Ms"), CREATE_P99_MS_MAX[name], " ms"),
    })),
  ];
}
