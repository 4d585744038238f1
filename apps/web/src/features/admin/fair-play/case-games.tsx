import type { FairPlayCaseView, FairPlayGameView } from "@holo/protocol/admin/fair-play-cases.ts";
import { Suspense, useState } from "react";
import { lazyChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { MiniBoard } from "../../../shared/board/picture/mini-board.tsx";
import { formatMode, formatStake, parseBoard } from "../../../shared/match/match.ts";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Loading } from "../../../ui/feedback/skeleton.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { formatRelativeTime } from "../../../ui/text/relative-time.ts";
import { PlayerLink } from "../players/player-link.tsx";
import { formatThinkTime } from "./think-times.ts";

const GameEvidence = lazyChunk(() => import("./game-evidence.tsx"));

interface CaseGamesProps extends Pick<FairPlayCaseView, "games" | "gamesLeftOut"> {
  readonly now: number;
}

/** The games that the coins were won in, each with its board at the end. */
export function CaseGames({ games, gamesLeftOut, now }: CaseGamesProps) {
  return (
    <Panel label="Games" className="case-games">
      <h2>Games</h2>
      <ul>
        {games.map((game) => (
          <GameRow key={game.match.id} game={game} now={now} />
        ))}
      </ul>
      {gamesLeftOut > 0 && <p className="small muted">{gamesLeftOut} more games aren't shown.</p>}
    </Panel>
  );
}

function GameRow({ game, now }: { readonly game: FairPlayGameView; readonly now: number }) {
  const { match, finalScore, white, black } = game;
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div className="case-game">
        <MiniBoard game={match.game} pieces={parseBoard(match.game, match.board)} />
        <div className="what">
          <p>
            <Result game={game} />
          </p>
          <p className="small muted">
            {formatMode(match.game, match.limitMinutes)}, {formatStake(match.stake)} · {match.moveCount} moves ·{" "}
            {formatRelativeTime(match.updatedAt, now)}
          </p>
          {finalScore !== null && <p className="small">{formatGivenUp(finalScore)}</p>}
          <MoveFigures name={match.white.username} figures={white} />
          <MoveFigures name={match.black?.username ?? ""} figures={black} />
          <div className="actions">
            <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? "Hide clocks and graph" : "Clocks and graph"}
            </Button>
            <ButtonLink href={`/game/${match.id}`} size="small" kind="quiet">
              See the game
            </ButtonLink>
          </div>
        </div>
      </div>
      {isOpen && (
        <Suspense fallback={<Loading text="Loading the game..." />}>
          <GameEvidence match={match} evaluation={game.evaluation} />
        </Suspense>
      )}
    </li>
  );
}

function Result({ game: { match } }: { readonly game: FairPlayGameView }) {
  const { white, black, winner } = match;
  if (black === null) return <PlayerLink player={white} />;
  const [first, second] = winner === 2 ? [black, white] : [white, black];
  return (
    <>
      <PlayerLink player={first} /> {winner === null ? "drew with" : "won against"} <PlayerLink player={second} />
    </>
  );
}

/** `score`: hundredths of a man or pawn, for the loser. */
function formatGivenUp(score: number): string {
  const value = (Math.abs(score) / 100).toFixed(1);
  const sign = score > 0 ? "+" : score < 0 ? "−" : "";
  return `The loser gave up at ${sign}${value} by the computer's count.`;
}

interface MoveFiguresProps {
  readonly name: string;
  readonly figures: FairPlayGameView["white"];
}

function MoveFigures({ name, figures }: MoveFiguresProps) {
  if (figures === null) return null;
  const { errors, choices, firstChoices, medianMs } = figures;
  return (
    <p className="small muted">
      <span translate="no">{name}</span>: {choices} moves of choice, {errors} big {errors === 1 ? "error" : "errors"},{" "}
      {firstChoices} like the computer's, half within {formatThinkTime(medianMs)}.
    </p>
  );
}
