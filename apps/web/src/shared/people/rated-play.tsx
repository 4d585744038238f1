import type { RatedPlayView } from "@holo/protocol/accounts/players.ts";
import { useState } from "react";
import { Link } from "wouter";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { Plot } from "../../ui/data/plot.tsx";
import { Receipt, ReceiptRow } from "../../ui/data/receipt.tsx";
import { Table } from "../../ui/data/table.tsx";
import { Segmented } from "../../ui/form/segmented.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { formatRelativeTime } from "../../ui/text/relative-time.ts";
import { formatGame } from "../match/match.ts";
import { Form, formatRating } from "./opponent-line.tsx";
import "./rated-play.css";

interface RatedPlayProps {
  readonly rated: readonly RatedPlayView[];
  /** Shown instead before the first rated game. */
  readonly empty: string;
}

/** Rating, form and best win at one of the player's games, and how the rating went. */
export function RatedPlay({ rated, empty }: RatedPlayProps) {
  const [chosen, setChosen] = useState("");
  const play = rated.find((one) => toKey(one) === chosen) ?? rated[0];
  if (play === undefined) {
    return (
      <Panel className="rated-play" label="Rating">
        <h2>Rating</h2>
        <p className="muted">{empty}</p>
      </Panel>
    );
  }
  return (
    <Panel className="rated-play" label="Rating">
      {rated.length > 1 && (
        <Segmented
          label="Game"
          value={toKey(play)}
          options={rated.map((one) => ({ value: toKey(one), text: formatPlay(one) }))}
          onChange={setChosen}
        />
      )}
      <div className="rated-play-columns">
        <RatedFacts play={play} />
        <RatingPlot play={play} />
      </div>
    </Panel>
  );
}

function toKey({ game, pool }: RatedPlayView): string {
  return `${game} ${pool}`;
}

function formatPlay({ game, pool }: RatedPlayView): string {
  return pool === "free" ? `${formatGame(game)}, free` : formatGame(game);
}

const STREAKS = { won: "won", lost: "lost", drawn: "drawn" } as const;

function RatedFacts({ play }: { readonly play: RatedPlayView }) {
  const { rating, record, form, streak, bestWin } = play;
  const text = formatRating(rating);
  return (
    <div className="rated-facts">
      <h2>{formatPlay(play)}</h2>
      <p className="rated-figure">
        <b>{text.split(" ")[0]}</b> <span className="muted">{text.split(" ")[1]}</span>
        {text === "new" && <span className="meta"> A rating appears after about ten games.</span>}
      </p>
      <Receipt>
        <ReceiptRow term="Won, lost, drawn">
          {record.wins}, {record.losses}, {record.draws}
        </ReceiptRow>
        <ReceiptRow term="Form">
          <span className="opponent-line">
            <Form results={form} />
          </span>
        </ReceiptRow>
        <ReceiptRow term="Streak">
          {streak.games} {STREAKS[streak.result]}
        </ReceiptRow>
        {bestWin !== null && (
          <ReceiptRow term="Best win">
            <Link className="link alone" href={`/game/${bestWin.gameId}`}>
              <span translate="no">
                {bestWin.player.username} ({bestWin.rating})
              </span>
            </Link>
          </ReceiptRow>
        )}
      </Receipt>
    </div>
  );
}

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };
const STEP = 100;

function RatingPlot({ play: { points } }: { readonly play: RatedPlayView }) {
  const now = serverClock.now();
  const [first, last] = [points[0], points.at(-1)];
  if (points.length < 2 || first === undefined || last === undefined) {
    return <p className="muted">The graph begins with the second rated game.</p>;
  }
  const values = points.map(({ at, rating }) => ({ at, value: rating }));
  const ratings = points.map(({ rating }) => rating);
  const low = Math.floor(Math.min(...ratings) / STEP) * STEP;
  const high = Math.max(low + STEP, Math.ceil(Math.max(...ratings) / STEP) * STEP);
  return (
    <Plot
      title="Rating over time"
      points={values}
      range={[low, high]}
      until={now}
      formatValue={(value) => `${value}`}
      formatTime={(at) => (at === now ? "Now" : formatRelativeTime(at, now))}
      summary={`Rating: ${first.rating} at first, ${last.rating} now`}
    >
      <Table caption="Rating over time, newest first" columns={[{ text: "Date" }, { text: "Rating", figures: true }]}>
        {[...points].reverse().map(({ at, rating }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity
          <tr key={index}>
            <td>{new Date(at).toLocaleString("en-GB", TIME)}</td>
            <td className="figures">{rating}</td>
          </tr>
        ))}
      </Table>
    </Plot>
  );
}
