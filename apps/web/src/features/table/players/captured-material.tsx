import type { PieceKind, Seat } from "@holo/rules/rules.ts";
import { type TableViewModel, toMaterial, toOpponent } from "../view-model.ts";

const STEP = 0.42;
const STEP_TO_KIND = 0.8;
/** The text ends here before the pieces, since fallback fonts are wider. */
const TEXT_GAP = 0.15;

export function CapturedMaterial({ viewModel, seat }: { readonly viewModel: TableViewModel; readonly seat: Seat }) {
  const { captured, lead } = toMaterial(viewModel, seat);
  if (captured.length === 0 && lead === 0) return null;
  const start = lead > 0 ? 1.6 : 0;
  let x = start;
  const placed = captured.map((kind, index) => {
    if (index > 0) x += kind === captured[index - 1] ? STEP : STEP_TO_KIND;
    return { kind, index, x };
  });
  return (
    <svg
      className="captured-material"
      viewBox={`0 0 ${x + 1} 1`}
      preserveAspectRatio="xMaxYMid"
      role="img"
      aria-label={formatMaterial(captured, lead)}
    >
      {lead > 0 && (
        <text x={start - TEXT_GAP} y=".8" textAnchor="end">
          +{lead}
        </text>
      )}
      {captured.length > 0 && <rect x={start} width={x + 1 - start} height="1" rx=".25" />}
      {placed.map(({ kind, index, x: left }) => (
        <use key={index} href={`#${kind}-${toOpponent(seat)}`} x={left} width="1" height="1" />
      ))}
    </svg>
  );
}

function formatMaterial(captured: readonly PieceKind[], lead: number): string {
  const counts = [...new Set(captured)].map((kind) => {
    const count = captured.filter((other) => other === kind).length;
    return `${count} ${kind}${count === 1 ? "" : "s"}`;
  });
  const sentences = [
    counts.length > 0 && `Captured ${counts.join(", ")}.`,
    lead > 0 && `${lead} point${lead === 1 ? "" : "s"} ahead.`,
  ];
  return sentences.filter((sentence) => sentence !== false).join(" ");
}
