import { formatCoins } from "@holo/kernel/money.ts";
import { formatPercent } from "../../ui/percent.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../ui/receipt.tsx";
import type { Scene } from "./scene.ts";

/** What a seat at this table costs; what is owed rounds up. */
export function EntryReceipt({ scene }: { readonly scene: Scene }) {
  const { table, rules } = scene.shown;
  const { stakeTotal, fee, entry } = scene.terms;
  return (
    <Receipt>
      <ReceiptRow term={`Stake, ${table.stake} HC × ${rules.pieceCount} pieces`}>
        {formatCoins(stakeTotal)} HC
      </ReceiptRow>
      <ReceiptRow term={`Platform fee (${formatPercent(table.feeBps)})`}>{formatCoins(fee, "up")} HC</ReceiptRow>
      <ReceiptTotal term="Total">{formatCoins(entry, "up")} HC</ReceiptTotal>
    </Receipt>
  );
}
