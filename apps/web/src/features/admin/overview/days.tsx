import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { Segmented } from "../../../ui/form/segmented.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { adminKey, isAccessDenied, REFETCH_MS, useAccessDenied } from "../admin-queries.ts";
import { DayPlot } from "./day-plot.tsx";
import { DAY_SERIES } from "./day-series.ts";
import "./days.css";

const SPANS = [
  { value: "30", text: "30 days" },
  { value: "90", text: "90 days" },
] as const;
const RETRIES = 2;

export function Days({ playerId }: { readonly playerId: string }) {
  const [span, setSpan] = useState<(typeof SPANS)[number]["value"]>("30");
  const { data, error } = useQuery({
    queryKey: adminKey(playerId, "days"),
    queryFn: ({ signal }) => fetchApi("adminDays", {}, signal),
    refetchInterval: REFETCH_MS,
    retry: (failures, fault) => failures < RETRIES && !isAccessDenied(fault),
  });
  useAccessDenied(error);
  const days = data?.days.slice(-Number(span));
  return (
    <Panel className="days" label="Day by day">
      <div className="panel-head">
        <h2>Day by day</h2>
        <Segmented label="How far back" value={span} options={SPANS} onChange={setSpan} />
      </div>
      {days === undefined && error !== null ? (
        <p className="muted">We couldn't load the days. Trying again...</p>
      ) : (
        <div className="day-plots">
          {DAY_SERIES.map((series) =>
            days === undefined ? (
              <Skeleton key={series.title} height="294px" />
            ) : (
              <DayPlot key={series.title} series={series} days={days} />
            ),
          )}
        </div>
      )}
      <p className="meta">
        From the ledger. A day runs from midnight to midnight in Lagos, and today isn't over. Deposits count on the day
        they were credited, withdrawals on the day the provider sent them.
      </p>
    </Panel>
  );
}
