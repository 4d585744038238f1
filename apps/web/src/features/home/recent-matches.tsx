import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { fetchApi } from "../../lib/api.ts";
import { Queries } from "../../lib/query.tsx";
import { MatchRows } from "../../ui/match-rows.tsx";
import { OpeningPicture } from "./opening-picture.tsx";
import { RecentAhead } from "./recent-ahead.tsx";
import "./recent-matches.css";

const RECENT_COUNT = 3;

/** The player's latest games; a board for who has played none yet. */
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
  if (data === undefined) return isError ? null : <RecentAhead />;
  const recent = data.matches.slice(0, RECENT_COUNT);
  if (recent.length === 0) return <OpeningPicture />;
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
