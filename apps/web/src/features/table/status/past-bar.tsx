import { Button } from "../../../ui/button/button.tsx";
import type { GameHistory } from "../history/history.ts";
import { formatPly } from "../history/history.ts";

interface PastBarProps {
  readonly history: GameHistory;
  readonly turnTitle: string | null;
}

export function PastBar({ history, turnTitle }: PastBarProps) {
  const { ply, count, newCount, returnToCurrent } = history;
  const Heading = turnTitle === null ? "h2" : "h1";
  const news = newCount === 0 || turnTitle === null ? "" : newCount === 1 ? "1 new move." : `${newCount} new moves.`;

  return (
    <section className="bar-over past-bar" aria-label="Earlier position">
      <div className="words">
        <Heading>{formatPly(ply, count)}</Heading>
        <p>
          {news !== "" && <b>{news} </b>}
          {turnTitle ?? "Not the final position."}
        </p>
      </div>
      <Button size="small" onClick={returnToCurrent}>
        Back to the game
      </Button>
    </section>
  );
}
