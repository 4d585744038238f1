import { gameOf } from "@holo/rules/registry.ts";
import type { Square } from "@holo/rules/rules.ts";
import { memo } from "react";
import { classes } from "../../ui/text/classes.ts";
import type { BoardView } from "./board-view.ts";
import type { Chosen } from "./choice.ts";
import { toTransform } from "./geometry.ts";

interface BoardMarksProps {
  readonly view: BoardView;
  readonly chosen: Chosen;
  readonly landings: ReadonlyMap<Square, "quiet" | "capture">;
  /** Where a dragged piece would land; null if it would return. */
  readonly target: Square | null;
  readonly movable: ReadonlySet<Square> | null;
  readonly victims: readonly Square[];
  readonly premove: readonly [Square, Square] | null;
  readonly isFlipped: boolean;
}

/** Marks below the pieces, so that no ring covers a held piece. */
export const BoardMarks = memo(function BoardMarks(props: BoardMarksProps) {
  const { view, chosen, landings, target, movable, victims, premove, isFlipped } = props;
  const { lastMove } = view;
  const from = lastMove?.path[0];
  return (
    <div aria-hidden="true">
      {lastMove !== null &&
        [from, lastMove.path.at(-1)].map((square, index) => (
          <Mark
            key={index === 0 ? "from" : "to"}
            kind={classes("last", view.isPending && square === from && "pending", isLight(square ?? 0) && "on-light")}
            square={square ?? 0}
            isFlipped={isFlipped}
          />
        ))}
      {premove?.map((square) => (
        <Mark key={`premove-${square}`} kind="premove" square={square} isFlipped={isFlipped} />
      ))}
      {view.checkedSquare !== null && <Mark kind="check" square={view.checkedSquare} isFlipped={isFlipped} />}
      {chosen.slice(0, -1).map((square, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a capture may step on one square twice
        <Mark key={index} kind={classes("last", isLight(square) && "on-light")} square={square} isFlipped={isFlipped} />
      ))}
      {chosen.slice(-1).map((square) => (
        <Mark key={square} kind="chosen" square={square} isFlipped={isFlipped} />
      ))}
      {target !== null && (
        <Mark kind={classes("target", isLight(target) && "on-light")} square={target} isFlipped={isFlipped} />
      )}
      {[...landings].map(([square, landing]) => (
        <Mark key={square} kind={toLandingKind(view, square, landing)} square={square} isFlipped={isFlipped} />
      ))}
      {movable !== null &&
        [...movable].map((square) => <Mark key={square} kind="movable" square={square} isFlipped={isFlipped} />)}
      {victims.map((square) => (
        <Mark key={square} kind="victim" square={square} isFlipped={isFlipped} />
      ))}
    </div>
  );
});

function toLandingKind(view: BoardView, square: Square, landing: "quiet" | "capture"): string {
  // A premove may go to an occupied square, where a dot would be hidden.
  if (landing === "quiet" && view.pieces[square] == null) return classes("quiet", isLight(square) && "on-light");
  return gameOf(view.game).look === "figures" ? classes("take", isLight(square) && "on-light") : "landing";
}

function isLight(square: Square): boolean {
  return ((square >> 3) + (square & 7)) % 2 === 0;
}

interface MarkProps {
  readonly kind: string;
  readonly square: Square;
  readonly isFlipped: boolean;
}

function Mark({ kind, square, isFlipped }: MarkProps) {
  // Unlike a changed position, a transform is no layout shift.
  return <i className={`mark ${kind}`} style={{ transform: toTransform(square, isFlipped) }} />;
}
