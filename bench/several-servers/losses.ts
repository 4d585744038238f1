import { setTimeout as sleep } from "node:timers/promises";
import { chess } from "@holo/chess/chess.ts";
import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import pg from "pg";
import type { TestNats } from "../../apps/server/src/platform/testing/test-nats.ts";
import { countAllowed } from "../connections/connections.ts";
import { seatGames } from "../duel/duel.ts";
import { audit } from "../evening/evening.ts";
import { atLeast, atMost, type Finding, formatNumber, note } from "../report.ts";
import { makeRandomGames } from "../rules/random-games.ts";
import { type Arena, addCoins, type BenchPlayer } from "../servers/arena.ts";
import type { Cluster } from "../servers/cluster.ts";
import { certainExcess, quantile } from "../statistics.ts";
import { type LastingPlayer, startLastingPlayer } from "./lasting-player.ts";
import { PUBLIC_URL, startBoth, startOneOf } from "./one-of-two.ts";

const GAMES = 1_000;
const PLIES = 120;
/** A pair of sockets for each game would need two addresses' ports at once. */
const SEATED_AT_ONCE = 100;
const SAMPLES = 50;
const THINK_MS_MIN = 2_000;
const THINK_MS_MAX = 6_000;
const PLAYERS_PER_ADDRESS = 250;
/** Until clocks run, which is after two moves each. */
const WARM_UP_MS = 20_000;
/** Until the outage is stored, credited and played on. */
const AFTER_KILL_MS = 20_000;
const BETWEEN_MS = 8_000;
const REST_MS_MAX = 20_000;
const SEATED_WITHIN_MS = 3_000;
const SEATED_SHARE_MIN = 99;
const GAP_S_MAX = 2;

interface LossesOptions {
  readonly cluster: Cluster;
  readonly nats: TestNats;
  readonly games: number | undefined;
  readonly profileDir: string | undefined;
}

