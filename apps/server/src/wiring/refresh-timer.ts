import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { MaintenanceSwitch, Settings } from "../admin/admin.ts";
import type { Arena } from "../arena/arena.ts";
import { openLostServers } from "../platform/cluster/lost-servers.ts";
import type { Platform } from "./platform.ts";

interface RefreshedModules {
  readonly accounts: Pick<Accounts, "forgetSessions">;
  readonly arena: Pick<Arena, "catchUp" | "resync">;
  readonly settings: Pick<Settings, "refresh">;
  readonly maintenance: Pick<MaintenanceSwitch, "refresh">;
}

const REFRESH_EVERY_MS = SECOND_MS;

/**
 * With several servers: reads every second what others have done; messages only make it faster.
 * Returns the function that stops it.
 */
export function startRefreshTimer(platform: Platform, modules: RefreshedModules): () => void {
  const { bus, cluster, database, time, wheel, log, bootId } = platform;
  const { accounts, arena, settings, maintenance } = modules;
  if (!cluster.isShared) return () => undefined;
  const lost = openLostServers({ pool: database.pool, time, log, cluster, bootId });
  let isStopped = false;
  let isMissed = true;
  let isUnsettled = false;
  let isOneOutOfContact = false;
  let cancel = schedule();

  cluster.onMissed(() => {
    isMissed = true;
  });
  const refresh = (): Promise<unknown> => Promise.all([settings.refresh(), maintenance.refresh()]);
  bus.subscribe("switches_changed", () => {
    refresh().catch((err) => log.warn({ err }, "the settings could not be reloaded"));
  });

  function schedule(): () => void {
    return wheel.schedule(time.monotonicMs() + REFRESH_EVERY_MS, run);
  }

  async function catchUp(): Promise<void> {
    const isBehind = isMissed || isOneOutOfContact || !cluster.isConnected;
    isMissed = false;
    if (isBehind) accounts.forgetSessions(null);
    try {
      const resync = isBehind || isUnsettled ? arena.resync() : false;
      [isUnsettled, isOneOutOfContact] = await Promise.all([resync, lost.check(), refresh(), arena.catchUp()]);
    } catch (err) {
      isMissed ||= isBehind;
      throw err;
    }
  }

  function run(): void {
    catchUp()
      .catch((err) => log.warn({ err }, "changes made by other servers could not be loaded"))
      .finally(() => {
        if (!isStopped) cancel = schedule();
      });
  }

  return () => {
    isStopped = true;
    cancel();
  };
}
