import { setTimeout as sleep } from "node:timers/promises";
import { chess } from "@holo/chess/chess.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import pg from "pg";
import type { TestNats } from "../../apps/server/src/platform/testing/test-nats.ts";
import { audit } from "../evening/evening.ts";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { makeRandomGames } from "../rules/random-games.ts";
import { type Arena, addCoins, type BenchPlayer } from "../servers/arena.ts";
import type { Cluster } from "../servers/cluster.ts";
import { countAllowed } from "../servers/processes.ts";
import { seatGames } from "../servers/seated-games.ts";
import { quantile } from "../statistics.ts";
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
const AFTER_KILL_MS = 20_000;
const BETWEEN_MS = 8_000;
const REST_MS_MAX = 20_000;
const ANSWERED_S_MAX = 5;
const GAP_S_MAX = 1;

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

  const owned = await loadOwnedByFirst(connectionString);
  const concerned = all.filter(({ gameId }) => owned.has(gameId));
  const killedMs = performance.now();
  for (const player of all) player.forget();
  await servers[0].kill();
  await sleep(AFTER_KILL_MS);
  const answeredMs = concerned.map((player) => (player.answeredMs ?? Number.POSITIVE_INFINITY) - killedMs);
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
  const nowMs = performance.now();
  const gapsMs = all.map(({ gapsMs, seatedMs }) => Math.max(0, ...gapsMs, seatedMs === null ? nowMs : 0));

  for (const player of all) player.rest();
  await untilAnswered(all);
  for (const player of all) player.close();
  for (const server of servers) await server.stop();
  audit(connectionString);
  const lost = await countLost(all, connectionString);
  const refused = all.flatMap((player) => player.refused);
  const unanswered = all.filter((player) => player.hasPending()).length;
  for (const text of refused.slice(0, 3)) note(`several-servers: ${text}`);
  const acknowledged = all.reduce((sum, player) => sum + player.acknowledged.size, 0);
  const s = (ms: number): string => formatNumber(ms / 1_000, 2);
  const spans = (values: readonly number[]): string =>
    `p50 ${s(quantile(values, 0.5))} p99 ${s(quantile(values, 0.99))} last ${s(Math.max(...values))} s`;
  const part = "several-servers";
  return [
    {
      part,
      what: "kill -9 of a server: until the players of its games have their table again, p99",
      figures: `${formatNumber(concerned.length)} of ${formatNumber(all.length)} players: ${spans(answeredMs)}`,
      goal: atMost(quantile(answeredMs, 0.99) / 1_000, ANSWERED_S_MAX, " s"),
    },
    {
      part,
      what: "commands lost or refused over kill -9 and the release",
      figures: `${formatNumber(acknowledged)} acknowledged; ${lost} of them not in the log once; ${refused.length} refused; ${unanswered} unanswered; the audit holds`,
      goal: atMost(lost + refused.length + unanswered, 0, ""),
    },
    {
      part,
      what: "release of both servers, one after the other: a player's longest time without a table, p99",
      figures: `${spans(gapsMs)}; servers stopped in ${stoppedMs.map(s).join(" and ")} s`,
      goal: atMost(quantile(gapsMs, 0.99) / 1_000, GAP_S_MAX, " s"),
    },
  ];
}

/** Games of the server that started first. */
async function loadOwnedByFirst(connectionString: string): Promise<ReadonlySet<GameId>> {
  const rows = await query<{ id: GameId }>(
    connectionString,
    "select id from games where owner = (select server_id from servers order by started_at limit 1)",
  );
  return new Set(rows.map(({ id }) => id));
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

/** Acknowledged commands that the log does not contain exactly once, at their version. */
async function countLost(all: readonly LastingPlayer[], connectionString: string): Promise<number> {
  const versions = new Map<string, number[]>();
  for (const { id, version } of await query<{ id: string | null; version: number }>(
    connectionString,
    "select record::jsonb ->> 'commandId' as id, version from game_log",
  ))
    if (id !== null) versions.set(id, [...(versions.get(id) ?? []), version]);
  return all
    .flatMap(({ acknowledged }) => [...acknowledged])
    .filter(([commandId, version]) => {
      const stored = versions.get(commandId) ?? [];
      return stored.length !== 1 || stored[0] !== version;
    }).length;
}

async function query<Row extends object>(connectionString: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}
