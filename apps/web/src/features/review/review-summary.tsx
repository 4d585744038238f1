import { formatChance } from "../../shared/evaluation/graph.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Judgement, QUALITIES, type Quality, summarize } from "./judgement.ts";
import type { Review } from "./load-review.ts";
import { QualityMark } from "./quality-mark.tsx";

const ROWS: Readonly<Record<Quality, string>> = {
  best: "Best moves",
  good: "Good moves",
  inaccuracy: "Inaccuracies",
  mistake: "Mistakes",
  blunder: "Blunders",
};

interface ReviewSummaryProps {
  readonly review: Review;
  readonly judgements: readonly (Judgement | null)[];
}

/** How well both played: the viewer first. */
export function ReviewSummary({ review: { reviewed, match, seat }, judgements }: ReviewSummaryProps) {
  const opponent = seat === 1 ? match.black : match.white;
  const sides = ([seat, seat === 1 ? 2 : 1] as const).map((one) => summarize(reviewed, judgements, one));
  return (
    <Panel className="review-summary" label="How both played">
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">You</th>
            <th scope="col" translate="no">
              {opponent?.username}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="accuracy">
            <th scope="row">Accuracy</th>
            {sides.map(({ accuracy }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: always the same two
              <td key={index}>{accuracy === null ? "–" : formatChance(accuracy)}</td>
            ))}
          </tr>
          {QUALITIES.map((quality) => (
            <tr key={quality}>
              <th scope="row">
                <QualityMark quality={quality} />
                {ROWS[quality]}
              </th>
              {sides.map(({ counts }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: always the same two
                <td key={index}>{counts[quality]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
