import { formatCoins } from "@holo/kernel/money.ts";
import type { HistoryView } from "@holo/protocol/views.ts";
import { useQuery } from "@tanstack/react-query";
import { fetchApi } from "../../lib/api.ts";
import { readCoins } from "../../lib/coins.ts";
import { Panel } from "../../ui/panel.tsx";
import { Plot } from "../../ui/plot.tsx";
import { toTop } from "../../ui/plot-path.ts";
import { formatRelativeTime } from "../../ui/relative-time.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table } from "../../ui/table.tsx";
import { useNow } from "../../ui/use-now.ts";
import { toBalancePoints, toRatePoints } from "./history-points.ts";
import "./profile-history.css";

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };
/** A line needs two. */
const POINTS_MIN = 2;

/** How the player's balance and win rate went. */
export function ProfileHistory({ playerId }: { readonly playerId: string }) {
  const now = useNow(60_000);
  const { data, isError } = useQuery({
    queryKey: ["profile", playerId, "history"],
    queryFn: ({ signal }) => fetchApi("history", {}, signal),
  });
  if (isError) return null;
  return (
    <section className="profile-history" aria-label="Over time">
      <Panel>{data === undefined ? <PlotAhead /> : <BalancePlot points={data.balance} now={now} />}</Panel>
      <Panel>{data === undefined ? <PlotAhead /> : <WinRatePlot points={data.winRate} now={now} />}</Panel>
    </section>
  );
}

interface HistoryProps<Points extends keyof HistoryView> {
  readonly points: HistoryView[Points];
  readonly now: number;
}

function BalancePlot({ points, now }: HistoryProps<"balance">) {
  if (points.length < POINTS_MIN) return <TooShort title="Balance over time" />;
  const values = toBalancePoints(points);
  const [first, last] = [points[0], points.at(-1)];
  const top = toTop(Math.max(...values.map(({ value }) => value)));
  const format = (balance: string | undefined) => `${formatCoins(readCoins(balance ?? "0"))} HC`;
  return (
    <Plot
      title="Balance over time"
      points={values}
      range={[0, top]}
      until={now}
      isStepped
      formatValue={(value) => value.toLocaleString("en")}
      formatTime={(at) => formatRelativeTime(at, now)}
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

function WinRatePlot({ points, now }: HistoryProps<"winRate">) {
  if (points.length < POINTS_MIN) return <TooShort title="Win rate over time" />;
  const values = toRatePoints(points);
  const format = (value: number | undefined) => `${(value ?? 0).toFixed(1)}%`;
  return (
    <Plot
      title="Win rate over time"
      points={values}
      range={[0, 100]}
      until={now}
      formatValue={(value) => `${value}%`}
      formatTime={(at) => formatRelativeTime(at, now)}
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

/** Of a plot's height, so that nothing below moves when it comes. */
function PlotAhead() {
  return <Skeleton height="276px" />;
}

function TooShort({ title }: { readonly title: string }) {
  return (
    <>
      <h2>{title}</h2>
      <p className="muted">There is too little to draw yet.</p>
    </>
  );
}
