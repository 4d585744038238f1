interface CoinProps {
  /** Pixels. Below 32 the coin has no reeded rim. */
  readonly size?: number;
}

/** The holocoin. Decoration beside a sum in text. */
export function Coin({ size = 20 }: CoinProps) {
  return (
    <svg className="icon" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={size < 32 ? "#coin-small" : "#coin"} />
    </svg>
  );
}
