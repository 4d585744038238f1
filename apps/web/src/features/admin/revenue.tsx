import type { RoleView } from "@holo/protocol/views.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { Acts } from "./acts.tsx";
import { AdminWallet } from "./admin-wallet.tsx";
import { Admins } from "./admins.tsx";
import { AppUpdates } from "./app-updates.tsx";
import { Comparison } from "./comparison.tsx";
import { Days } from "./days.tsx";
import { Figures } from "./figures.tsx";
import { LiveFigures } from "./live-figures.tsx";
import { Maintenance } from "./maintenance.tsx";
import { Rates } from "./rates.tsx";
import { Reviews } from "./reviews.tsx";
import { Solvency } from "./solvency.tsx";
import { useOverview } from "./use-overview.ts";
import "./revenue.css";

interface RevenueProps {
  readonly playerId: string;
  readonly role: RoleView;
}

export function Revenue({ playerId, role }: RevenueProps) {
  const { overview, isError, isLive, refetch } = useOverview(playerId);
  if (overview === undefined) {
    return (
      <>
        <PageHead title="Revenue" />
        {isError ? (
          <Unloaded
            text="The figures could not be loaded. Please try again in a moment."
            onTryAgain={() => void refetch()}
          />
        ) : (
          <RevenueLoading />
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
          <Comparison playerId={playerId} last={overview.reconciliation} />
          <Reviews playerId={playerId} role={role} />
        </div>
        <Days playerId={playerId} />
        <Maintenance />
        <Admins playerId={playerId} />
        <AppUpdates playerId={playerId} />
        {role === "ceo" && <AdminWallet playerId={playerId} rateKobo={overview.rateKobo} />}
        {role === "ceo" && <Rates playerId={playerId} />}
        <Acts playerId={playerId} />
      </div>
    </>
  );
}

function RevenueLoading() {
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
