import type { StatsView } from "@holo/protocol/platform.ts";
import { useEffect, useState } from "react";
import { watchStats } from "../../lib/socket/socket.ts";
import "./live-numbers.css";

export default function LiveNumbers() {
  const [stats, setStats] = useState<StatsView | null>(null);
  useEffect(() => watchStats(setStats), []);
  if (stats === null) return null;
  const { playersOnline, gamesPlaying } = stats;
  // A newcomer is not greeted by a zero.
  return (
    <p className="live-numbers-text">
      {playersOnline > 0 && (
        <span>
          <b>{playersOnline}</b> {playersOnline === 1 ? "player" : "players"} online
        </span>
      )}{" "}
      {gamesPlaying > 0 && (
        <span>
          <b>{gamesPlaying}</b> {gamesPlaying === 1 ? "game" : "games"} in play
        </span>
      )}
    </p>
  );
}
