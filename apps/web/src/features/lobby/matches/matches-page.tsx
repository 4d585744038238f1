import type { MatchView } from "@holo/protocol/games.ts";
import { Suspense, useEffect, useState } from "react";
import { Queries } from "../../../lib/api/query.tsx";
import { prefetchedChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { useSession } from "../../../lib/session/session.ts";
import { RestrictionNote } from "../../../shared/restrictions/restriction-note.tsx";
import { isRestricted } from "../../../shared/restrictions/seat-restrictions.ts";
import { useRestrictions } from "../../../shared/restrictions/use-restrictions.ts";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { LoadFailure } from "../../../ui/feedback/failure-note.tsx";
import { Loading, Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { useNow } from "../../../ui/text/use-now.ts";
import { MatchCard } from "./match-card.tsx";
import { MatchFilters } from "./match-filters.tsx";
import { isListed, type MatchFilter } from "./match-list.ts";
import { useMatchList } from "./use-match-list.ts";
import "./matches-page.css";

const JoinDialog = prefetchedChunk(() => import("./join-dialog.tsx"));
const DetailsDialog = prefetchedChunk(() => import("./details-dialog.tsx"));

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
  const isPlayRestricted = isRestricted(useRestrictions());
  const [filter, setFilter] = useState<MatchFilter>({ mine: false, status: "", search: "" });
  const [opened, setOpened] = useState<Opened | null>(null);
  const viewerId = player?.id ?? null;

  return (
    <>
      <PageHead title="Matches">
        {!isPlayRestricted && (
          <ButtonLink href="/create-match" kind="primary">
            Create Match
          </ButtonLink>
        )}
      </PageHead>
      <RestrictionNote />
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
        value={filter.mine && player !== null ? "mine" : "all"}
        onChange={(tab) => setFilter({ ...filter, mine: tab === "mine" })}
      >
        <MatchFilters filter={filter} onChange={setFilter} />
        <MatchTickets filter={filter} viewerId={viewerId} onOpen={setOpened} />
      </Tabs>
      {opened !== null && (
        <Suspense>
          {opened.type === "fee" ? (
            <JoinDialog match={opened.match} onClose={() => setOpened(null)} />
          ) : (
            <DetailsDialog
              match={opened.match}
              onClose={() => setOpened(null)}
              onJoin={() => setOpened({ ...opened, type: "fee" })}
            />
          )}
        </Suspense>
      )}
    </>
  );
}

interface MatchTicketsProps {
  readonly filter: MatchFilter;
  readonly viewerId: string | null;
  readonly onOpen: (opened: Opened) => void;
}

function MatchTickets({ filter, viewerId, onOpen }: MatchTicketsProps) {
  const now = useNow(RELATIVE_TIME_MS);
  // typing filters the loaded matches at once; the server is asked when it pauses
  const search = useDebounced(filter.search.trim(), SEARCH_DEBOUNCE_MS);
  const { matches, isError, refetch } = useMatchList({ ...filter, search }, viewerId);
  const shown = matches?.filter((match) => isListed(match, filter, viewerId));

  if (shown === undefined && isError) {
    return (
      <LoadFailure
        text="The matches could not be loaded. Please try again in a moment."
        onTryAgain={() => void refetch()}
      />
    );
  }
  if (shown === undefined) return <TicketsLoading />;
  if (shown.length === 0) {
    return (
      <EmptyState
        text={
          filter.mine && filter.search === "" && filter.status === ""
            ? "You haven't participated in any matches yet."
            : "No matches found. Try adjusting your filters or create a new match."
        }
      />
    );
  }
  return (
    <ul className="tickets">
      {shown.map((match) => (
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
  );
}

function TicketsLoading() {
  return (
    <Loading text="Loading matches...">
      <div className="tickets">
        {["first", "second", "third", "fourth"].map((place) => (
          <Skeleton key={place} height="160px" />
        ))}
      </div>
    </Loading>
  );
}

/** Returns the value after it has not changed for `delayMs`. */
function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}
