import type { Move, Promotion, Square } from "@holo/rules/rules.ts";
import { useEffect, useState } from "react";
import { playSound } from "../../../lib/sound/sound.ts";
import { type PracticeGame, playPly, restart, takeBack, toTurn } from "./practice-game.ts";
import { formatPly, formatTakenBack } from "./practice-text.ts";

/** The computer's thinking time at least (specification 9). */
const COMPUTER_DELAY_MS = 500;

interface Practice {
  readonly game: PracticeGame;
  readonly announcement: string;
}

/** @param chooseMove the computer's; called once for each of its turns. The same in every render */
export function usePractice(opened: PracticeGame, chooseMove: (game: PracticeGame) => Promise<Move>) {
  const [practice, setPractice] = useState<Practice>({ game: opened, announcement: "" });
  const [fault, setFault] = useState<{ readonly cause: unknown } | null>(null);
  const { game } = practice;
  // The page's error note, which offers to reload.
  if (fault !== null) throw fault.cause;

  useEffect(() => {
    const turn = toTurn(game);
    if (turn === null || turn === game.player) return;
    let isAwaited = true;
    Promise.all([chooseMove(game), sleep(COMPUTER_DELAY_MS)]).then(
      ([move]) => isAwaited && setPractice(play(game, move.path, move.promotion)),
      (cause: unknown) => isAwaited && setFault({ cause }),
    );
    return () => {
      isAwaited = false;
    };
  }, [game, chooseMove]);

  const earlier = takeBack(game);
  return {
    ...practice,
    play: (path: readonly Square[], promotion?: Promotion) => setPractice(play(game, path, promotion)),
    /** Null before the player's first move. */
    takeBack:
      earlier === game ? null : () => setPractice({ game: earlier, announcement: formatTakenBack(game, earlier) }),
    restart: () => begin(restart(game)),
    begin,
  };

  function begin(begun: PracticeGame): void {
    setPractice({ game: begun, announcement: formatPly(begun) });
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function play(game: PracticeGame, path: readonly Square[], promotion?: Promotion): Practice {
  const next = playPly(game, path, promotion);
  playPlySound(game, next);
  return { game: next, announcement: formatPly(next) };
}

function playPlySound({ rules, position, player }: PracticeGame, after: PracticeGame): void {
  const { path, captured } = after.plies.at(-1)!.move;
  const from = rules.pieceAt(position, path[0]!);
  const to = rules.pieceAt(after.position, path.at(-1)!);
  const isCrowned = from?.kind !== to?.kind;
  if (captured.length > 0) playSound("capture", captured.length);
  else if (!isCrowned) playSound("move");
  if (isCrowned) playSound("crown");
  const { outcome } = after;
  if (outcome?.type === "draw") playSound("draw");
  if (outcome?.type === "win") playSound(outcome.winner === player ? "win" : "lose");
}
