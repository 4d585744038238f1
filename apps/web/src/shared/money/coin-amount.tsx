import { type Coins, type CoinsRounding, formatCoins } from "@holo/kernel/money.ts";
import "./coin-amount.css";

interface MoneyProps {
  readonly coins: Coins;
  /** `up` for what is owed, `down` (the default) for what one has or receives. */
  readonly rounding?: CoinsRounding;
  /** Puts + before a gain; a loss always has its minus. */
  readonly signed?: boolean;
}

/** `64.44 HC`: the number first, its unit smaller, never broken. */
export function CoinAmount({ coins, rounding = "down", signed = false }: MoneyProps) {
  return (
    <span className="money">
      {signed && coins > 0n ? "+" : ""}
      {formatCoins(coins, rounding)} <small>HC</small>
    </span>
  );
}
