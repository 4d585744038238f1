import type { Seat } from "@holo/rules/rules.ts";

interface DiscProps {
  readonly seat: Seat;
  readonly crowned?: boolean;
  /** Pixels. */
  readonly size?: number;
  readonly className?: string;
}

/** A decorative draughts disc: ivory for player 1, ebony for player 2. */
export function Disc({ seat, crowned = false, size = 44, className }: DiscProps) {
  return (
    <svg className={className} width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`#${crowned ? "crowned" : "disc"}-${seat}`} />
    </svg>
  );
}
