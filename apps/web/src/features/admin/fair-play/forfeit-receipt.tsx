import { formatCoins } from "@holo/kernel/money.ts";
import type { FairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";

/** Whom a forfeit pays, and what. */
export function ForfeitReceipt({ forfeit: { coins, to } }: Pick<FairPlayCaseView, "forfeit">) {
  return (
    <Receipt>
      {to.map(({ player, coins: given }) => (
        <ReceiptRow key={player.id} term={player.username}>
          {formatCoins(readCoins(given))} HC
        </ReceiptRow>
      ))}
      <ReceiptTotal term="Goes back in all">{formatCoins(readCoins(coins))} HC</ReceiptTotal>
    </Receipt>
  );
}
