import type { StandingView } from "@holo/protocol/views.ts";
import { classes } from "../../ui/classes.ts";
import { countGames, formatWinRate } from "../../ui/people/outcomes.ts";
import { PlayerName } from "../../ui/people/player-name.tsx";
import { Table } from "../../ui/table.tsx";
import { RankDisc } from "./rank-disc.tsx";
import "./standings.css";

const COLUMNS = [
  { text: "Rank" },
  { text: "Player" },
  { text: "Games", figures: true },
  { text: "W/L", figures: true },
  { text: "Win Rate", figures: true },
] as const;

interface StandingsProps {
  readonly caption: string;
  readonly standings: readonly StandingView[];
  readonly viewerId: string | null;
  /** The best of all, shown larger. */
  readonly isTop?: boolean;
}

export function Standings({ caption, standings, viewerId, isTop = false }: StandingsProps) {
  return (
    <div className={classes("standings", isTop && "top")}>
      <Table caption={caption} columns={COLUMNS}>
        {standings.map((standing) => {
          const { rank, player, wins, losses } = standing;
          const games = countGames(standing);
          const isOwn = player.id === viewerId;
          return (
            <tr key={player.id} className={classes(isOwn && "own")} aria-current={isOwn ? "true" : undefined}>
              <td className="rank">{isTop ? <RankDisc rank={rank} /> : rank}</td>
              <th scope="row">
                <PlayerName player={player} gameId={null} />
                {isOwn && <span className="you">You</span>}
                <span className="games" aria-hidden="true">
                  {games} {games === 1 ? "game" : "games"}
                </span>
              </th>
              <td className="figures">{games}</td>
              <td className="figures muted">
                {wins} / {losses}
              </td>
              <td className="figures rate">{formatWinRate(standing)}</td>
            </tr>
          );
        })}
      </Table>
    </div>
  );
}
