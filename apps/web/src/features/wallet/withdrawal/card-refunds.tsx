import { addCoins, type Coins, formatCoins, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, type Result } from "@holo/kernel/result.ts";
import { type CardRefund, toCardRefund, type UnplayedDeposit } from "@holo/protocol/payments/withdrawal-terms.ts";
import { type ApiAnswer, callApi } from "../../../lib/api/api.ts";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { Note } from "../../../ui/feedback/note.tsx";

/** What can go back to the card at once instead of a withdrawal (ruling 51). */
export interface CardRefunds extends CardRefund {
  readonly coins: Coins;
  readonly parts: readonly Part[];
}

type Refused = Extract<ApiAnswer<"refundToCard">, { readonly ok: false }>["refusal"];
type Part = CardRefund & Pick<UnplayedDeposit, "paymentId">;

/** Null if nothing can. */
export function toCardRefunds(deposits: readonly UnplayedDeposit[]): CardRefunds | null {
  const none: CardRefunds = { coins: ZERO_COINS, kobo: toKobo(0n), feeKobo: toKobo(0n), parts: [] };
  const all = deposits.reduce((sum, deposit) => {
    const refund = toCardRefund(deposit);
    if (refund === null) return sum;
    return {
      coins: addCoins(sum.coins, deposit.coins),
      kobo: toKobo(sum.kobo + refund.kobo),
      feeKobo: toKobo(sum.feeKobo + refund.feeKobo),
      parts: [...sum.parts, { ...refund, paymentId: deposit.paymentId }],
    };
  }, none);
  return all.parts.length === 0 ? null : all;
}

/** One order for each deposit, until one is refused. A repeat continues where it ended. */
export async function orderCardRefunds(parts: readonly Part[]): Promise<Result<null, Refused>> {
  for (const { paymentId, kobo, feeKobo } of parts) {
    const answer = await callApi("refundToCard", { body: { paymentId, kobo: Number(kobo), feeKobo: Number(feeKobo) } });
    if (!answer.ok) return answer;
  }
  return ok(null);
}

export function CardRefundReceipt({ coins, kobo, feeKobo }: CardRefunds) {
  return (
    <>
      <Receipt>
        <ReceiptRow term="From your balance">{formatCoins(coins)} HC</ReceiptRow>
        {feeKobo > 0n && <ReceiptRow term="Deposit fee">−{formatNaira(feeKobo)}</ReceiptRow>}
        <ReceiptTotal term="Back to your card">{formatNaira(kobo)}</ReceiptTotal>
      </Receipt>
      <p className="small muted">
        We send back all you never played with, right away, to the card you paid with. Your bank can take a few working
        days to show it.
        {feeKobo > 0n && " The fee is what Paystack charged us for your deposit."}
      </p>
    </>
  );
}

/** Said before the first withdrawal of unplayed coins from a card is confirmed. */
export function FirstWithdrawalNote({
  cardCoins,
  isRefundable,
}: {
  readonly cardCoins: Coins;
  readonly isRefundable: boolean;
}) {
  return (
    <Note icon="clock">
      <strong>This one takes 3 days.</strong> You paid for {formatCoins(cardCoins)} HC of it by card and never played
      with them. The first time, we wait 72 hours and our team takes a look. You can cancel it while it waits.
      {isRefundable && " Don't want to wait? Send the money back to your card now."}
    </Note>
  );
}
