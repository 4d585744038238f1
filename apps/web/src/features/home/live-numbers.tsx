import type { StatsView } from "@holo/protocol/views.ts";
import { useEffect, useState } from "react";
import { watchStats } from "../../lib/socket.ts";
import "./live-numbers.css";

/** How many players are here and how many games are played, as it is pushed. */
export default function LiveNumbers() {
  const [stats, setStats] = useState<StatsView | null>(null);
  useEffect(() => watchStats(setStats), []);
  if (stats === null) return null;
  const { playersOnline, gamesPlaying } = stats;
  return (
    <p className="live-numbers-text">
      <span>
        <b>{playersOnline}</b> {playersOnline === 1 ? "player" : "players"} online
      </span>{" "}
      <span>
        <b>{gamesPlaying}</b> {gamesPlaying === 1 ? "game" : "games"} playing
      </span>
    </p>
  );
}
