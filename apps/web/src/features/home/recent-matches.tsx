import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { fetchApi } from "../../lib/api/api.ts";
import { Queries } from "../../lib/api/query.tsx";
import { BoardPicture } from "../../shared/board/picture/board-picture.tsx";
import { MatchRows } from "../../shared/match/match-rows.tsx";
import { RecentMatchesPlaceholder } from "./recent-matches-placeholder.tsx";
import "./recent-matches.css";

const OPENING = [".b.b.b.b", "b.b.b.b.", "...b.b.b", "b.......", "...a....", "a.a...a.", ".a.a.a.a", "a.a.a.a."].join(
  "",
);

function PracticeLink() {
  return (
    <Link href="/practice" className="practice-link">
      <BoardPicture discs={OPENING} label="A checkers board, three moves into a game." />
      <span className="link">Practice against the computer</span>
    </Link>
  );
}

const RECENT_COUNT = 3;

export default function RecentMatches({ playerId }: { readonly playerId: string }) {
  return (
    <Queries>
      <Recent playerId={playerId} />
    </Queries>
  );
}

function Recent({ playerId }: { readonly playerId: string }) {
  const { data, isError } = useQuery({
    queryKey: ["matches", "mine", playerId],
    queryFn: ({ signal }) => fetchApi("matches", { query: { mine: "true" } }, signal),
  });
  if (data === undefined) return isError ? null : <RecentMatchesPlaceholder />;
  // Cancelled games appear only in My Matches and History (ruling 11).
  const recent = data.matches.filter(({ status }) => status !== "cancelled").slice(0, RECENT_COUNT);
  if (recent.length === 0) return <PracticeLink />;
  return (
    <section aria-labelledby="recent-matches">
      <div className="recent-matches-head">
        <h2 id="recent-matches">Recent Matches</h2>
        <Link href="/matches" className="link alone small">
          View All
        </Link>
      </div>
      <MatchRows matches={recent} playerId={playerId} short />
    </section>
  );
}
