import type { GameResultView, OpponentView, OutcomesView } from "@holo/protocol/accounts/players.ts";
import type { RatingView } from "@holo/protocol/game/games.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { NEW_ABOVE_DEVIATION } from "@holo/table/rating.ts";
import { useOpponent } from "./opponents.ts";
import "./opponent-line.css";

interface OpponentLineProps {
  readonly playerId: string;
  readonly game: GameType;
  readonly stake: number;
  /** The rating alone, where there is no room for more. */
  readonly brief?: boolean;
}

/** What to know of an opponent before one pays. */
export function OpponentLine({ playerId, game, stake, brief = false }: OpponentLineProps) {
  const view = useOpponent(playerId, game, stake);
  // The line keeps its height while it loads.
  if (view === null) return <span className="opponent-line" />;
  return <OpponentFacts view={view} brief={brief} />;
}

function OpponentFacts({ view, brief = false }: { readonly view: OpponentView; readonly brief?: boolean }) {
  const { rating, record, form, score } = view;
  return (
    <span className="opponent-line" translate="no">
      <Rating rating={rating} />
      {!brief && form.length > 0 && (
        <>
          <Record record={record} />
          <Form results={form} />
        </>
      )}
      {!brief && score !== null && <Score score={score} />}
    </span>
  );
}

/** "1480 ±60", or "new" while little is known (ruling 43). */
export function formatRating(rating: RatingView | null): string {
  if (rating === null || rating.deviation > NEW_ABOVE_DEVIATION) return "new";
  return `${rating.rating} ±${rating.deviation}`;
}

function Rating({ rating }: { readonly rating: RatingView | null }) {
  const text = formatRating(rating);
  const [figure, deviation] = text.split(" ");
  return (
    <span className="rating">
      <span className="visually-hidden">Rating </span>
      <b>{figure}</b>
      {deviation !== undefined && <small> {deviation}</small>}
    </span>
  );
}

function Record({ record: { wins, losses, draws } }: { readonly record: OutcomesView }) {
  return (
    <span className="record">
      <span className="visually-hidden">{`won ${wins}, lost ${losses}, drawn ${draws}`}</span>
      <span aria-hidden="true">
        {wins}–{losses}–{draws}
      </span>
    </span>
  );
}

/** Newest last. Each result has a shape of its own. */
export function Form({ results }: { readonly results: readonly GameResultView[] }) {
  return (
    <span className="form" role="img" aria-label={`Last results: ${results.join(", ")}`}>
      {results.map((result, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: results have no identity
        <i key={index} className={result} />
      ))}
    </span>
  );
}

export function Score({ score: { wins, losses, draws } }: { readonly score: OutcomesView }) {
  return (
    <span className="score">
      You {wins} : {losses}
      {draws > 0 && <small>, {draws} drawn</small>}
    </span>
  );
}
