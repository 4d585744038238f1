import { type Coins, formatCoins } from "@holo/kernel/money.ts";

interface JoinLabelProps {
  readonly stakeTotal: Coins;
  readonly fee: Coins;
}

/** Of the buttons that ask for the buy-in. */
export function JoinLabel({ stakeTotal, fee }: JoinLabelProps) {
  return (
    <span>
      Join Match{" "}
      <small>
        ({formatCoins(stakeTotal)} coins + {formatCoins(fee, "up")} fee)
      </small>
    </span>
  );
}
