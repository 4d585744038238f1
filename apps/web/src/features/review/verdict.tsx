import { formatChance, formatMoveNumber } from "../../shared/evaluation/graph.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { isWrong } from "./judgement.ts";
import type { Review } from "./load-review.ts";
import { QUALITY_NAMES, QualityMark } from "./quality-mark.tsx";
import { isOwnMistake, type ShownMove, toTryAddress } from "./shown-move.ts";

interface VerdictProps {
  readonly review: Review;
  readonly ply: number;
  readonly shown: ShownMove | null;
}

/** What the computer says of the move on the board, and the way to play on from here. */
export function Verdict({ review, ply, shown }: VerdictProps) {
  const address = toTryAddress(review, ply, shown);
  return (
    <Panel className="verdict" label="This move">
      <div>{shown === null ? <Start /> : <MoveVerdict shown={shown} />}</div>
      {address !== null && (
        <ButtonLink href={address} size="small">
          {isOwnMistake(shown) ? "Try again" : "Try it"}
        </ButtonLink>
      )}
    </Panel>
  );
}

function Start() {
  return (
    <>
      <h2>The start</h2>
      <p className="muted small">Step through the moves, or press the graph.</p>
    </>
  );
}

function MoveVerdict({ shown }: { readonly shown: ShownMove }) {
  const { ply, played, judgement } = shown;
  return (
    <>
      <h2>
        {judgement != null && <QualityMark quality={judgement.quality} />}
        {toTitle(judgement)}
        <span className="meta">
          {formatMoveNumber(ply)} {played.text}
        </span>
      </h2>
      <p className="muted small">{toDetail(shown)}</p>
    </>
  );
}

function toTitle(judgement: ShownMove["judgement"]): string {
  if (judgement === undefined) return "Thinking...";
  return judgement === null ? "Only move" : QUALITY_NAMES[judgement.quality];
}

function toDetail({ isOwn, judgement, better, ownChances }: ShownMove): string {
  if (judgement === undefined) return "The computer looks at this move in a moment.";
  if (judgement === null) return "The rules allowed no other.";
  if (judgement.quality === "best" && better !== null) return `As good as ${better.text}.`;
  const best = better === null ? "" : `Best was ${better.text}. `;
  if (ownChances === null || !isWrong(judgement.quality)) return best || "The computer would play it too.";
  const [before, after] = ownChances;
  return `${best}Your chance ${isOwn ? "fell" : "rose"} from ${formatChance(before)} to ${formatChance(after)}.`;
}
