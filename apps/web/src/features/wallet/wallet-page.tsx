import { useState } from "react";
import { Link } from "wouter";
import { Queries } from "../../lib/query.tsx";
import { useSession } from "../../lib/session.ts";
import { toWanted } from "../../lib/wanted-page.ts";
import { BreakNotice } from "../../ui/break-notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { usePageTitle } from "../../ui/page-title.ts";
import { Panel } from "../../ui/panel.tsx";
import { isBarred } from "../../ui/permit.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useLimits } from "../../ui/use-limits.ts";
import { DepositForm } from "./deposit-form.tsx";
import { DepositResult } from "./deposit-result.tsx";
import { PaymentList } from "./payment-list.tsx";
import { Statement } from "./statement.tsx";
import { useReturnedDeposit } from "./use-returned-deposit.ts";
import { refreshWallet, useWallet } from "./use-wallet.ts";
import { Vault, VaultNotes } from "./vault.tsx";
import { WithdrawForm } from "./withdraw-form.tsx";
import "./wallet-page.css";

type Way = "deposit" | "withdraw";

const WAYS = [
  { value: "deposit", text: "Deposit" },
  { value: "withdraw", text: "Withdraw" },
] as const;

export default function WalletPage() {
  usePageTitle("Wallet");
  const { player } = useSession();
  return (
    <Queries>
      <PageHead title="Wallet" />
      {player === null ? <VisitorWallet /> : <PlayerWallet key={player.id} playerId={player.id} />}
    </Queries>
  );
}

function PlayerWallet({ playerId }: { readonly playerId: string }) {
  const isOnBreak = isBarred(useLimits());
  const [chosen, setWay] = useState<Way | null>(null);
  const way = chosen ?? (isOnBreak ? "withdraw" : "deposit");
  const { wallet, isError, refetch, takePayment } = useWallet(playerId);
  const { returned, dismissReturned } = useReturnedDeposit(takePayment);

  if (wallet === undefined) {
    if (!isError) return <WalletLoading />;
    return (
      <Unloaded
        text="Your wallet could not be loaded. Your coins are safe; please try again in a moment."
        onTryAgain={() => void refetch()}
      />
    );
  }
  return (
    <>
      {returned !== null && (
        <DepositResult
          returned={returned}
          known={wallet.payments.find(({ reference }) => reference === returned.reference)}
          onClose={dismissReturned}
        />
      )}
      <div className="wallet">
        <Vault wallet={wallet} />
        <Panel className="pay">
          <Segmented label="Deposit or withdraw" value={way} options={WAYS} onChange={setWay} />
          <BreakNotice act={null} />
          {way === "deposit" ? (
            !isOnBreak && (
              <DepositForm
                rateKobo={wallet.rateKobo}
                payerBearsFee={wallet.payerBearsFee}
                left={wallet.depositLeft}
                onReturned={refreshWallet}
                onLimited={refreshWallet}
              />
            )
          ) : (
            <WithdrawForm wallet={wallet} onSent={refreshWallet} />
          )}
        </Panel>
      </div>
      <PaymentList payments={wallet.payments} isOnBreak={isOnBreak} onHeard={takePayment} />
      <Statement playerId={playerId} />
    </>
  );
}

/** Who is not logged in may read the rules and what a deposit comes to. */
function VisitorWallet() {
  const { settings } = useSession();
  return (
    <div className="wallet">
      <section className="vault" aria-label="Balance">
        <p>
          <Link href="/login" state={toWanted(window.location)} className="link alone">
            Login
          </Link>{" "}
          to see your balance.
        </p>
        <VaultNotes rateKobo={settings.rateKobo} />
      </section>
      <Panel className="pay">
        <DepositForm
          rateKobo={settings.rateKobo}
          payerBearsFee={false}
          left={null}
          onReturned={refreshWallet}
          onLimited={refreshWallet}
        />
      </Panel>
    </div>
  );
}

function WalletLoading() {
  return (
    <Loading text="Loading wallet...">
      <div className="wallet">
        <Skeleton height="520px" />
        <Skeleton height="480px" />
      </div>
    </Loading>
  );
}
