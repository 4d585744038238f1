import { formatCoins } from "@holo/kernel/money.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { type Stake, toTerms } from "@holo/table/stakes.ts";
import type { ReactNode } from "react";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../ui/data/receipt.tsx";
import { formatPercent } from "../../ui/text/percent.ts";
import { PIECE_COUNTS } from "./match.ts";

interface TermsReceiptProps {
  readonly game: GameType;
  readonly stake: Stake;
  readonly feeBps: number;
  readonly note?: ReactNode;
}

/** The itemised buy-in. Amounts to pay round up. */
export function TermsReceipt({ game, stake, feeBps, note }: TermsReceiptProps) {
  const { stakeTotal, fee, buyIn } = toTerms(stake, PIECE_COUNTS[game], feeBps);
  return (
    <Receipt>
      <ReceiptRow term={`Stake, ${stake} HC × ${PIECE_COUNTS[game]} pieces`}>{formatCoins(stakeTotal)} HC</ReceiptRow>
      <ReceiptRow term={`Platform fee (${formatPercent(feeBps)})`}>{formatCoins(fee, "up")} HC</ReceiptRow>
      <ReceiptTotal term="Total" note={note}>
        {formatCoins(buyIn, "up")} HC
      </ReceiptTotal>
    </Receipt>
  );
}
