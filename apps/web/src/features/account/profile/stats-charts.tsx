import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { formatCoins, MICRO_PER_HC } from "@holo/kernel/money.ts";
import type { BalancePointView, HistoryView, WinRatePointView } from "@holo/protocol/accounts/players.ts";
import { useQuery } from "@tanstack/react-query";
import { fetchApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { Plot } from "../../../ui/data/plot.tsx";
import { type PlotPoint, toScaleMax } from "../../../ui/data/plot-path.ts";
import { Table } from "../../../ui/data/table.tsx";
import { Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { formatRelativeTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import "./stats-charts.css";

/** Values in holocoins as floating point, for drawing only. */
function toBalancePoints(points: readonly BalancePointView[]): readonly PlotPoint[] {
  return points.map(({ at, balance }) => ({ at, value: Number(balance) / Number(MICRO_PER_HC) }));
}

interface WinRatePoint extends PlotPoint {
  readonly games: number;
}

function toWinRatePoints(points: readonly WinRatePointView[]): readonly WinRatePoint[] {
  return points.map(({ at, wins, games }) => ({ at, games, value: (wins / games) * 100 }));
}

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };
const POINTS_MIN = 2;

export function StatsCharts({ playerId }: { readonly playerId: string }) {
  const now = useNow(60_000);
  const { data, isError } = useQuery({
    queryKey: ["profile", playerId, "history"],
    queryFn: ({ signal }) => fetchApi("history", {}, signal),
    staleTime: 0,
  });
  if (isError) return null;
  return (
    <section className="profile-history" aria-label="Over time">
      <Panel>{data === undefined ? <ChartPlaceholder /> : <BalanceChart points={data.balance} now={now} />}</Panel>
      <Panel>{data === undefined ? <ChartPlaceholder /> : <WinRateChart points={data.winRate} now={now} />}</Panel>
    </section>
  );
}

interface ChartProps<Points extends keyof HistoryView> {
  readonly points: HistoryView[Points];
  readonly now: number;
}

function BalanceChart({ points, now }: ChartProps<"balance">) {
  if (points.length < POINTS_MIN) return <TooFewPoints title="Balance over time" />;
  const values = toBalancePoints(points);
  const [first, last] = [points[0], points.at(-1)];
  const top = toScaleMax(Math.max(...values.map(({ value }) => value)));
  const format = (balance: string | undefined) => `${formatCoins(readCoins(balance ?? "0"))} HC`;
  return (
    <Plot
      title="Balance over time"
      points={values}
      range={[0, top]}
      until={now}
      isStepped
      formatValue={(value) => value.toLocaleString("en")}
      formatTime={(at) => formatAxisTime(at, now)}
      summary={`Balance: ${format(first?.balance)} at first, ${format(last?.balance)} now`}
    >
      <Table caption="Balance over time, newest first" columns={[{ text: "Date" }, { text: "Balance", figures: true }]}>
        {[...points].reverse().map(({ at, balance }) => (
          <tr key={at}>
            <td>{new Date(at).toLocaleString("en-GB", TIME)}</td>
            <td className="figures">{format(balance)}</td>
          </tr>
        ))}
      </Table>
    </Plot>
  );
}

function WinRateChart({ points, now }: ChartProps<"winRate">) {
  if (points.length < POINTS_MIN) return <TooFewPoints title="Win rate over time" />;
  const values = toWinRatePoints(points);
  const format = (value: number | undefined) => `${(value ?? 0).toFixed(1)}%`;
  return (
    <Plot
      title="Win rate over time"
      points={values}
      range={[0, 100]}
      until={now}
      formatValue={(value) => `${value}%`}
      formatTime={(at) => formatAxisTime(at, now)}
      summary={`Win rate: ${format(values[0]?.value)} at first, ${format(values.at(-1)?.value)} now`}
    >
      <Table
        caption="Win rate over time, newest first"
        columns={[{ text: "Date" }, { text: "Games", figures: true }, { text: "Win rate", figures: true }]}
      >
        {[...values].reverse().map(({ at, value, games }) => (
          <tr key={games}>
            <td>{new Date(at).toLocaleString("en-GB", TIME)}</td>
            <td className="figures">{games}</td>
            <td className="figures">{format(value)}</td>
          </tr>
        ))}
      </Table>
    </Plot>
  );
}

/** The axis ends now; its beginning is at least a minute before. */
function formatAxisTime(at: number, now: number): string {
  return at >= now ? "Now" : formatRelativeTime(Math.min(at, now - MINUTE_MS), now);
}

/** As high as a chart, so that the layout does not shift when the data arrives. */
function ChartPlaceholder() {
  return <Skeleton height="276px" />;
}

function TooFewPoints({ title }: { readonly title: string }) {
  return (
    <>
      <h2>{title}</h2>
      <p className="muted">Play a few games to see a chart.</p>
    </>
  );
}
