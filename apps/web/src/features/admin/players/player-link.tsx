import type { PlayerView } from "@holo/protocol/arena/games.ts";
import { Link } from "wouter";

export function PlayerLink({ player: { id, username } }: { readonly player: PlayerView }) {
  return (
    <Link href={`/admin/players?id=${id}`} className="link unbroken">
      {username}
    </Link>
  );
}
