import { type Coins, formatCoins, ZERO_COINS } from "@holo/kernel/money.ts";

interface JoinLabelProps {
  readonly stakeTotal: Coins;
  readonly fee: Coins;
}

/** Of the buttons that join a match, which ask for the buy-in first unless it is free. */
export function JoinLabel({ stakeTotal, fee }: JoinLabelProps) {
  if (stakeTotal === ZERO_COINS) {
    return (
      <span>
        Join Match <small>(free)</small>
      </span>
    );
  }
  return (
    <span>
      Join Match{" "}
      <small>
        ({formatCoins(stakeTotal)} coins + {formatCoins(fee, "up")} fee)
      </small>
    </span>
  );
}
