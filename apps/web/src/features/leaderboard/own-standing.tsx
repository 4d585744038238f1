import type { StandingView } from "@holo/protocol/views.ts";
import { countGames, formatWinRate } from "../../ui/people/outcomes.ts";
import "./own-standing.css";

interface OwnStandingProps {
  /** Null: no completed game that counts here. */
  readonly own: StandingView | null;
  readonly players: number;
}

/** Where the viewer stands, on whatever page of the table. */
export function OwnStanding({ own, players }: OwnStandingProps) {
  if (own === null) return <p className="own-standing muted">You have no completed game that counts here yet.</p>;
  const games = countGames(own);
  return (
    <p className="own-standing">
      <b>
        You rank {own.rank} of {players}
      </b>
      <span className="muted">
        {games} {games === 1 ? "game" : "games"}, {own.wins} won, {own.losses} lost, {formatWinRate(own)}
      </span>
    </p>
  );
}
