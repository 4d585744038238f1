import { gameOf } from "@holo/rules/registry.ts";
import type { Promotion, Square } from "@holo/rules/rules.ts";
import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { useActiveGame } from "../../../lib/session/session.ts";
import { Arrow } from "../../../shared/board/arrow.tsx";
import { Board } from "../../../shared/board/board.tsx";
import { toBoardView } from "../../../shared/board/board-view.ts";
import { toScreenIndex } from "../../../shared/board/geometry.ts";
import { PromotionChooser } from "../../../shared/board/promotion-chooser.tsx";
import { useBoardSettings } from "../../../shared/board/settings/board-settings.ts";
import { useSettingsSheet } from "../../../shared/board/settings/use-settings-sheet.tsx";
import { FinishGameFirst } from "../../../shared/restrictions/finish-game-first.tsx";
import { LEVEL_NAMES } from "./levels.ts";
import { PracticeFrame, PracticePagePlaceholder } from "./practice-frame.tsx";
import { toTurn } from "./practice-game.ts";
import { PracticeSide } from "./practice-side.tsx";
import { type OpenedPractice, openPractice, savePractice } from "./practice-storage.ts";
import { useComputer } from "./use-computer.ts";
import { useHint } from "./use-hint.ts";
import { usePractice } from "./use-practice.ts";

const PAGE = "/practice";

/** Practice at its own address: both games, both colours, six levels. Works without a network. */
export default function PracticeScreen() {
  const activeGame = useActiveGame();
  // Hints and strong levels would answer for the player. The computer ends with what is behind.
  if (activeGame !== null) {
    return <FinishGameFirst activeGame={activeGame} waiting="Practice goes on here when your game is over." />;
  }
  return <ContinuedPractice />;
}

function ContinuedPractice() {
  const [opened, setOpened] = useState<OpenedPractice | null>(null);
  const search = useRef(useSearch());
  const [, navigate] = useLocation();

  useEffect(() => {
    void openPractice(search.current).then((next) => {
      setOpened(next);
      // The address has been read: a reload continues the game.
      if (search.current !== "") navigate(PAGE, { replace: true });
    });
  }, [navigate]);

  return opened === null ? <PracticePagePlaceholder /> : <OpenPractice opened={opened} />;
}

function OpenPractice({ opened }: { readonly opened: OpenedPractice }) {
  const [level, setLevel] = useState(opened.level);
  const computer = useComputer(level);
  const practice = usePractice(opened.game, computer.chooseMove);
  const { game, announcement } = practice;
  const hint = useHint(game, computer.findBest);
  const { promotionChoice } = useBoardSettings();
  const settings = useSettingsSheet(game.rules.game);
  const [promoting, setPromoting] = useState<readonly Square[] | null>(null);
  const isFlipped = game.player === 2;
  const mayMove = toTurn(game) === game.player;

  useEffect(() => savePractice(game, level), [game, level]);

  const view = useMemo(
    () =>
      toBoardView(game.rules, game.position, {
        lastMove: game.plies.at(-1)?.move ?? null,
        isPending: false,
        mayMove,
      }),
    [game, mayMove],
  );

  function choose(path: readonly Square[]): void {
    const isPromoting = view.moves.some((move) => move.promotion !== undefined && move.path.join() === path.join());
    if (isPromoting && promotionChoice) setPromoting(path);
    else practice.play(path);
  }

  function promote(promotion: Promotion): void {
    setPromoting(null);
    if (promoting !== null) practice.play(promoting, promotion);
  }

  return (
    <PracticeFrame
      terms={`${gameOf(game.rules.game).name} · ${LEVEL_NAMES[level]} · You play ${isFlipped ? "black" : "white"}`}
      board={
        <Board
          view={view}
          isFlipped={isFlipped}
          stake={null}
          onMove={choose}
          announcement={hint.announcement ?? announcement}
          isOver={game.outcome !== null}
        >
          {hint.move !== null && (
            <svg className="drawings" viewBox="0 0 8 8" aria-hidden="true" focusable="false">
              <Arrow path={hint.move.path.map((square) => toScreenIndex(square, isFlipped))} />
            </svg>
          )}
          {promoting !== null && mayMove && (
            <PromotionChooser
              seat={game.player}
              square={promoting.at(-1)!}
              isFlipped={isFlipped}
              onChoose={promote}
              onCancel={() => setPromoting(null)}
            />
          )}
        </Board>
      }
      sheet={settings.sheet}
    >
      <PracticeSide
        game={game}
        level={level}
        isRefused={opened.isRefused}
        hint={hint}
        settings={settings.button}
        onTakeBack={practice.takeBack}
        onRestart={practice.restart}
        onNewGame={(begun, chosen) => {
          setLevel(chosen);
          practice.begin(begun);
        }}
      />
    </PracticeFrame>
  );
}
