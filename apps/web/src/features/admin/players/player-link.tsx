import type { PlayerView } from "@holo/protocol/game/games.ts";
import { Link } from "wouter";
import "./player-link.css";

export function PlayerLink({ player: { id, username } }: { readonly player: PlayerView }) {
  return (
    <Link href={`/admin/players?id=${id}`} className="link unbroken player-link">
      {username}
    </Link>
  );
}
