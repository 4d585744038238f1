import { setTimeout as sleep } from "node:timers/promises";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { audit, startArena } from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import { countAllowed, pinLoadGenerator, readResidentBytes } from "../servers/processes.ts";
import { measureUsage } from "../servers/usage.ts";
import { quantile } from "../statistics.ts";
import { countLost, seatReturningPlayers, untilShown } from "./returning-players.ts";

const PLAYERS = 10_000;
const THINK_MS = 40_000;
/** Clocks run, after two moves each. */
const WARM_UP_MS = 60_000;
const SHOWN_S_MAX = 15;

/** All players of one server return to their games after kill -9. */
export async function benchReconnect(size = PLAYERS, profileDir?: string): Promise<readonly Finding[]> {
  const count = countAllowed(size);
  note(`reconnect: ${formatNumber(count)} players in ${formatNumber(count / 2)} games`);
  const cluster = await startCluster();
  pinLoadGenerator();
  const arena = await startArena(cluster, { profileDir });
  const idleBytes = readResidentBytes(arena.pid());
  const players = await seatReturningPlayers(new Set([arena]), count / 2, THINK_MS);
  await sleep(WARM_UP_MS);
  const seatedBytes = readResidentBytes(arena.pid());
  await arena.kill();
  const startedMs = performance.now();
  await arena.start();
  const startMs = performance.now() - startedMs;
  const usage = await measureUsage(() => [arena.pid()], cluster.pids, untilShown(players));
  const shownMs = players.map((player) => player.shownMs! - startedMs);
  const { acknowledged, lost, unanswered } = await countLost(players, arena.connectionString);
  await arena.stop();
  audit(arena.connectionString);
  await cluster.stop();
  const s = (ms: number): string => formatNumber(ms / 1_000, 1);
  return [
    {
      part: "reconnect",
      what: `${formatNumber(count)} players seated again after kill -9, s since the restart`,
      figures: [
        `starts in ${s(startMs)} s`,
        `seated p50 ${s(quantile(shownMs, 0.5))} s, last ${s(Math.max(...shownMs))} s`,
        `${formatNumber(usage.cpuMs / count, 2)} ms CPU each`,
        `peak ${formatNumber(usage.peakBytes / 1_048_576)} MB`,
        `before ${formatNumber((seatedBytes - idleBytes) / count / 1_024)} KB each`,
      ].join(", "),
      goal: atMost(Math.max(...shownMs) / 1_000, SHOWN_S_MAX, " s"),
    },
    {
      part: "reconnect",
      what: "commands lost",
      figures: `${formatNumber(acknowledged)} acknowledged; ${lost} of them not in the log once; ${unanswered} unanswered; the audit holds`,
      goal: atMost(lost + unanswered, 0, ""),
    },
  ];
}
