import { type Coins, formatCoins } from "@holo/kernel/money.ts";
import "./coin-amount.css";

interface MoneyProps {
  readonly coins: Coins;
  /** Shows + before a gain. A loss always has its minus. */
  readonly signed?: boolean;
}

/** `64.44 HC`: the number, then its unit in smaller text, without a line break. */
export function CoinAmount({ coins, signed = false }: MoneyProps) {
  return (
    <span className="money" translate="no">
      {signed && coins > 0n ? "+" : ""}
      {formatCoins(coins)} <small>HC</small>
    </span>
  );
}
