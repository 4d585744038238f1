import type { GameId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { StatsView } from "@holo/protocol/platform.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { ArenaTopics } from "../topics.ts";
import type { OnlinePlayers } from "./online-players.ts";

/** The least time between two broadcasts. */
const BROADCAST_EVERY_MS = SECOND_MS;

/** The numbers of online players and active games. */
export interface LiveStats {
  current(): StatsView;
  /** A player connected or disconnected. */
  changed(): void;
}

interface LiveStatsDeps {
  readonly bus: Bus<ArenaTopics>;
  readonly presence: Pick<OnlinePlayers, "onlineCount">;
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  /** The games that are active at the start; later changes come from the bus. */
  readonly activeNow: readonly GameId[];
}

export function openLiveStats({ bus, presence, time, wheel, activeNow }: LiveStatsDeps): LiveStats {
  const playing = new Set<string>(activeNow);
  let sent: StatsView | null = null;
  let isDue = false;

  const current = (): StatsView => ({ playersOnline: presence.onlineCount(), gamesPlaying: playing.size });

  function broadcast(): void {
    isDue = false;
    const stats = current();
    if (sent?.playersOnline === stats.playersOnline && sent.gamesPlaying === stats.gamesPlaying) return;
    sent = stats;
    bus.publish("stats", { frame: { type: "stats", ...stats } });
  }

  function changed(): void {
    if (isDue) return;
    isDue = true;
    wheel.schedule(time.monotonicMs() + BROADCAST_EVERY_MS, broadcast);
  }

  bus.subscribe("lobby", ({ frame }) => {
    if (frame.type === "match" && frame.match.status === "active") playing.add(frame.match.id);
    else if (frame.type === "match") playing.delete(frame.match.id);
    else if (frame.type === "match_gone") playing.delete(frame.gameId);
    else return;
    changed();
  });

  return { current, changed };
}
