import type { ReportState, ReportView } from "@holo/protocol/house-views.ts";
import { useState } from "react";
import { fetchApi } from "../../lib/api.ts";
import { usePages } from "../../lib/use-pages.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Awaited } from "./awaited.tsx";
import { ReportRow } from "./report-row.tsx";
import { adminKey, LIVE_MS } from "./use-overview.ts";
import "./reports.css";

const TABS = [
  { id: "open", text: "Open" },
  { id: "closed", text: "Ended" },
] as const;

/** The queue of what players told, for people to answer. */
export function Reports({ playerId }: { readonly playerId: string }) {
  const [state, setState] = useState<ReportState>("open");
  return (
    <>
      <PageHead title="Reports" />
      <Tabs label="Reports" tabs={TABS} value={state} onChange={setState}>
        <ReportPages key={state} playerId={playerId} state={state} />
      </Tabs>
    </>
  );
}

function ReportPages({ playerId, state }: { readonly playerId: string; readonly state: ReportState }) {
  const query = usePages({
    queryKey: adminKey(playerId, "reports", state),
    load: (after, signal) => fetchApi("reports", { query: { state, after } }, signal),
    toRows: (page) => page.reports,
    refetchInterval: LIVE_MS,
  });
  return (
    <Awaited query={query} loading="Loading reports..." failed="The reports could not be loaded.">
      {(reports) => (
        <>
          <ReportList reports={reports} />
          <ShowMore query={query} />
        </>
      )}
    </Awaited>
  );
}

export function ReportList({ reports }: { readonly reports: readonly ReportView[] }) {
  if (reports.length === 0) return <p className="muted no-reports">There are none.</p>;
  return (
    <ul className="reports">
      {reports.map((report) => (
        <ReportRow key={report.id} report={report} />
      ))}
    </ul>
  );
}
