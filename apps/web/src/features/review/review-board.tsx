import { useMemo } from "react";
import { Arrow } from "../../shared/board/arrow.tsx";
import { Board } from "../../shared/board/board.tsx";
import { toBoardView } from "../../shared/board/board-view.ts";
import { toScreenIndex } from "../../shared/board/geometry.ts";
import { isWrong } from "./judgement.ts";
import type { Review } from "./load-review.ts";
import { QUALITY_NAMES } from "./quality-mark.tsx";
import type { ShownMove } from "./shown-move.ts";

interface ReviewBoardProps {
  readonly review: Review;
  readonly ply: number;
  readonly shown: ShownMove | null;
}

export function ReviewBoard({ review: { rules, reviewed, seat }, ply, shown }: ReviewBoardProps) {
  const view = useMemo(() => {
    const lastMove = reviewed.moves[ply - 1]?.move ?? null;
    return toBoardView(rules, reviewed.positions[ply], { lastMove, isPending: false, mayMove: false });
  }, [rules, reviewed, ply]);
  const announcement = useMemo(
    () =>
      shown === null
        ? "The start"
        : describe(rules.describeMove(reviewed.positions[ply - 1], shown.played.move), shown),
    [rules, reviewed, ply, shown],
  );
  const isFlipped = seat === 2;
  const arrow = shown?.judgement != null && isWrong(shown.judgement.quality) ? shown.better : null;

  return (
    <Board view={view} isFlipped={isFlipped} stake={null} onMove={ignore} announcement={announcement}>
      <svg className="drawings" viewBox="0 0 8 8" aria-hidden="true" focusable="false">
        {arrow !== null && <Arrow path={arrow.move.path.map((square) => toScreenIndex(square, isFlipped))} />}
      </svg>
    </Board>
  );
}

function describe(move: string, { judgement, better }: ShownMove): string {
  if (judgement == null) return `${move}.`;
  const { quality } = judgement;
  const best = isWrong(quality) && better !== null ? ` Better was ${better.text}.` : "";
  return `${move}. ${QUALITY_NAMES[quality]}.${best}`;
}

function ignore(): void {}
