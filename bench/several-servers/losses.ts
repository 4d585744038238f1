import { setTimeout as sleep } from "node:timers/promises";
import type { GameId } from "@holo/kernel/ids.ts";
import type { TestNats } from "../../apps/server/src/platform/testing/test-nats.ts";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { audit } from "../servers/arena.ts";
import { query } from "../servers/cluster.ts";
import { countAllowed } from "../servers/processes.ts";
import { quantile } from "../statistics.ts";
import { countLost, forget, seatReturningPlayers, untilShown } from "./returning-players.ts";
import type { ServersOptions, StartTwo } from "./two-servers.ts";

const GAMES = 1_000;
const THINK_MS = 8_000;
/** Until clocks run, which is after two moves each. */
const WARM_UP_MS = 20_000;
const AFTER_KILL_MS = 20_000;
const BETWEEN_MS = 8_000;
const ANSWERED_S_MAX = 5;
const GAP_S_MAX = 1;

/** kill -9 of one server, then a release of both, while the same games go on. */
export async function measureLosses(start: StartTwo, nats: TestNats, options: ServersOptions) {
  const count = countAllowed(2 * (options.games ?? GAMES)) / 2;
  note(`several-servers: ${formatNumber(count)} games for kill -9 and a release`);
  const servers = await start(nats);
  const { connectionString } = servers[0];
  const running = new Set(servers);
  const all = await seatReturningPlayers(running, count, THINK_MS);
  await sleep(WARM_UP_MS);

  const owned = await loadOwnedByFirst(connectionString);
  const concerned = all.filter(({ gameId }) => owned.has(gameId));
  const killedMs = performance.now();
  forget(all);
  running.delete(servers[0]);
  await servers[0].kill();
  await sleep(AFTER_KILL_MS);
  const answeredMs = concerned.map(({ answeredMs }) => (answeredMs ?? Number.POSITIVE_INFINITY) - killedMs);
  await servers[0].start();
  running.add(servers[0]);

  // New visitors would be sent to both: half of the pages are opened again.
  for (const [index, { robot }] of all.entries()) if (index % 4 < 2) robot.reconnect();
  await sleep(BETWEEN_MS);
  await untilShown(all);
  forget(all);
  const stoppedMs: number[] = [];
  for (const server of servers) {
    const stoppingMs = performance.now();
    running.delete(server);
    await server.stop();
    stoppedMs.push(performance.now() - stoppingMs);
    await server.start();
    running.add(server);
    await sleep(BETWEEN_MS);
  }
  const nowMs = performance.now();
  const gapsMs = all.map(({ gapsMs, shownMs, lostMs }) =>
    Math.max(0, ...gapsMs, shownMs === null ? nowMs - lostMs : 0),
  );

  const { acknowledged, lost, unanswered } = await countLost(all, connectionString);
  for (const server of servers) await server.stop();
  audit(connectionString);
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
      what: "commands lost over kill -9 and the release",
      figures: `${formatNumber(acknowledged)} acknowledged; ${lost} of them not in the log once; ${unanswered} unanswered; the audit holds`,
      goal: atMost(lost + unanswered, 0, ""),
    },
    {
      part,
      what: "release of both servers, one after the other: a player's longest time without a table, p99",
      figures: `${spans(gapsMs)}; servers stopped in ${stoppedMs.map(s).join(" and ")} s`,
      goal: atMost(quantile(gapsMs, 0.99) / 1_000, GAP_S_MAX, " s"),
    },
  ] satisfies readonly Finding[];
}

/** Games of the server that started first. */
async function loadOwnedByFirst(connectionString: string): Promise<ReadonlySet<GameId>> {
  const text = "select id from games where owner = (select server_id from servers order by started_at limit 1)";
  return new Set((await query<{ id: GameId }>(connectionString, text)).map(({ id }) => id));
}
