import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useState } from "react";
import { Link } from "wouter";
import { Queries } from "../../lib/api/query.tsx";
import { useSession } from "../../lib/session/session.ts";
import { toWanted } from "../../lib/session/wanted-page.ts";
import { RestrictionNote } from "../../shared/restrictions/restriction-note.tsx";
import { isRestricted } from "../../shared/restrictions/seat-restrictions.ts";
import { useRestrictions } from "../../shared/restrictions/use-restrictions.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { LoadFailure } from "../../ui/feedback/failure-note.tsx";
import { Note } from "../../ui/feedback/note.tsx";
import { Loading } from "../../ui/feedback/skeleton.tsx";
import { Segmented } from "../../ui/form/segmented.tsx";
import { PageHead } from "../../ui/layout/page-head.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { BalanceDetails, BalanceGround, BalanceNotes, BalancePanel } from "./balance/balance-panel.tsx";
import { DepositForm } from "./deposit/deposit-form.tsx";
import { DepositResult } from "./deposit/deposit-result.tsx";
import { useReturnedDeposit } from "./deposit/use-returned-deposit.ts";
import { Forfeits } from "./fair-play/forfeits.tsx";
import { useOwnFairPlay } from "./fair-play/use-own-fair-play.ts";
import { PaymentList } from "./payment-list.tsx";
import { Statement } from "./statement/statement.tsx";
import { refreshWallet, useWallet } from "./use-wallet.ts";
import { WithdrawalForm } from "./withdrawal/withdrawal-form.tsx";
import "./wallet-page.css";

type Direction = "deposit" | "withdraw";

const DIRECTIONS = [
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
  const isPlayRestricted = isRestricted(useRestrictions());
  const [chosen, setDirection] = useState<Direction | null>(null);
  const direction = chosen ?? (isPlayRestricted ? "withdraw" : "deposit");
  const { wallet, isError, refetch, applyPayment } = useWallet(playerId);
  // Pushed, so it is there before the wallet that fits it, and equals the header's.
  const { balance } = useSession();
  const { fairPlay, applyFairPlay } = useOwnFairPlay(playerId);
  const { returned, dismissReturned } = useReturnedDeposit(applyPayment);

  if (wallet === undefined) {
    if (!isError) return <WalletLoading />;
    return (
      <LoadFailure
        text="We couldn't load your wallet. Your coins are safe. Please try again in a moment."
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
        <BalanceGround />
        <BalancePanel balance={balance} rateKobo={wallet.rateKobo} />
        <Panel className="pay">
          <Segmented label="Deposit or withdraw" value={direction} options={DIRECTIONS} onChange={setDirection} />
          <RestrictionNote action={null} />
          <WithdrawalHoldNote />
          {direction === "deposit" ? (
            !isPlayRestricted && (
              <DepositForm
                rateKobo={wallet.rateKobo}
                payerBearsFee={wallet.payerBearsFee}
                depositLeft={wallet.depositLeft}
                onReturned={refreshWallet}
                onLimited={refreshWallet}
              />
            )
          ) : (
            <WithdrawalForm wallet={wallet} onSent={refreshWallet} />
          )}
        </Panel>
        <BalanceDetails wallet={wallet} isOld={wallet.balance !== balance} />
      </div>
      <Forfeits cases={fairPlay.cases} playerId={playerId} onChanged={applyFairPlay} />
      <PaymentList
        payments={wallet.payments}
        held={fairPlay.held}
        isPlayRestricted={isPlayRestricted}
        onPayment={applyPayment}
        onWritten={applyFairPlay}
      />
      <Statement playerId={playerId} />
    </>
  );
}

function WithdrawalHoldNote() {
  const reason = useRestrictions()?.withdrawalsHeldFor ?? null;
  if (reason === null) return null;
  return (
    <div className="restriction-note" role="status">
      <Note icon="clock">
        <b className="strong">{toRefusalView("withdrawals_held").title}.</b> Reason: {reason} This lasts until we
        release it. Your coins stay yours.{" "}
        <Link href="/contact" className="link unbroken">
          Contact us
        </Link>
      </Note>
    </div>
  );
}

function VisitorWallet() {
  const { settings } = useSession();
  const state = toWanted(window.location);
  return (
    <div className="wallet">
      <BalanceGround />
      <section className="vault-head" aria-labelledby="visitor-wallet">
        <h2 id="visitor-wallet">Your coins are kept here</h2>
        <p className="muted">Log in to see your balance, deposit and withdraw.</p>
        <div className="actions">
          <ButtonLink href="/login" state={state}>
            Login
          </ButtonLink>
          <ButtonLink href="/register" state={state}>
            Create Account
          </ButtonLink>
        </div>
      </section>
      <Panel className="pay">
        <DepositForm
          rateKobo={settings.rateKobo}
          payerBearsFee={false}
          depositLeft={null}
          onReturned={refreshWallet}
          onLimited={refreshWallet}
        />
      </Panel>
      <div className="vault-details">
        <BalanceNotes rateKobo={settings.rateKobo} />
      </div>
    </div>
  );
}

function WalletLoading() {
  return (
    <Loading text="Loading wallet...">
      <div className="wallet">
        <i className="skeleton" />
        <i className="skeleton" />
      </div>
    </Loading>
  );
}
