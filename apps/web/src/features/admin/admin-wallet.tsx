import { formatCoins, subtractCoins, toKoboWorth, ZERO_COINS } from "@holo/kernel/money.ts";
import type { RevenueView } from "@holo/protocol/admin-views.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../lib/api.ts";
import { readCoins } from "../../lib/coins.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Collapsible } from "../../ui/collapsible.tsx";
import { PaymentRow } from "../../ui/money/payment-row.tsx";
import { isOpen } from "../../ui/money/payment-text.ts";
import { Money } from "../../ui/money.tsx";
import { formatNaira } from "../../ui/naira.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../ui/receipt.tsx";
import { useNow } from "../../ui/use-now.ts";
import { Awaited } from "./awaited.tsx";
import { RevenueDialog } from "./revenue-dialog.tsx";
import { adminKey, LIVE_MS, refreshAdmin } from "./use-overview.ts";
import "./admin-wallet.css";

const CLOCK_MS = 30_000;
const UNDER_WAY_MS = 2_000;

interface AdminWalletProps {
  readonly playerId: string;
  readonly rateKobo: number;
}

/** The platform's own earnings, for the CEO to take out. */
export function AdminWallet({ playerId, rateKobo }: AdminWalletProps) {
  const query = useQuery({
    queryKey: adminKey(playerId, "revenue"),
    queryFn: ({ signal }) => fetchApi("revenue", {}, signal),
    // of the platform's own payments nothing is pushed
    refetchInterval: ({ state }) => (state.data?.payments.some(isOpen) ? UNDER_WAY_MS : LIVE_MS),
  });
  return (
    <Collapsible title="Admin Wallet" note={<Badge kind="active">CEO</Badge>} startsOpen>
      <Awaited query={query} loading="Loading revenue..." failed="The revenue could not be loaded.">
        {(revenue) => <Earnings revenue={revenue} rateKobo={rateKobo} />}
      </Awaited>
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
  return (
    <>
      <div className="earnings">
        <div>
          <p className="meta">Revenue you can withdraw</p>
          <p className="earnings-figure">
            {formatCoins(withdrawable)} <small>HC</small>
          </p>
          <p className="meta">{formatNaira(toKoboWorth(withdrawable, rateKobo))}</p>
          <Button kind="primary" onClick={() => setWithdrawing(true)}>
            Withdraw revenue
          </Button>
        </div>
        <Receipt>
          <ReceiptRow term="Earned from completed games">
            <Money coins={readCoins(revenue.earned)} />
          </ReceiptRow>
          <Taken term="Provider's fees" coins={revenue.providerFees} />
          <Taken term="Lost at the provider" coins={revenue.providerLoss} />
          <Taken term="Withdrawn" coins={revenue.withdrawn} />
          <Taken term="On the way" coins={revenue.onTheWay} />
          <ReceiptTotal term="Left">
            <Money coins={left} />
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
        <RevenueDialog
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

/** What is taken from the earnings, whatever has gone already. */
function Taken({ term, coins }: { readonly term: string; readonly coins: string }) {
  return (
    <ReceiptRow term={term}>
      <Money coins={subtractCoins(ZERO_COINS, readCoins(coins))} />
    </ReceiptRow>
  );
}
