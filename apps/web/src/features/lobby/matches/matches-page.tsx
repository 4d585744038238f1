import type { MatchView } from "@holo/protocol/game/games.ts";
import { toSearch } from "@holo/protocol/lobby/lobby.ts";
import { MATCHES_MAX, MATCHES_PER_PAGE, SEARCH_MAX } from "@holo/protocol/lobby/match-list-terms.ts";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { Queries } from "../../../lib/api/query.tsx";
import { idlePrefetchedChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useMatchList } from "../../../shared/match/use-match-list.ts";
import { CoolDownNote, RestrictionNote } from "../../../shared/restrictions/restriction-note.tsx";
import { useMayPlay } from "../../../shared/restrictions/use-may-play.ts";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { LoadFailure } from "../../../ui/feedback/failure-note.tsx";
import { Loading, Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { toLengthFault } from "../../../ui/form/characters.ts";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { Opening } from "../../../ui/overlay/opening.tsx";
import { useNow } from "../../../ui/text/use-now.ts";
import { MatchCard } from "./match-card.tsx";
import { formatFilter, isShown, type MatchFilter, NO_FILTER, parseFilter, toLobbyFilter } from "./match-filter.ts";
import { FiltersToggle, MatchFilters } from "./match-filters.tsx";
import { toSections } from "./match-sections.ts";
import { useOwnMatches } from "./use-own-matches.ts";
import "./matches-page.css";

const JoinDialog = idlePrefetchedChunk(() => import("./join-dialog.tsx"));
const DetailsDialog = idlePrefetchedChunk(() => import("./details-dialog.tsx"));

type Opened = { readonly type: "fee" | "details"; readonly match: MatchView };

const RELATIVE_TIME_MS = 30_000;
const SEARCH_DEBOUNCE_MS = 250;

export default function MatchesPage() {
  usePageTitle("Matches");
  return (
    <Queries>
      <Matches />
    </Queries>
  );
}

function Matches() {
  const { player } = useSession();
  const mayPlay = useMayPlay();
  const [opened, setOpened] = useState<Opened | null>(null);
  const { filter, search, wanted, change, setSearch } = useFilter();
  const [isFiltering, setFiltering] = useState(false);
  const viewerId = player?.id ?? null;

  return (
    <div className="matches-page">
      <PageHead title="Matches">
        {mayPlay && (
          <ButtonLink href="/create-match" kind="primary">
            Create Match
          </ButtonLink>
        )}
      </PageHead>
      <RestrictionNote />
      <CoolDownNote />
      <Tabs
        label="Matches"
        tabs={[
          { id: "all", text: "All Matches" },
          {
            id: "mine",
            text: "My Matches",
            disabledBecause: player === null ? "Please login to view your matches" : undefined,
          },
        ]}
        value={filter.mine ? "mine" : "all"}
        onChange={(tab) => change({ mine: tab === "mine" })}
        aside={<FiltersToggle filter={filter} isOpen={isFiltering} onToggle={() => setFiltering(!isFiltering)} />}
      >
        <MatchFilters filter={filter} search={search} isOpen={isFiltering} onChange={change} onSearch={setSearch} />
        <MatchTickets
          filter={filter}
          search={wanted}
          viewerId={viewerId}
          mayPlay={mayPlay}
          onOpen={setOpened}
          onClear={() => change({ ...NO_FILTER, mine: filter.mine })}
        />
      </Tabs>
      {opened !== null && (
        <Opening onDropped={() => setOpened(null)}>
          {opened.type === "fee" ? (
            <JoinDialog match={opened.match} onClose={() => setOpened(null)} />
          ) : (
            <DetailsDialog
              match={opened.match}
              onClose={() => setOpened(null)}
              onJoin={() => setOpened({ ...opened, type: "fee" })}
            />
          )}
        </Opening>
      )}
    </div>
  );
}

function useFilter() {
  const { player } = useSession();
  const [, navigate] = useLocation();
  const addressed = parseFilter(useSearch());
  const filter = { ...addressed, mine: addressed.mine && player !== null };
  const [search, setSearch] = useState(filter.search);
  // One that is too long is refused beside the field and changes nothing.
  const wanted = toLengthFault(search, SEARCH_MAX) === undefined ? toSearch(search) : filter.search;

  function change(changed: Partial<MatchFilter>): void {
    const query = formatFilter({ ...addressed, search: wanted, ...changed });
    navigate(query === "" ? "/matches" : `/matches?${query}`, { replace: true });
  }

  // The address follows when typing pauses.
  const latest = useRef(change);
  latest.current = change;
  const isSettled = wanted === filter.search;
  useEffect(() => {
    if (isSettled) return;
    const timer = setTimeout(() => latest.current({ search: wanted }), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted, isSettled]);
  useEffect(() => {
    setSearch((text) => (toSearch(text) === filter.search ? text : filter.search));
  }, [filter.search]);

  return { filter, search, wanted, change, setSearch };
}

interface MatchTicketsProps {
  readonly filter: MatchFilter;
  readonly search: string;
  readonly viewerId: string | null;
  readonly mayPlay: boolean;
  readonly onOpen: (opened: Opened) => void;
  readonly onClear: () => void;
}

function MatchTickets({ filter, search, viewerId, mayPlay, onOpen, onClear }: MatchTicketsProps) {
  const now = useNow(RELATIVE_TIME_MS);
  const [count, setCount] = useCount(formatFilter(filter));
  const lobbyFilter = toLobbyFilter(filter);
  const lobby = useMatchList(lobbyFilter, count, viewerId, !filter.mine);
  const own = useOwnMatches(lobbyFilter, count, filter.mine ? viewerId : null);
  const { list, isOld } = filter.mine ? own : lobby;
  const shown = list?.matches.filter((match) => isShown(match, { ...filter, search }));
  const isLoading = isOld || search !== filter.search;
  // The first cards render in slices, so that the page still answers to a press.
  const mayShow = useDeferredValue(shown !== undefined);

  if (shown === undefined && filter.mine && own.isError) {
    return (
      <LoadFailure
        text="We couldn't load the matches. Please try again in a moment."
        onTryAgain={() => void own.refetch()}
      />
    );
  }
  if (!mayShow || shown === undefined || (shown.length === 0 && isLoading)) return <TicketsLoading />;
  if (shown.length === 0) {
    const isFiltered = formatFilter(filter) !== formatFilter({ ...NO_FILTER, mine: filter.mine });
    return (
      <EmptyState
        text={
          filter.mine && !isFiltered
            ? "You haven't participated in any matches yet."
            : `No matches found. Try adjusting your filters${mayPlay ? " or create a new match" : ""}.`
        }
        action={isFiltered && <Button onClick={onClear}>Clear filters</Button>}
      />
    );
  }
  return (
    <>
      {toSections(shown, list?.hasMore === true).map(({ id, title, matches }) => (
        <section key={id} className="match-section" aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          <ul className="tickets">
            {matches.map((match) => (
              <li key={match.id}>
                <MatchCard
                  match={match}
                  viewerId={viewerId}
                  now={now}
                  onJoin={() => onOpen({ type: "fee", match })}
                  onDetails={() => onOpen({ type: "details", match })}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {list?.hasMore === true && count < MATCHES_MAX && (
        <div className="more-matches">
          <Button busy={isOld && "Loading..."} onClick={() => setCount(count + MATCHES_PER_PAGE)}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

/** The length of the list; a new filter resets it to one page. */
function useCount(filter: string): readonly [number, (count: number) => void] {
  const [chosen, setChosen] = useState({ filter, count: MATCHES_PER_PAGE });
  const count = chosen.filter === filter ? chosen.count : MATCHES_PER_PAGE;
  return [count, (wanted) => setChosen({ filter, count: wanted })];
}

function TicketsLoading() {
  return (
    <Loading text="Loading matches...">
      <div className="tickets">
        {["first", "second", "third", "fourth"].map((place) => (
          <Skeleton key={place} height="var(--ticket-height)" />
        ))}
      </div>
    </Loading>
  );
}
