import { Icon } from "../../ui/icon/icon.tsx";
import type { Quality } from "./judgement.ts";

export const QUALITY_NAMES: Readonly<Record<Quality, string>> = {
  best: "Best move",
  good: "Good move",
  inaccuracy: "Inaccuracy",
  mistake: "Mistake",
  blunder: "Blunder",
};

/** The signs that books use. */
const SIGNS: Readonly<Partial<Record<Quality, string>>> = { good: "•", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** A sign of its own for each quality, since colours alone tell nothing to many eyes. */
export function QualityMark({ quality }: { readonly quality: Quality }) {
  return (
    <span className={`quality ${quality}`} aria-hidden="true">
      {SIGNS[quality] ?? <Icon name="check" />}
    </span>
  );
}
