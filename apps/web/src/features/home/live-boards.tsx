import { LiveGames, useLiveGames } from "../../shared/match/live-games.tsx";
import "./live-boards.css";

/** Games that a visitor can watch. */
export default function LiveBoards() {
  const games = useLiveGames();
  if (games.length === 0) return null;
  return (
    <section className="live-boards" aria-labelledby="live-boards">
      <h2 id="live-boards">Live now</h2>
      <LiveGames games={games} />
    </section>
  );
}
