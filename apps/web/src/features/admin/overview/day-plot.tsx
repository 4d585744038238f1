import { DAY_MS } from "@holo/kernel/instant.ts";
import type { DayView } from "@holo/protocol/admin/overview.ts";
import { Plot } from "../../../ui/data/plot.tsx";
import { Table } from "../../../ui/data/table.tsx";
import {
  type DaySeries,
  formatDay,
  formatFigure,
  formatLongDay,
  formatScale,
  toDayPoints,
  toScaleTop,
  toTotal,
} from "./day-series.ts";

interface DayPlotProps {
  readonly series: DaySeries;
  /** At least one, oldest first. The last is today. */
  readonly days: readonly DayView[];
}

export function DayPlot({ series, days }: DayPlotProps) {
  const { title, unit, read } = series;
  const points = toDayPoints(series, days);
  const [first, today] = [days[0], days.at(-1)];
  if (first === undefined || today === undefined) return null;
  const total = formatFigure(toTotal(series, days), unit);
  const latest = formatFigure(read(today), unit);
  return (
    <Plot
      title={title}
      note={`${total} in all, today ${latest}`}
      points={points}
      range={[0, toScaleTop(unit, days)]}
      until={Date.parse(today.day) + DAY_MS}
      isStepped
      formatValue={(value) => formatScale(value, unit)}
      formatTime={(at) => (at > Date.parse(today.day) ? "Today" : formatDay(first.day))}
      summary={`${title}: ${total} in ${days.length} days, ${latest} today`}
    >
      <Table caption={`${title}, newest first`} columns={[{ text: "Day" }, { text: title, figures: true }]} isLong>
        {days.toReversed().map((day) => (
          <tr key={day.day}>
            <td>{formatLongDay(day.day)}</td>
            <td className="figures">{formatFigure(read(day), unit)}</td>
          </tr>
        ))}
      </Table>
    </Plot>
  );
}
