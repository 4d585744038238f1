interface CoinProps {
  /** Pixels; below 32 the coin is drawn without its reeded rim. */
  readonly size?: number;
}

/** The holocoin, beside a sum that says the same in words. */
export function Coin({ size = 20 }: CoinProps) {
  return (
    <svg className="icon" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={size < 32 ? "#coin-small" : "#coin"} />
    </svg>
  );
}
