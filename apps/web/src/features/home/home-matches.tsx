import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { MATCHES_PER_PAGE } from "@holo/protocol/lobby/match-list-terms.ts";
import { Link } from "wouter";
import { sortByStake } from "../../shared/match/live-games.tsx";
import { seatOf } from "../../shared/match/match.ts";
import { MatchRows } from "../../shared/match/match-rows.tsx";
import { useMatchList } from "../../shared/match/use-match-list.ts";
import "./recent-matches.css";
import "./home-matches.css";

const OPEN_MAX = 3;
const LIVE_MAX = 2;

/** What a player can join or watch now. The own game is shown elsewhere. */
export default function HomeMatches({ playerId }: { readonly playerId: string }) {
  const { list } = useMatchList(EVERY_MATCH, MATCHES_PER_PAGE, playerId, true);
  const others = list?.matches.filter((match) => seatOf(match, playerId) === null) ?? [];
  const open = others.filter(({ status }) => status === "pending");
  const live = others.filter(({ status }) => status === "active");
  const sections = [
    { id: "open-now", title: "Open now", matches: open.slice(0, OPEN_MAX), href: "/matches?status=pending" },
    {
      id: "live-now",
      title: "Live now",
      matches: sortByStake(live).slice(0, LIVE_MAX),
      href: "/matches?status=active",
    },
  ];
  return sections
    .filter(({ matches }) => matches.length > 0)
    .map(({ id, title, matches, href }) => (
      <section key={id} className="home-matches" aria-labelledby={id}>
        <div className="recent-matches-head">
          <h2 id={id}>{title}</h2>
          <Link href={href} className="link alone small">
            View All
          </Link>
        </div>
        <MatchRows matches={matches} playerId={playerId} short />
      </section>
    ));
}
