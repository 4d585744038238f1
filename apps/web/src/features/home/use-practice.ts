import { checkers } from "@holo/checkers/checkers.ts";
import type { Square } from "@holo/rules/rules.ts";
import { useEffect, useState } from "react";
import { playSound } from "../../lib/sound.ts";
import {
  COMPUTER,
  chooseMove,
  NEW_PRACTICE,
  PLAYER,
  type PracticeGame,
  playPly,
  takeBack,
  toTurn,
} from "./practice-game.ts";
import { formatPly, formatTakenBack } from "./practice-text.ts";

/** How long the computer thinks (specification 9). */
const COMPUTER_DELAY_MS = 500;

interface Practice {
  readonly game: PracticeGame;
  /** What happened last, to be read out. */
  readonly announcement: string;
}

/** The game goes on where its player comes back to it: from another page, or from the page for who is offline. */
let kept: PracticeGame = NEW_PRACTICE;

/** A practice game and what its player can do; the computer answers by itself. Asks nothing of any server. */
export function usePractice() {
  const [practice, setPractice] = useState<Practice>(() => ({ game: kept, announcement: "" }));
  const { game } = practice;

  useEffect(() => {
    kept = game;
  }, [game]);

  // whatever changes the game while the computer thinks takes its answer away
  useEffect(() => {
    if (toTurn(game) !== COMPUTER) return;
    const timer = setTimeout(() => setPractice(play(game, chooseMove(game, Math.random).path)), COMPUTER_DELAY_MS);
    return () => clearTimeout(timer);
  }, [game]);

  return {
    ...practice,
    play: (path: readonly Square[]) => setPractice(play(game, path)),
    takeBack: () => {
      const earlier = takeBack(game);
      setPractice({ game: earlier, announcement: formatTakenBack(game, earlier) });
    },
    restart: () => setPractice({ game: NEW_PRACTICE, announcement: formatPly(NEW_PRACTICE) }),
  };
}

function play(game: PracticeGame, path: readonly Square[]): Practice {
  const next = playPly(game, path);
  soundPly(game, next);
  return { game: next, announcement: formatPly(next) };
}

function soundPly(before: PracticeGame, after: PracticeGame): void {
  const { path, captured } = after.plies.at(-1)!.move;
  const from = checkers.pieceAt(before.position, path[0]!);
  const to = checkers.pieceAt(after.position, path.at(-1)!);
  const isCrowned = from?.kind !== to?.kind;
  if (captured.length > 0) playSound("capture", captured.length);
  else if (!isCrowned) playSound("move");
  if (isCrowned) playSound("crown");
  const { outcome } = after;
  if (outcome?.type === "draw") playSound("draw");
  if (outcome?.type === "win") playSound(outcome.winner === PLAYER ? "win" : "lose");
}
