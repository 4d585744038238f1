import type { Level } from "@holo/engine/engine.ts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { lazyChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { useMaybeSession } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Opening } from "../../../ui/overlay/opening.tsx";
import { toMoveRows } from "./move-rows.ts";
import type { PracticeGame } from "./practice-game.ts";
import { formatReason, formatStatus } from "./practice-text.ts";
import type { Hint } from "./use-hint.ts";

const NewPracticeDialog = lazyChunk(() => import("./new-practice-dialog.tsx"), true);

interface PracticeSideProps {
  readonly game: PracticeGame;
  readonly level: Level;
  readonly isRefused: boolean;
  readonly hint: Hint;
  /** Opens the board's settings. */
  readonly settings: ReactNode;
  readonly onTakeBack: (() => void) | null;
  readonly onRestart: () => void;
  readonly onNewGame: (game: PracticeGame, level: Level) => void;
}

/** Beside the board, on phones below it. */
export function PracticeSide(props: PracticeSideProps) {
  const { game, level, isRefused, hint, settings, onTakeBack, onRestart, onNewGame } = props;
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <div className="practice-state">
        <div>
          <p className="practice-status">{formatStatus(game)}</p>
          <p className="practice-reason">{formatReason(game)}</p>
        </div>
        {settings}
      </div>
      {isRefused && <Note>That position couldn't be set up, so this is a new game.</Note>}
      <div className="practice-controls">
        <Control text="Hint" onClick={hint.ask} isBusy={hint.isSearching}>
          <HintIcon />
        </Control>
        <Control text="Take Back" onClick={onTakeBack}>
          <Icon name="undo" />
        </Control>
        <Control text="Restart" onClick={game.plies.length > 0 ? onRestart : null}>
          <Icon name="restart" />
        </Control>
        <Control text="New Game" onClick={() => setChoosing(true)}>
          <Icon name="matches" />
        </Control>
      </div>
      <Moves game={game} />
      <PlayForCoins />
      {isChoosing && (
        <Opening onDropped={() => setChoosing(false)}>
          <NewPracticeDialog
            choices={{ game: game.rules.game, player: game.player, level }}
            onStart={(begun, chosen) => {
              setChoosing(false);
              onNewGame(begun, chosen);
            }}
            onClose={() => setChoosing(false)}
          />
        </Opening>
      )}
    </>
  );
}

interface ControlProps {
  readonly text: string;
  readonly onClick: (() => void) | null;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** Uses aria-disabled, so that the button keeps the focus after the first move is taken back. */
function Control({ text, onClick, isBusy = false, children }: ControlProps) {
  return (
    <Button kind="secondary" resting={onClick === null || isBusy} aria-busy={isBusy} onClick={() => onClick?.()}>
      {children}
      {text}
    </Button>
  );
}

/** A lamp. Not in the sprite, which is part of every page. */
function HintIcon() {
  return (
    <svg className="icon" width={20} height={20} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function Moves({ game }: { readonly game: PracticeGame }) {
  const list = useRef<HTMLOListElement>(null);
  const count = game.plies.length;

  useEffect(() => {
    // In the next frame, since measuring here would force a layout during the press.
    const frame = requestAnimationFrame(() => {
      const box = list.current?.parentElement;
      if (box != null && count >= 0) box.scrollTo(box.scrollWidth, box.scrollHeight);
    });
    return () => cancelAnimationFrame(frame);
  }, [count]);

  return (
    <Panel className="practice-moves" label="Moves" isScrollable>
      {count === 0 && <p className="practice-no-moves">No moves yet.</p>}
      <ol ref={list} aria-label="Moves">
        {toMoveRows(game).map(({ number, texts }) => (
          <li key={number}>
            <span className="number">{number}.</span>
            {texts.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: white's and black's place
              <span key={index}>{text ?? (index === 0 ? "…" : "")}</span>
            ))}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Without a session, as without a network, nothing that needs the server is offered. */
function PlayForCoins() {
  const session = useMaybeSession();
  const isVisitor = session?.player == null;
  return (
    <p className="practice-more">
      <span>No coins, no clock.</span>
      {session !== null && (
        <Link href={isVisitor ? "/login" : "/create-match"} className="link alone">
          {isVisitor ? "Start Playing Now" : "Create a Match"}
        </Link>
      )}
    </p>
  );
}
