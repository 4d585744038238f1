import type { ReportState } from "@holo/protocol/admin/moderation.ts";
import { useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { ShowMore } from "../../../ui/data/show-more.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { AdminPage } from "../admin-page.tsx";
import { adminKey, REFETCH_MS } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { ReportList } from "./report-list.tsx";

const TABS = [
  { id: "open", text: "Open" },
  { id: "closed", text: "Ended" },
] as const;

function Reports({ playerId }: { readonly playerId: string }) {
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
    refetchInterval: REFETCH_MS,
  });
  return (
    <Loaded query={query} loading="Loading reports..." failed="We couldn't load the reports.">
      {(reports) => (
        <>
          <ReportList reports={reports} />
          <ShowMore query={query} />
        </>
      )}
    </Loaded>
  );
}

export default function ReportsPage() {
  return <AdminPage title="Reports">{(playerId) => <Reports key={playerId} playerId={playerId} />}</AdminPage>;
}
