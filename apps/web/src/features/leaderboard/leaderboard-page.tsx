import type { LeaderboardPeriod, LeaderboardView, StandingView } from "@holo/protocol/accounts/players.ts";
import { GAMES } from "@holo/rules/registry.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { fetchApi } from "../../lib/api/api.ts";
import { Queries } from "../../lib/api/query.tsx";
import { useSession } from "../../lib/session/session.ts";
import { countGames, formatWinRate } from "../../shared/people/outcomes.ts";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadFailure } from "../../ui/feedback/failure-note.tsx";
import { Loading, Skeleton } from "../../ui/feedback/skeleton.tsx";
import { Segmented } from "../../ui/form/segmented.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { PageHead } from "../../ui/layout/page-head.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import { Ladders } from "./ladders.tsx";
import { Standings } from "./standings.tsx";
import "./leaderboard-page.css";

interface LeaderboardChoice {
  readonly game: GameType | "all";
  readonly period: LeaderboardPeriod;
  /** From 1, below the podium. */
  readonly page: number;
}

const GAME_CHOICES = [{ value: "all", text: "All games" }, ...GAMES.map(({ id, name }) => ({ value: id, text: name }))];

const PERIODS = [
  { value: "all", text: "All time" },
  { value: "month", text: "30 days" },
  { value: "week", text: "7 days" },
] as const;

function toQuery({ game, period, page }: LeaderboardChoice) {
  return {
    ...(game !== "all" && { game }),
    ...(period !== "all" && { period }),
    ...(page !== 1 && { page: String(page) }),
  };
}

interface PagesProps {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

function Pages({ page, pages, onPage }: PagesProps) {
  return (
    <nav className="pages" aria-label="Pages">
      <Button size="small" resting={page <= 1} onClick={() => onPage(page - 1)}>
        <Icon name="previous" />
        Previous
      </Button>
      <span className="muted" role="status">
        Page {page} of {pages}
      </span>
      <Button size="small" resting={page >= pages} onClick={() => onPage(page + 1)}>
        Next
        <Icon name="next" />
      </Button>
    </nav>
  );
}

interface OwnStandingProps {
  readonly own: StandingView | null;
  readonly players: number;
}

function OwnStanding({ own, players }: OwnStandingProps) {
  if (own === null) return <p className="own-standing muted">You have no completed game here yet.</p>;
  const games = countGames(own);
  return (
    <p className="own-standing">
      <b>
        You rank {own.rank} of {players}
      </b>
      <span className="muted">
        {games} {games === 1 ? "game" : "games"}, {own.wins} won, {own.losses} lost, {formatWinRate(own)}
      </span>
    </p>
  );
}

export default function LeaderboardPage() {
  usePageTitle("Leaderboard");
  return (
    <Queries>
      <Leaderboard />
    </Queries>
  );
}

const BEGINNING: LeaderboardChoice = { game: "all", period: "all", page: 1 };

function Leaderboard() {
  const viewerId = useSession().player?.id ?? null;
  const [choice, setChoice] = useState(BEGINNING);
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    queryKey: ["leaderboard", viewerId, choice],
    queryFn: ({ signal }) => fetchApi("leaderboard", { query: toQuery(choice) }, signal),
    placeholderData: keepPreviousData,
  });

  return (
    <div className="leaderboard">
      <PageHead title="Leaderboard" />
      <div className="leaderboard-choice">
        <Segmented
          label="Game"
          value={choice.game}
          options={GAME_CHOICES}
          onChange={(game) => setChoice({ ...choice, game, page: 1 })}
        />
        <Segmented
          label="Period"
          value={choice.period}
          options={PERIODS}
          onChange={(period) => setChoice({ ...choice, period, page: 1 })}
        />
      </div>
      {data === undefined ? (
        isError ? (
          <LoadFailure
            text="We couldn't load the leaderboard. Please try again in a moment."
            onTryAgain={() => void refetch()}
          />
        ) : (
          <LeaderboardLoading />
        )
      ) : (
        <div aria-busy={isPlaceholderData}>
          <Board
            view={data}
            viewerId={viewerId}
            page={choice.page}
            ladderGame={choice.game === "all" ? GAMES[0]!.id : choice.game}
            onPage={(page) => setChoice({ ...choice, page })}
            emptyAction={
              choice.game === BEGINNING.game && choice.period === BEGINNING.period ? (
                <ButtonLink href="/matches">Browse Matches</ButtonLink>
              ) : (
                <Button onClick={() => setChoice(BEGINNING)}>Clear filters</Button>
              )
            }
          />
        </div>
      )}
    </div>
  );
}

interface BoardProps {
  readonly view: LeaderboardView;
  readonly viewerId: string | null;
  readonly page: number;
  readonly ladderGame: GameType;
  readonly onPage: (page: number) => void;
  readonly emptyAction: ReactNode;
}

function Board({ view, viewerId, page, ladderGame, onPage, emptyAction }: BoardProps) {
  const { top, rows, pages, players, own } = view;
  if (top.length === 0) {
    return (
      <TopPlayers>
        <EmptyState text="No completed games here yet." action={emptyAction} />
      </TopPlayers>
    );
  }
  return (
    <>
      <TopPlayers>
        <Standings caption="Top 3 Players" standings={top} viewerId={viewerId} isTop />
      </TopPlayers>
      {viewerId !== null && <OwnStanding own={own} players={players} />}
      <Ladders game={ladderGame} viewerId={viewerId} />
      {pages > 0 && (
        <section className="leaderboard-rest" aria-labelledby="all-players">
          <h2 id="all-players">All other players</h2>
          <Standings caption={`All other players, page ${page} of ${pages}`} standings={rows} viewerId={viewerId} />
          {pages > 1 && <Pages page={page} pages={pages} onPage={onPage} />}
        </section>
      )}
      <p className="meta">
        Ranked by completed games, then by win rate. A draw counts as a game, not as a win. A cancelled game doesn't
        count.
      </p>
    </>
  );
}

function TopPlayers({ children }: { readonly children: ReactNode }) {
  return (
    <section aria-labelledby="top-players">
      <h2 id="top-players">Top 3 Players</h2>
      {children}
    </section>
  );
}

function LeaderboardLoading() {
  return (
    <Loading text="Loading leaderboard...">
      <div className="leaderboard-loading">
        <Skeleton height="94px" />
        <Skeleton height="94px" />
        <Skeleton height="94px" />
      </div>
    </Loading>
  );
}
