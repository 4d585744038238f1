import type { PieceKind, Seat } from "@holo/rules/rules.ts";
import { type TableViewModel, toMaterial, toOpponent } from "../view-model.ts";
import "./captured-material.css";

/** In heights of a piece. The drawing always has this size, so that nothing moves. */
const WIDTH = 6;
const STEP = 0.42;
const STEP_TO_KIND = 0.8;
const LEAD_WIDTH = 1.6;
/** The text ends here before the pieces, since fallback fonts are wider. */
const TEXT_GAP = 0.15;

export function CapturedMaterial({ viewModel, seat }: { readonly viewModel: TableViewModel; readonly seat: Seat }) {
  const { captured, lead } = toMaterial(viewModel, seat);
  if (captured.length === 0 && lead === 0) return null;
  const enemy = toOpponent(seat);
  const offsets = toOffsets(captured, lead > 0 ? WIDTH - LEAD_WIDTH : WIDTH);
  const start = WIDTH - 1 - (offsets.at(-1) ?? 0);
  return (
    <svg
      className={`captured-material of-${enemy}`}
      viewBox={`0 0 ${WIDTH} 1`}
      preserveAspectRatio="xMaxYMid"
      role="img"
      aria-label={formatMaterial(captured, lead)}
    >
      {lead > 0 && (
        <text x={(captured.length > 0 ? start : WIDTH) - TEXT_GAP} y=".8" textAnchor="end">
          +{lead}
        </text>
      )}
      {captured.length > 0 && <rect x={start} width={WIDTH - start} height="1" rx=".25" />}
      {captured.map((kind, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a kind are all alike
        <use key={index} href={`#${kind}-${enemy}`} x={start + offsets[index]!} width="1" height="1" />
      ))}
    </svg>
  );
}

/** Where each piece begins. Where room is short they overlap more, and keep their size. */
function toOffsets(captured: readonly PieceKind[], width: number): readonly number[] {
  let x = 0;
  const offsets = captured.map((kind, index) => {
    if (index > 0) x += kind === captured[index - 1] ? STEP : STEP_TO_KIND;
    return x;
  });
  const scale = Math.min(1, (width - 1) / x);
  return offsets.map((offset) => offset * (x === 0 ? 0 : scale));
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