/** kill -9 of one server, then a release of both, while the same games go on. */
export async function measureLosses(options: LossesOptions): Promise<readonly Finding[]> {
  const { cluster, nats, profileDir } = options;
  const wanted = options.games ?? GAMES;
  const count = Math.min(wanted, countAllowed(2 * wanted) / 2);
  if (count < wanted) note("several-servers: the limit of open files allows no more (ulimit -n)");
  note(
    `several-servers: ${formatNumber(count)} games with ${formatNumber(2 * count)} players for kill -9 and a release`,
  );
  const connectionString = await cluster.makeDatabase("losses");
  const natsUrl = nats.url;
  const servers = [...(await startBoth(connectionString, [natsUrl, natsUrl], profileDir))] as [Arena, Arena];
  const ports = [servers[0].port, servers[1].port] as const;
  const players = await servers[0].makePlayers(2 * count);
  await addCoins(connectionString, players);
  const all = await startGames(servers, ports, players);
  await sleep(WARM_UP_MS);

  const onKilled = all.filter(({ server }) => server === 0);
  const killedAt = Date.now();
  const killedMs = performance.now();
  for (const player of all) player.forget();
  await servers[0].kill();
  await sleep(AFTER_KILL_MS);
  const seatedMs = onKilled.map((player) => (player.seatedMs ?? Number.POSITIVE_INFINITY) - killedMs);
  const isLate = onKilled.filter((player) => player.seatedMs === null).length;
  const restart = (index: 0 | 1) => startOneOf(connectionString, index, { natsUrl, port: ports[index], profileDir });
  servers[0] = await restart(0);

  await spread(all);
  for (const player of all) player.forget();
  const stoppedMs: number[] = [];
  for (const index of [0, 1] as const) {
    const stoppingMs = performance.now();
    await servers[index].stop();
    stoppedMs.push(performance.now() - stoppingMs);
    servers[index] = await restart(index);
    await sleep(BETWEEN_MS);
  }
  const gapsMs = toGapsOfGames(all);

  for (const player of all) player.rest();
  await untilAnswered(all);
  for (const player of all) player.close();
  for (const server of servers) await server.stop();
  const log = await loadLog(connectionString);
  audit(connectionString);
  const lost = countLost(all, log);
  const turns = all.flatMap((player) => findChargedTurns(player, log, killedAt));
  const charged = turns.filter(({ isConcerned }) => isConcerned).map(({ ms }) => ms);
  const others = turns.filter(({ isConcerned }) => !isConcerned).map(({ ms }) => ms);
  const refused = all.flatMap((player) => player.refused);
  const unanswered = all.filter((player) => player.hasPending()).length;
  for (const text of refused.slice(0, 3)) note(`several-servers: ${text}`);
  const acknowledged = all.reduce((sum, player) => sum + player.acknowledged.size, 0);
  const within = seatedMs.filter((ms) => ms <= SEATED_WITHIN_MS).length;
  const s = (ms: number): string => formatNumber(ms / 1_000, 2);
  const ms = (values: readonly number[]): string =>
    `p50 ${formatNumber(quantile(values, 0.5))} p99 ${formatNumber(quantile(values, 0.99))} most ${formatNumber(Math.max(...values))} ms`;
  const part = "several-servers";
  return [
    {
      part,
      what: `kill -9 of a server with ${formatNumber(onKilled.length)} of ${formatNumber(all.length)} players: seated on the other within 3 s`,
      figures: `p50 ${s(quantile(seatedMs, 0.5))} p99 ${s(quantile(seatedMs, 0.99))} last ${s(Math.max(...seatedMs))} s${isLate > 0 ? `; ${isLate} never` : ""}`,
      goal: atLeast((within * 100) / onKilled.length, SEATED_SHARE_MIN, " %"),
    },
    {
      part,
      what: "charged above the time of thought in turns that kill -9 concerned, p99 above that of other turns, ms",
      figures: `${formatNumber(charged.length)} turns interrupted or credited: ${ms(charged)}; ${formatNumber(others.length)} others: ${ms(others)}; the goal counts what exceeds chance`,
      goal: atMost(certainExcess(charged, others, 0.99), 0, " ms"),
    },
    {
      part,
      what: "commands lost or refused over kill -9 and the release",
      figures: `${formatNumber(acknowledged)} acknowledged; ${lost} of them not in the log once; ${refused.length} refused; ${unanswered} unanswered; the audit holds`,
      goal: atMost(lost + refused.length + unanswered, 0, ""),
    },
    {
      part,
      what: "release of both servers, one after the other: interruption of a game, p99, s",
      figures: `p50 ${s(quantile(gapsMs, 0.5))} p99 ${s(quantile(gapsMs, 0.99))} most ${s(Math.max(...gapsMs))} s; servers stopped in ${stoppedMs.map(s).join(" and ")} s`,
      goal: atMost(quantile(gapsMs, 0.99) / 1_000, GAP_S_MAX, " s"),
    },
  ];
}

/** Seats all players on random servers; each begins to play at once. */
async function startGames(
  servers: readonly Arena[],
  ports: readonly [number, number],
  players: readonly BenchPlayer[],
): Promise<readonly LastingPlayer[]> {
  const samples = makeRandomGames(chess, { count: SAMPLES, plies: PLIES, orShorter: false, seed: 5 });
  const drawThinkMs = () => THINK_MS_MIN + Math.random() * (THINK_MS_MAX - THINK_MS_MIN);
  const all: LastingPlayer[] = [];
  for (let from = 0; from < players.length; from += 2 * SEATED_AT_ONCE) {
    const part = players.slice(from, from + 2 * SEATED_AT_ONCE);
    const sockets = await Promise.all(part.map((player) => servers[0]!.connect(player)));
    const games = part.filter((_, i) => i % 2 === 0).map((_, i) => samples[(from / 2 + i) % SAMPLES]!);
    for (const [i, { gameId, moves }] of (await seatGames(sockets, games)).entries()) {
      for (const seat of [1, 2] as const) {
        const index = from + 2 * i + seat - 1;
        const address = Math.floor(index / PLAYERS_PER_ADDRESS);
        const localAddress = `127.0.3.${1 + address}`;
        const player = players[index]!;
        all.push(
          startLastingPlayer({ player, origin: PUBLIC_URL, ports, localAddress, gameId, seat, moves, drawThinkMs }),
        );
      }
    }
    for (const socket of sockets) socket.close();
  }
  await untilSeated(all);
  return all;
}

