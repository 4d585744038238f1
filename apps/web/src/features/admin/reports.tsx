import type { ReportState, ReportView } from "@holo/protocol/house-views.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/page-head.tsx";
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
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: adminKey(playerId, "reports", state),
    queryFn: ({ pageParam, signal }) =>
      fetchApi("reports", { query: { state, ...(pageParam !== null && { after: pageParam }) } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: LIVE_MS,
  });
  const query = { data: data?.pages.flatMap(({ reports }) => reports), isError, refetch };
  return (
    <Awaited query={query} loading="Loading reports..." failed="The reports could not be loaded.">
      {(reports) => (
        <>
          <ReportList reports={reports} playerId={playerId} />
          {hasNextPage && (
            <Button size="small" busy={isFetchingNextPage && "Loading..."} onClick={() => void fetchNextPage()}>
              Show more
            </Button>
          )}
        </>
      )}
    </Awaited>
  );
}

interface ReportListProps {
  readonly reports: readonly ReportView[];
  /** Who looks at them. */
  readonly playerId: string;
}

export function ReportList({ reports, playerId }: ReportListProps) {
  if (reports.length === 0) return <p className="muted no-reports">There are none.</p>;
  return (
    <ul className="reports">
      {reports.map((report) => (
        <ReportRow key={report.id} report={report} playerId={playerId} />
      ))}
    </ul>
  );
}
