import type { RoleView } from "@holo/protocol/accounts/session.ts";
import { LoadFailure } from "../../../ui/feedback/failure-note.tsx";
import { Loading, Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { AdminPage } from "../admin-page.tsx";
import { useOverview } from "../admin-queries.ts";
import { Admins } from "../admins/admins.tsx";
import { AuditEvents } from "../audit-log/audit-events.tsx";
import { PaymentCases } from "../payments/payment-cases.tsx";
import { Reconciliation } from "../payments/reconciliation.tsx";
import { AppUpdates } from "../releases/app-updates.tsx";
import { AdminWallet } from "../revenue/admin-wallet.tsx";
import { ExchangeRateAndFee } from "../settings/exchange-rate-and-fee.tsx";
import { Maintenance } from "../settings/maintenance.tsx";
import { Days } from "./days.tsx";
import { Figures } from "./figures.tsx";
import { LiveFigures } from "./live-figures.tsx";
import { Solvency } from "./solvency.tsx";
import "./overview-page.css";

interface OverviewProps {
  readonly playerId: string;
  readonly role: RoleView;
}

function Overview({ playerId, role }: OverviewProps) {
  const { overview, isError, isLive, refetch } = useOverview(playerId);
  if (overview === undefined) {
    return (
      <>
        <PageHead title="Revenue" />
        {isError ? (
          <LoadFailure
            text="We couldn't load the figures. Please try again in a moment."
            onTryAgain={() => void refetch()}
          />
        ) : (
          <OverviewLoading />
        )}
      </>
    );
  }
  return (
    <>
      <PageHead title="Revenue">
        <p className={isLive ? "live" : "live lost-touch"}>{isLive ? "Live" : "Trying again..."}</p>
      </PageHead>
      <div className="revenue">
        <Figures overview={overview} />
        <LiveFigures playerId={playerId} overview={overview} />
        <div className="revenue-money">
          <Solvency overview={overview} />
          <Reconciliation playerId={playerId} last={overview.reconciliation} payoutHold={overview.payoutHold} />
          <PaymentCases playerId={playerId} role={role} />
        </div>
        <Days playerId={playerId} />
        <Maintenance />
        <Admins playerId={playerId} />
        <AppUpdates playerId={playerId} />
        {role === "ceo" && <AdminWallet playerId={playerId} rateKobo={overview.rateKobo} />}
        {role === "ceo" && <ExchangeRateAndFee playerId={playerId} />}
        <AuditEvents playerId={playerId} />
      </div>
    </>
  );
}

function OverviewLoading() {
  return (
    <Loading text="Loading revenue...">
      <div className="revenue">
        <div className="key-figures">
          <Skeleton height="134px" />
          <Skeleton height="134px" />
          <Skeleton height="134px" />
        </div>
        <Skeleton height="288px" />
        <div className="revenue-money">
          <Skeleton height="420px" />
          <Skeleton height="420px" />
        </div>
      </div>
    </Loading>
  );
}

export default function OverviewPage() {
  return (
    <AdminPage title="Revenue">
      {(playerId, role) => <Overview key={`${playerId} ${role}`} playerId={playerId} role={role} />}
    </AdminPage>
  );
}
