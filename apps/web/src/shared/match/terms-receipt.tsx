import { type Coins, formatCoins, toKoboOwed, ZERO_COINS } from "@holo/kernel/money.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Stake } from "@holo/table/stakes.ts";
import type { ReactNode } from "react";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../ui/data/receipt.tsx";
import { formatNaira, formatPercent } from "../money/naira.ts";
import { toGameTerms } from "./match.ts";
import "./terms-receipt.css";

interface TermsReceiptProps {
  readonly game: GameType;
  readonly stake: Stake;
  readonly feeBps: number;
  readonly note?: ReactNode;
}

/** The itemised buy-in. Amounts to pay round up. */
export function TermsReceipt({ game, stake, feeBps, note }: TermsReceiptProps) {
  const { stakeTotal, fee, buyIn } = toGameTerms(game, stake, feeBps);
  return (
    <Receipt>
      <ReceiptRow term={`Stake, ${stake} HC × ${gameOf(game).pieceCount} pieces`}>
        {formatCoins(stakeTotal)} HC
      </ReceiptRow>
      <ReceiptRow term={`Platform fee (${formatPercent(feeBps)})`}>{formatCoins(fee, "up")} HC</ReceiptRow>
      <ReceiptTotal term="Total" note={note}>
        {formatCoins(buyIn, "up")} HC
      </ReceiptTotal>
    </Receipt>
  );
}

interface OutcomesReceiptProps {
  readonly game: GameType;
  readonly stake: Stake;
  readonly feeBps: number;
  /** Kobo for one holocoin: adds what the sums are worth. */
  readonly rateKobo?: number;
}

export function OutcomesReceipt({ game, stake, feeBps, rateKobo }: OutcomesReceiptProps) {
  const { buyIn, winnings, drawReturn } = toGameTerms(game, stake, feeBps);
  const worth = (coins: Coins): string =>
    rateKobo === undefined ? "" : ` (${formatNaira(toKoboOwed(coins, rateKobo))})`;
  return (
    <div className="outcomes-receipt">
      <p className="meta">What you get back:</p>
      <Receipt>
        <ReceiptRow term="You win">
          {formatCoins(winnings)} HC{worth(winnings)}
        </ReceiptRow>
        <ReceiptRow term="Draw">
          {formatCoins(drawReturn)} HC{worth(drawReturn)}
        </ReceiptRow>
        <ReceiptRow term="You lose">
          {formatCoins(ZERO_COINS)} HC{worth(ZERO_COINS)}
        </ReceiptRow>
        <ReceiptRow term="Cancelled">
          {formatCoins(buyIn, "up")} HC{worth(buyIn)}
        </ReceiptRow>
      </Receipt>
    </div>
  );
}
