import { checkers } from "@holo/checkers/checkers.ts";
import type { Square } from "@holo/rules/rules.ts";
import { useEffect, useState } from "react";
import { playSound } from "../../../lib/sound/sound.ts";
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

/** The computer's thinking time (specification 9). */
const COMPUTER_DELAY_MS = 500;

interface Practice {
  readonly game: PracticeGame;
  readonly announcement: string;
}

/** Kept across pages, so that the player returns to the same game, even from the offline page. */
let savedGame: PracticeGame = NEW_PRACTICE;

/** The computer answers after a delay. Sends no request. */
export function usePractice() {
  const [practice, setPractice] = useState<Practice>(() => ({ game: savedGame, announcement: "" }));
  const { game } = practice;

  useEffect(() => {
    savedGame = game;
  }, [game]);

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
  playPlySound(game, next);
  return { game: next, announcement: formatPly(next) };
}

function playPlySound(before: PracticeGame, after: PracticeGame): void {
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
