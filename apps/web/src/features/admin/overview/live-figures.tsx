import type { Kobo } from "@holo/kernel/money.ts";
import type { LiveFiguresView, OverviewView, PendingView } from "@holo/protocol/admin/overview.ts";
import { useQuery } from "@tanstack/react-query";
import { fetchApi } from "../../../lib/api/api.ts";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { adminKey, isAccessDenied, REFETCH_MS, useAccessDenied } from "../admin-queries.ts";
import {
  formatConnections,
  formatCount,
  formatMemory,
  formatMoveTime,
  formatRate,
  formatServers,
} from "./live-text.ts";
import "./live-figures.css";

const RETRIES = 2;

interface LiveFiguresProps {
  readonly playerId: string;
  readonly overview: OverviewView;
}

/** Live figures, refreshed every ten seconds. The boxes are shown before their figures load. */
export function LiveFigures({ playerId, overview }: LiveFiguresProps) {
  const { data, error, isError } = useQuery({
    queryKey: adminKey(playerId, "live"),
    queryFn: ({ signal }) => fetchApi("adminLive", {}, signal),
    refetchInterval: REFETCH_MS,
    retry: (failures, fault) => failures < RETRIES && !isAccessDenied(fault),
  });
  useAccessDenied(error);
  return (
    <Panel className="live-figures" label="Right now">
      <div className="panel-head">
        <h2>Right now</h2>
        <p className="meta">{isError ? "We couldn't load this. Trying again..." : "Every ten seconds"}</p>
      </div>
      <dl aria-busy={data === undefined}>
        {toFigures(data, overview).map(({ label, value, note }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <b>{value}</b>
              <span className="meta">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="meta">
        Moves, connections and memory of {formatServers(data?.servers)}. Today began at midnight in Lagos.
      </p>
    </Panel>
  );
}

interface LiveFigure {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

function toFigures(live: LiveFiguresView | undefined, { solvency }: OverviewView): readonly LiveFigure[] {
  const naira = (kobo: number | undefined) => (kobo === undefined ? "–" : formatNaira(BigInt(kobo) as Kobo));
  const pending = (of: PendingView | undefined) =>
    of === undefined ? "–" : `${formatCount(of.count)} pending, ${naira(of.kobo)}`;
  return [
    {
      label: "Players online",
      value: formatCount(live?.playersOnline),
      note: formatConnections(live?.connections),
    },
    {
      label: "Games playing",
      value: formatCount(live?.gamesPlaying),
      note: `${formatCount(live?.gamesWaiting)} waiting`,
    },
    { label: "Moves per second", value: formatRate(live?.movesPerSecond), note: "over the last minute" },
    { label: "p99 move time", value: formatMoveTime(live?.moveP99Ms), note: "p99 of the last minute" },
    { label: "Deposits today", value: naira(live?.depositsTodayKobo), note: pending(live?.pendingDeposits) },
    { label: "Withdrawals today", value: naira(live?.withdrawalsTodayKobo), note: pending(live?.pendingWithdrawals) },
    { label: "Players are owed", value: naira(solvency.owedKobo), note: "at the rate in force" },
    { label: "Memory", value: formatMemory(live?.memoryBytes), note: "of the server processes" },
  ];
}
