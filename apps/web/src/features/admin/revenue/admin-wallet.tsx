import { formatCoins, toKoboWorth, ZERO_COINS } from "@holo/kernel/money.ts";
import type { RevenueView } from "@holo/protocol/admin/money.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { CoinAmount } from "../../../shared/money/coin-amount.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { PaymentRow } from "../../../shared/money/payment-row.tsx";
import { isOpen } from "../../../shared/money/payment-text.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Collapsible } from "../../../ui/layout/collapsible.tsx";
import { useNow } from "../../../ui/text/use-now.ts";
import { adminKey, REFETCH_MS, refreshAdmin } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { toRevenueRows } from "./revenue-rows.ts";
import { WithdrawRevenueDialog } from "./withdraw-revenue-dialog.tsx";
import "./admin-wallet.css";

const CLOCK_MS = 30_000;
const UNDER_WAY_MS = 2_000;

interface AdminWalletProps {
  readonly playerId: string;
  readonly rateKobo: number;
}

export function AdminWallet({ playerId, rateKobo }: AdminWalletProps) {
  const query = useQuery({
    queryKey: adminKey(playerId, "revenue"),
    queryFn: ({ signal }) => fetchApi("revenue", {}, signal),
    // The server sends no pushes about the platform's own payments.
    refetchInterval: ({ state }) => (state.data?.payments.some(isOpen) ? UNDER_WAY_MS : REFETCH_MS),
  });
  return (
    <Collapsible title="Admin Wallet" note={<Badge kind="active">CEO</Badge>} startsOpen>
      <Loaded query={query} loading="Loading revenue..." failed="We couldn't load the revenue.">
        {(revenue) => <Earnings revenue={revenue} rateKobo={rateKobo} />}
      </Loaded>
    </Collapsible>
  );
}

interface EarningsProps {
  readonly revenue: RevenueView;
  readonly rateKobo: number;
}

function Earnings({ revenue, rateKobo }: EarningsProps) {
  const [isWithdrawing, setWithdrawing] = useState(false);
  const now = useNow(CLOCK_MS);
  const left = readCoins(revenue.left);
  const withdrawable = left < ZERO_COINS ? ZERO_COINS : left;
  const { rows, total } = toRevenueRows(revenue);
  return (
    <>
      <div className="earnings">
        <div>
          <p className="meta">Revenue you can withdraw</p>
          <p className="earnings-figure">
            {formatCoins(withdrawable)} <small>HC</small>
          </p>
          <p className="meta">{formatNaira(toKoboWorth(withdrawable, rateKobo))}</p>
          {revenue.isBoundByProvider !== false && (
            <p className="meta">
              {revenue.isBoundByProvider === null
                ? "The provider isn't answering. You can't withdraw until it does."
                : "Limited by the provider's balance: it must cover what players are owed at today's rate."}
            </p>
          )}
          <Button kind="primary" onClick={() => setWithdrawing(true)}>
            Withdraw revenue
          </Button>
        </div>
        <Receipt>
          {rows.map(({ term, coins }) => (
            <ReceiptRow key={term} term={term}>
              <CoinAmount coins={coins} />
            </ReceiptRow>
          ))}
          <ReceiptTotal term="Left">
            <CoinAmount coins={total} />
          </ReceiptTotal>
        </Receipt>
      </div>
      {revenue.payments.length > 0 && (
        <ul className="earnings-payments">
          {revenue.payments.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} now={now} />
          ))}
        </ul>
      )}
      {isWithdrawing && (
        <WithdrawRevenueDialog
          left={withdrawable}
          rateKobo={rateKobo}
          accounts={revenue.accounts}
          onClose={() => setWithdrawing(false)}
          onSent={() => {
            setWithdrawing(false);
            refreshAdmin();
          }}
        />
      )}
    </>
  );
}
