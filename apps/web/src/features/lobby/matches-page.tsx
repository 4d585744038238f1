import type { MatchView } from "@holo/protocol/views.ts";
import { Suspense, useState } from "react";
import { nearPart } from "../../lib/late-part.ts";
import { Queries } from "../../lib/query.tsx";
import { useSession } from "../../lib/session.ts";
import { BreakNotice } from "../../ui/break-notice.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { usePageTitle } from "../../ui/page-title.ts";
import { isBarred } from "../../ui/permit.ts";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useLimits } from "../../ui/use-limits.ts";
import { useNow } from "../../ui/use-now.ts";
import { MatchCard } from "./match-card.tsx";
import { MatchFilters } from "./match-filters.tsx";
import { isListed, type MatchFilter } from "./match-list.ts";
import { useMatchList } from "./use-match-list.ts";
import { useRested } from "./use-rested.ts";
import "./matches-page.css";

const JoinDialog = nearPart(() => import("./join-dialog.tsx"));
const DetailsDialog = nearPart(() => import("./details-dialog.tsx"));

type Opened = { readonly type: "fee" | "details"; readonly match: MatchView };

const RELATIVE_TIME_MS = 30_000;
const TYPING_RESTS_MS = 250;

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
  const isOnBreak = isBarred(useLimits());
  const [filter, setFilter] = useState<MatchFilter>({ mine: false, status: "", search: "" });
  const [opened, setOpened] = useState<Opened | null>(null);
  const viewerId = player?.id ?? null;

  return (
    <>
      <PageHead title="Matches">
        {!isOnBreak && (
          <ButtonLink href="/create-match" kind="primary">
            Create Match
          </ButtonLink>
        )}
      </PageHead>
      <BreakNotice />
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
  // what is known is narrowed with every letter, the server is asked when the typing rests
  const search = useRested(filter.search.trim(), TYPING_RESTS_MS);
  const { matches, isError, refetch } = useMatchList({ ...filter, search }, viewerId);
  const shown = matches?.filter((match) => isListed(match, filter, viewerId));

  if (shown === undefined && isError) {
    return (
      <Unloaded
        text="The matches could not be loaded. Please try again in a moment."
        onTryAgain={() => void refetch()}
      />
    );
  }
  if (shown === undefined) return <TicketsLoading />;
  if (shown.length === 0) {
    return (
      <Empty
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
