import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { MaintenanceSwitch, Settings } from "../admin/admin.ts";
import type { Games } from "../game/game.ts";
import type { Lobby } from "../lobby/lobby.ts";
import type { Platform } from "./platform.ts";

interface RefreshTimerDeps extends Pick<Platform, "bus" | "time" | "wheel" | "log" | "metrics"> {
  readonly own: Pick<Platform["own"], "isShared" | "others" | "onRenewed">;
  readonly links: Pick<Platform["links"], "isConnected" | "silentMs" | "onGap">;
}

interface RefreshedModules {
  readonly lobby: Pick<Lobby, "listConnected" | "refreshOnline" | "resync">;
  readonly games: Pick<Games, "resync">;
  readonly settings: Pick<Settings, "refresh">;
  readonly maintenance: Pick<MaintenanceSwitch, "refresh">;
}

const REFRESH_EVERY_MS = SECOND_MS;
/** After missed messages. Bounds the queries while a busy server misses some all the time. */
const REFRESH_SOON_MS = SECOND_MS / 4;
/** Servers send each other something twice a second. */
const SILENT_MS_MAX = 1.5 * SECOND_MS;

/**
 * With several servers: reads every second what others have changed, and soon after messages were
 * missed. Messages only make it faster. Returns the function that stops it.
 */
export function startRefreshTimer(deps: RefreshTimerDeps, modules: RefreshedModules): () => void {
  const { bus, own, links, time, wheel, log, metrics } = deps;
  const { games, lobby, settings, maintenance } = modules;
  metrics.gauge("holo_servers", "Servers that run on this database, this one included", () => own.others().length + 1);
  if (!own.isShared) return () => undefined;
  let isStopped = false;
  let isMissed = true;
  let isUnsettled = false;
  let isRunning = false;
  let endedMs = time.monotonicMs();
  let cancel = schedule(isMissed);

  function noteMissed(): void {
    if (isMissed) return;
    isMissed = true;
    if (isRunning || isStopped) return;
    cancel();
    cancel = schedule(true);
  }
  links.onGap(noteMissed);
  own.onRenewed(noteMissed);
  const refresh = (): Promise<unknown> => Promise.all([settings.refresh(), maintenance.refresh()]);
  bus.subscribe("switches_changed", () => {
    refresh().catch((err) => log.warn({ err }, "the settings could not be reloaded"));
  });

  function schedule(isSoon: boolean): () => void {
    return wheel.schedule(endedMs + (isSoon ? REFRESH_SOON_MS : REFRESH_EVERY_MS), run);
  }

  async function readChanges(): Promise<void> {
    const isOneSilent = own.others().some((serverId) => links.silentMs(serverId) > SILENT_MS_MAX);
    const isBehind = isMissed || isOneSilent || !links.isConnected;
    isMissed = false;
    if (isBehind) bus.publishHere("sessions_ended", { playerId: null });
    try {
      const isResyncing = isBehind || isUnsettled;
      [isUnsettled] = await Promise.all([
        isResyncing ? games.resync(lobby.listConnected()) : false,
        isResyncing ? lobby.resync() : null,
        refresh(),
        lobby.refreshOnline(),
      ]);
    } catch (err) {
      isMissed ||= isBehind;
      throw err;
    }
  }

  function run(): void {
    isRunning = true;
    readChanges()
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
