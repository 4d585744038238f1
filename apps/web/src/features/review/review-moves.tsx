import { memo } from "react";
import { usePlyList } from "../../shared/board/history/use-ply-list.ts";
import type { ReviewedMove } from "../../shared/evaluation/reviewed-game.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { classes } from "../../ui/text/classes.ts";
import type { Judgement, Quality } from "./judgement.ts";
import { QUALITY_NAMES, QualityMark } from "./quality-mark.tsx";

interface ReviewMovesProps {
  readonly moves: readonly ReviewedMove[];
  readonly judgements: readonly (Judgement | null)[];
  readonly ply: number;
  readonly onShow: (ply: number) => void;
  readonly onPress: (ply: number) => void;
}

export function ReviewMoves({ moves, judgements, ply, onShow, onPress }: ReviewMovesProps) {
  const { list, home, handleClick, handleKey } = usePlyList({ ply, count: moves.length, onShow, onPress });

  return (
    <Panel className="review-moves" label="Moves">
      <h2>Moves</h2>
      <ol ref={list} aria-label="Moves" onClick={handleClick} onKeyDown={handleKey}>
        {moves.map(({ text, isForced }, index) => (
          <MoveItem
            // biome-ignore lint/suspicious/noArrayIndexKey: the game is over
            key={index}
            ply={index + 1}
            text={text}
            isForced={isForced}
            quality={judgements[index]?.quality ?? null}
            isShown={index + 1 === ply}
            isHome={index + 1 === home}
          />
        ))}
      </ol>
    </Panel>
  );
}

interface MoveItemProps {
  readonly ply: number;
  readonly text: string;
  readonly isForced: boolean;
  /** Null until the computer has looked at it. */
  readonly quality: Quality | null;
  readonly isShown: boolean;
  readonly isHome: boolean;
}

const MoveItem = memo(function MoveItem({ ply, text, isForced, quality, isShown, isHome }: MoveItemProps) {
  return (
    <li>
      {ply % 2 === 1 && <span className="number">{(ply + 1) / 2}.</span>}
      <button
        type="button"
        className={classes("text", isShown && "shown")}
        data-ply={ply}
        tabIndex={isHome ? 0 : -1}
        aria-current={isShown ? "step" : undefined}
      >
        {text}
        {quality !== null && (
          <>
            <QualityMark quality={quality} />
            <span className="visually-hidden">, {QUALITY_NAMES[quality].toLowerCase()}</span>
          </>
        )}
        {isForced && <span className="visually-hidden">, only move</span>}
      </button>
    </li>
  );
});
