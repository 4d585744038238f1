import type { StandingView } from "@holo/protocol/accounts/players.ts";
import { countGames, formatWinRate } from "../../shared/people/outcomes.ts";
import { PlayerName } from "../../shared/people/player-name.tsx";
import { Table } from "../../ui/data/table.tsx";
import { Disc } from "../../ui/icon/disc.tsx";
import { classes } from "../../ui/text/classes.ts";
import "./standings.css";

function RankDisc({ rank }: { readonly rank: number }) {
  return (
    <span className={classes("rank-disc", rank === 1 && "first", rank > 2 && "ebony")}>
      <Disc seat={rank > 2 ? 2 : 1} crowned={rank === 1} size={54} />
      <b>{rank}</b>
    </span>
  );
}

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
