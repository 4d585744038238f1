import type { GameId } from "@holo/kernel/ids.ts";
import { createPortal } from "react-dom";
import { LiveGames, useLiveGames } from "../../../shared/match/live-games.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import "./next-games.css";

interface NextGamesProps {
  readonly gameId: GameId;
  /** Where the boards are shown; the button is among the actions of the table. */
  readonly place: Element;
}

/** For a watcher whose game has ended. */
export default function NextGames({ gameId, place }: NextGamesProps) {
  const games = useLiveGames(gameId);
  const [first] = games;
  if (first === undefined) return null;
  return (
    <>
      <ButtonLink href={`/game/${first.id}`} size="small" className="table-action next-game">
        <Icon name="next" />
        Next game
      </ButtonLink>
      {createPortal(
        <section className="next-games" aria-labelledby="next-games">
          <h2 id="next-games">Live now</h2>
          <LiveGames games={games} />
        </section>,
        place,
      )}
    </>
  );
}
