import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { MaintenanceSwitch, Settings } from "../admin/admin.ts";
import type { Arena } from "../arena/arena.ts";
import { openLostServers } from "../platform/servers/lost-servers.ts";
import type { Platform } from "./platform.ts";

type RefreshTimerDeps = Pick<
  Platform,
  "bus" | "servers" | "database" | "time" | "wheel" | "log" | "metrics" | "serverId"
>;

interface RefreshedModules {
  readonly arena: Pick<Arena, "catchUp" | "resync">;
  readonly settings: Pick<Settings, "refresh">;
  readonly maintenance: Pick<MaintenanceSwitch, "refresh">;
}

const REFRESH_EVERY_MS = SECOND_MS;
/** After missed messages. Bounds the queries while a busy server misses some all the time. */
const REFRESH_SOON_MS = SECOND_MS / 4;

/**
 * With several servers: reads every second what others have done, and soon after messages were
 * missed. Messages only make it faster. Returns the function that stops it.
 */
export function startRefreshTimer(deps: RefreshTimerDeps, modules: RefreshedModules): () => void {
  const { bus, servers, database, time, wheel, log, metrics, serverId } = deps;
  const { arena, settings, maintenance } = modules;
  let others = 0;
  metrics.gauge("holo_servers", "Servers that serve on this database, this one included", () => others + 1);
  if (!servers.isShared) return () => undefined;
  const lost = openLostServers({ pool: database.pool, time, log, servers, serverId });
  let isStopped = false;
  let isMissed = true;
  let isUnsettled = false;
  let isRunning = false;
  let endedMs = time.monotonicMs();
  let cancel = schedule(false);

  servers.onMissed(() => {
    if (isMissed) return;
    isMissed = true;
    if (isRunning || isStopped) return;
    cancel();
    cancel = schedule(true);
  });
  const refresh = (): Promise<unknown> => Promise.all([settings.refresh(), maintenance.refresh()]);
  bus.subscribe("switches_changed", () => {
    refresh().catch((err) => log.warn({ err }, "the settings could not be reloaded"));
  });

  function schedule(isSoon: boolean): () => void {
    return wheel.schedule(endedMs + (isSoon ? REFRESH_SOON_MS : REFRESH_EVERY_MS), run);
  }

  async function catchUp(): Promise<void> {
    // Asked first: a server out of contact has announced nothing since.
    const found = await lost.check();
    others = found.others;
    const isBehind = isMissed || found.isOneOutOfContact || !servers.isConnected;
    isMissed = false;
    if (isBehind) bus.publishHere("sessions_ended", { playerId: null });
    try {
      const resync = isBehind || isUnsettled ? arena.resync() : false;
      [isUnsettled] = await Promise.all([resync, refresh(), arena.catchUp()]);
    } catch (err) {
      isMissed ||= isBehind;
      throw err;
    }
  }

  function run(): void {
    isRunning = true;
    catchUp()
      .then(
        () => isMissed,
        (err) => {
          log.warn({ err }, "changes made by other servers could not be loaded");
          return false;
        },
      )
      .then((isSoon) => {
        isRunning = false;
        endedMs = time.monotonicMs();
        if (!isStopped) cancel = schedule(isSoon);
      });
  }

  return () => {
    isStopped = true;
    cancel();
  };
}
