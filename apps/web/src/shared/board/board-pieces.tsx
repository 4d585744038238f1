import type { Piece, Square } from "@holo/rules/rules.ts";
import { findLastRowStep } from "@holo/rules/square.ts";
import { type CSSProperties, memo, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { classes } from "../../ui/text/classes.ts";
import type { BoardView } from "./board-view.ts";
import type { Chosen } from "./choice.ts";
import { toTransform } from "./geometry.ts";
import {
  followBoard,
  isSamePiece,
  type PiecePlacement,
  type PlacedPiece,
  placeInitialPieces,
} from "./piece-tracking.ts";
import { currentBoardSettings, type MoveSpeed } from "./settings/board-settings.ts";

const LEG_MS: Readonly<Record<MoveSpeed, number>> = { off: 0, fast: 90, normal: 180, slow: 360 };
const LEG_EASING = "cubic-bezier(.3,.1,.2,1)";
/** `getAnimations()` would compute styles for the whole page during a press. */
const walks = new WeakMap<HTMLElement, Animation>();

interface BoardPiecesProps {
  readonly view: BoardView;
  readonly chosen: Chosen;
  readonly isFlipped: boolean;
  readonly stake: number | null;
  readonly walkedCount: RefObject<number>;
  readonly premove: readonly [Square, Square] | null;
}

/** Each piece keeps one element for the whole game; a move changes its transform. */
export const BoardPieces = memo(function BoardPieces(props: BoardPiecesProps) {
  const { view, chosen, isFlipped, stake, walkedCount, premove } = props;
  const [state, setState] = useState(() => ({ pieces: view.pieces, placing: placeInitialPieces(view.pieces) }));
  const layer = useRef<HTMLDivElement>(null);
  const steppedCount = useRef(0);
  if (state.pieces !== view.pieces) {
    // An acknowledged move changes nothing, so its animation continues.
    const isSame = view.pieces.every((piece, square) => isSamePiece(piece, state.pieces[square] ?? null));
    const placing = isSame ? state.placing : followBoard(state.placing, view.pieces, view.lastMove);
    setState({ pieces: view.pieces, placing });
  }
  const { placed, taken, walk } = state.placing;

  useLayoutEffect(() => {
    if (walk === null) return;
    const walkedSteps = walkedCount.current - 1;
    const path = walk.path.slice(walkedSteps);
    walkedCount.current = 1;
    const element = layer.current?.querySelector<HTMLElement>(`[data-piece="${walk.id}"]`);
    if (!element) return;
    // A piece that moves again ends its earlier animation.
    if (path.length > 1) stopWalk(element);
    if (path.length > 2) walkPath(element, path, isFlipped);
    if (walk.was !== null) keepFormerArt(element, findLastRowStep(walk.path, walk.was.seat) - walkedSteps);
  }, [walk, isFlipped, walkedCount]);

  useLayoutEffect(() => {
    const stepped = chosen.slice(Math.max(0, steppedCount.current - 1));
    steppedCount.current = chosen.length;
    const element = layer.current?.querySelector<HTMLElement>(`[data-at="${chosen.at(-1)}"]`);
    if (stepped.length > 2 && element) walkPath(element, stepped, isFlipped);
  }, [chosen, isFlipped]);

  function removeTaken(): void {
    setState((now) => ({ ...now, placing: { ...now.placing, taken: [] } satisfies PiecePlacement }));
  }

  const ghost = premove === null ? null : (view.pieces[premove[0]] ?? null);
  const legs = walk === null ? 1 : walk.path.length - 1;
  return (
    <div className="pieces" aria-hidden="true" ref={layer} style={{ "--legs": legs } as CSSProperties}>
      {taken.map((gone) => (
        <div
          key={gone.id}
          className={classes("piece", "taken", `seat-${gone.piece.seat}`)}
          style={{ transform: toTransform(gone.square, isFlipped) }}
          onAnimationEnd={removeTaken}
        >
          <PieceArt piece={gone.piece} stake={stake} />
        </div>
      ))}
      {placed.map((standing) => (
        <div
          key={standing.id}
          data-piece={standing.id}
          data-at={toDrawn(standing, chosen)}
          className={classes("piece", `seat-${standing.piece.seat}`, standing.id === walk?.id && "walking")}
          style={{ transform: toTransform(toDrawn(standing, chosen), isFlipped) }}
        >
          <PieceArt piece={standing.piece} stake={stake} />
          {standing.id === walk?.id && walk.was !== null && (
            <span className="was">
              <PieceArt piece={walk.was} stake={stake} />
            </span>
          )}
        </div>
      ))}
      {premove !== null && ghost !== null && (
        <div
          className={classes("piece", "ghost", `seat-${ghost.seat}`)}
          style={{ transform: toTransform(premove[1], isFlipped) }}
        >
          <PieceArt piece={ghost} stake={stake} />
        </div>
      )}
    </div>
  );
});

interface PieceArtProps {
  readonly piece: Piece;
  readonly stake: number | null;
}

const PieceArt = memo(function PieceArt({ piece, stake }: PieceArtProps) {
  return (
    <>
      <svg focusable="false" aria-hidden="true">
        <use href={`#${toSymbol(piece)}-${piece.seat}`} />
      </svg>
      {stake !== null && <b className={piece.kind === "crowned" ? "under-crown" : undefined}>{stake}</b>}
    </>
  );
});

function toSymbol(piece: Piece): string {
  return piece.kind === "man" ? "disc" : piece.kind;
}

/** During a multi-step capture the piece is drawn on its latest landing. */
function toDrawn(placed: PlacedPiece, chosen: Chosen): Square {
  return chosen.length > 1 && chosen[0] === placed.square ? chosen.at(-1)! : placed.square;
}

function walkPath(element: HTMLElement, path: readonly Square[], isFlipped: boolean): void {
  const legMs = toLegMs();
  if (legMs === 0) return;
  const frames = path.map((square) => ({ transform: toTransform(square, isFlipped), easing: LEG_EASING }));
  stopWalk(element);
  walks.set(element, element.animate(frames, { duration: legMs * (path.length - 1) }));
}

/** Draws what the piece was for some legs, then what it became. */
function keepFormerArt(element: HTMLElement, legs: number): void {
  const legMs = toLegMs();
  if (legs <= 0 || legMs === 0) return;
  for (const art of element.children) {
    const opacity = art.classList.contains("was") ? 1 : 0;
    art.animate([{ opacity }, { opacity }], { duration: legMs * legs });
  }
}

function toLegMs(): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : LEG_MS[currentBoardSettings().speed];
}

function stopWalk(element: HTMLElement): void {
  walks.get(element)?.cancel();
  walks.delete(element);
}
