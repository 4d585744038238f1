import { formatCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { type Stake, toTerms } from "@holo/table/stakes.ts";
import { Receipt, ReceiptRow } from "../../ui/data/receipt.tsx";
import { PIECE_COUNTS } from "./match.ts";
import "./outcomes-receipt.css";

interface OutcomesReceiptProps {
  readonly game: GameType;
  readonly stake: Stake;
  readonly feeBps: number;
}

/** The payout of each outcome. */
export function OutcomesReceipt({ game, stake, feeBps }: OutcomesReceiptProps) {
  const { stakeTotal, buyIn, winnings, drawReturn } = toTerms(stake, PIECE_COUNTS[game], feeBps);
  return (
    <div className="outcomes-receipt">
      <p className="meta">
        Both players stake {formatCoins(stakeTotal)} HC and pay the same fee. What you receive at the end:
      </p>
      <Receipt>
        <ReceiptRow term="You win">{formatCoins(winnings)} HC</ReceiptRow>
        <ReceiptRow term="Draw">{formatCoins(drawReturn)} HC</ReceiptRow>
        <ReceiptRow term="You lose">{formatCoins(ZERO_COINS)} HC</ReceiptRow>
        <ReceiptRow term="Cancelled">{formatCoins(buyIn, "up")} HC</ReceiptRow>
      </Receipt>
    </div>
  );
}
