import type { LeaderboardView } from "@holo/protocol/views.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../lib/api.ts";
import { Queries } from "../../lib/query.tsx";
import { useSession } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { usePageTitle } from "../../ui/page-title.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { GAMES, type LeaderboardChoice, PERIODS, toQuery } from "./leaderboard-choice.ts";
import { OwnStanding } from "./own-standing.tsx";
import { Pages } from "./pages.tsx";
import { Standings } from "./standings.tsx";
import "./leaderboard-page.css";

export default function LeaderboardPage() {
  usePageTitle("Leaderboard");
  return (
    <Queries>
      <Leaderboard />
    </Queries>
  );
}

const BEGINNING: LeaderboardChoice = { game: "both", period: "all", page: 1 };

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
          options={GAMES}
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
          <Unloaded
            text="The leaderboard could not be loaded. Please try again in a moment."
            onTryAgain={() => void refetch()}
          />
        ) : (
          <LeaderboardLoading />
        )
      ) : (
        <div aria-busy={isPlaceholderData}>
          <Board view={data} viewerId={viewerId} page={choice.page} onPage={(page) => setChoice({ ...choice, page })} />
        </div>
      )}
    </div>
  );
}

interface BoardProps {
  readonly view: LeaderboardView;
  readonly viewerId: string | null;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

function Board({ view, viewerId, page, onPage }: BoardProps) {
  const { top, rows, pages, players, own } = view;
  if (top.length === 0) {
    return (
      <Empty
        text="No game has been completed here yet."
        action={<ButtonLink href="/matches">Browse Matches</ButtonLink>}
      />
    );
  }
  return (
    <>
      <section aria-labelledby="top-players">
        <h2 id="top-players">Top 3 Players</h2>
        <Standings caption="Top 3 Players" standings={top} viewerId={viewerId} isTop />
      </section>
      {viewerId !== null && <OwnStanding own={own} players={players} />}
      {pages > 0 && (
        <section className="leaderboard-rest" aria-labelledby="all-players">
          <h2 id="all-players">All other players</h2>
          <Standings caption={`All other players, page ${page} of ${pages}`} standings={rows} viewerId={viewerId} />
          {pages > 1 && <Pages page={page} pages={pages} onPage={onPage} />}
        </section>
      )}
      <p className="meta">
        Ranked by completed games, then by win rate. A draw counts as a game, not as a win; a cancelled game does not
        count.
      </p>
    </>
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
