import { type Coins, type CoinsRounding, formatCoins } from "@holo/kernel/money.ts";
import "./coin-amount.css";

interface MoneyProps {
  readonly coins: Coins;
  /** `up` for amounts to pay, `down` (the default) for amounts owned or received. */
  readonly rounding?: CoinsRounding;
  /** Shows + before a gain. A loss always has its minus. */
  readonly signed?: boolean;
}

/** `64.44 HC`: the number, then its unit in smaller text, without a line break. */
export function CoinAmount({ coins, rounding = "down", signed = false }: MoneyProps) {
  return (
    <span className="money">
      {signed && coins > 0n ? "+" : ""}
      {formatCoins(coins, rounding)} <small>HC</small>
    </span>
  );
}