/** After a restart no player is on the new server: a proxy would send new visitors to both. */
async function spread(all: readonly LastingPlayer[]): Promise<void> {
  for (const player of all) {
    player.reconnect();
    if (Math.random() < 0.02) await sleep(50);
  }
  await sleep(BETWEEN_MS);
  await untilSeated(all);
}

async function untilSeated(all: readonly LastingPlayer[]): Promise<void> {
  const untilMs = performance.now() + 6 * REST_MS_MAX;
  while (all.some(({ seatedMs }) => seatedMs === null)) {
    if (performance.now() > untilMs) throw new Error("players of the benchmark did not get their tables");
    await sleep(50);
  }
}

async function untilAnswered(all: readonly LastingPlayer[]): Promise<void> {
  const untilMs = performance.now() + REST_MS_MAX;
  while (all.some((player) => player.hasPending()) && performance.now() < untilMs) await sleep(50);
}

/** The longest time in which one of a game's players had no table. */
function toGapsOfGames(all: readonly LastingPlayer[]): readonly number[] {
  const nowMs = performance.now();
  const longest = new Map<GameId, number>();
  for (const { gameId, gapsMs, seatedMs } of all) {
    if (seatedMs === null) longest.set(gameId, nowMs);
    longest.set(gameId, Math.max(longest.get(gameId) ?? 0, ...gapsMs));
  }
  return [...longest.values()];
}

type StoredLog = ReadonlyMap<GameId, readonly LogRecord[]>;

async function loadLog(connectionString: string): Promise<StoredLog> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ game_id: GameId; record: string }>(
    "select game_id, record from game_log order by game_id, version",
  );
  await client.end();
  const log = new Map<GameId, LogRecord[]>();
  for (const { game_id: gameId, record } of rows) {
    const records = log.get(gameId) ?? [];
    log.set(gameId, records);
    records.push(JSON.parse(record));
  }
  return log;
}

/** Acknowledged commands that the log does not contain exactly once, at their version. */
function countLost(all: readonly LastingPlayer[], log: StoredLog): number {
  const versions = new Map<CommandId, number[]>();
  for (const { commandId, version } of [...log.values()].flat()) {
    if (commandId !== undefined) versions.set(commandId, [...(versions.get(commandId) ?? []), version]);
  }
  return all
    .flatMap(({ acknowledged }) => [...acknowledged])
    .filter(([commandId, version]) => {
      const stored = versions.get(commandId) ?? [];
      return stored.length !== 1 || stored[0] !== version;
    }).length;
}

interface ChargedTurn {
  /** Charged above the time of thought. */
  readonly ms: number;
  /** The player had no server for a while, or the outage was credited during the turn. */
  readonly isConcerned: boolean;
}

/** The player's turns that ended within the time after the kill. A bonus is not counted. */
function findChargedTurns(player: LastingPlayer, log: StoredLog, killedAt: number): readonly ChargedTurn[] {
  const { gameId, seat, thoughtMs, interrupted } = player;
  const turns: ChargedTurn[] = [];
  let remainingMs: number | null = null;
  /** What credits of the running turn have charged already. */
  let creditedMs = 0;
  let isCredited = false;
  for (const { at, by, commandId, events } of log.get(gameId) ?? []) {
    const isCounted = at >= killedAt && at < killedAt + AFTER_KILL_MS;
    for (const event of events) {
      if (event.type !== "clock_credited" && event.type !== "moved") continue;
      const after = ofSeat(event.remainingMs, seat);
      const lostMs = (remainingMs ?? after) - after;
      remainingMs = after;
      if (event.type === "clock_credited") {
        creditedMs += lostMs + event.bonusMs;
        isCredited = true;
        continue;
      }
      const thought = commandId === undefined ? undefined : thoughtMs.get(commandId);
      if (by === seat && isCounted && commandId !== undefined && thought !== undefined)
        turns.push({ ms: creditedMs + lostMs - thought, isConcerned: isCredited || interrupted.has(commandId) });
      creditedMs = 0;
      isCredited = false;
    }
  }
  return turns;
}
