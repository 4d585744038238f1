import type { PlayerFileView } from "@holo/protocol/admin/moderation.ts";
import { STAFF_CONFLICTS } from "@holo/protocol/admin/staff-conflicts.ts";
import { useQuery } from "@tanstack/react-query";
import { fetchApi, isRefusalView } from "../../../lib/api/api.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { MatchRows } from "../../../shared/match/match-rows.tsx";
import { PaymentRow } from "../../../shared/money/payment-row.tsx";
import { ShowMore } from "../../../ui/data/show-more.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { RefusalNote } from "../../../ui/feedback/failure-note.tsx";
import { Collapsible } from "../../../ui/layout/collapsible.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { formatFutureTime, formatRelativeTimeWithin } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { adminKey, REFETCH_MS } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { ReportList } from "../moderation/report-list.tsx";
import { AccountPanel } from "./account-panel.tsx";
import { PlayerStatement } from "./player-statement.tsx";
import { RoleBadge } from "./role-badge.tsx";
import "./player-details.css";

const CLOCK_MS = 30_000;

interface PlayerDetailsProps {
  readonly viewerId: string;
  readonly shownId: string;
}

export function PlayerDetails({ viewerId, shownId }: PlayerDetailsProps) {
  const query = useQuery({
    queryKey: adminKey(viewerId, "player", shownId),
    queryFn: ({ signal }) => fetchApi("playerFile", { params: { id: shownId } }, signal),
    refetchInterval: REFETCH_MS,
  });
  const cause = query.error?.cause;
  if (isRefusalView(cause) && STAFF_CONFLICTS.some((why) => why === cause.code)) {
    return (
      <>
        <PageHead title="Players" />
        <RefusalNote refusal={cause} />
      </>
    );
  }
  return (
    <>
      {query.data === undefined && <PageHead title="Players" />}
      <Loaded query={query} loading="Loading the player..." failed="We couldn't load this player.">
        {(file) => <Details file={file} playerId={viewerId} />}
      </Loaded>
    </>
  );
}

function Details({ file, playerId }: { readonly file: PlayerFileView; readonly playerId: string }) {
  const { player, payments, sessions, reports } = file;
  const now = useNow(CLOCK_MS);
  return (
    <>
      <PageHead title={player.username}>
        {player.isBanned && <Badge kind="lost">Blocked</Badge>}
        <RoleBadge role={player.role} />
      </PageHead>
      <div className="player-details">
        <AccountPanel file={file} now={now} />
        <Collapsible title="Games" startsOpen>
          <PlayerGames viewerId={playerId} shownId={player.id} />
        </Collapsible>
        <Collapsible title="Statement">
          <PlayerStatement viewerId={playerId} shownId={player.id} />
        </Collapsible>
        <Collapsible title="Payments" note={<Count of={payments} />}>
          {payments.length === 0 && <p className="muted">No payments.</p>}
          <ul>
            {payments.map((payment) => (
              <PaymentRow key={payment.id} payment={payment} now={now} />
            ))}
          </ul>
        </Collapsible>
        <Collapsible title="Reports about this player" note={<Count of={reports} />}>
          <ReportList reports={reports} />
        </Collapsible>
        <Collapsible title="Logged in on" note={<Count of={sessions} />}>
          {sessions.length === 0 && <p className="muted">No devices.</p>}
          <ul className="player-sessions">
            {sessions.map(({ device, startedAt, seenAt }) => (
              <li key={`${device} ${startedAt}`}>
                <b>{device}</b>
                <span className="meta">
                  since {formatFutureTime(startedAt, now)}, last seen {formatRelativeTimeWithin(seenAt, now)}
                </span>
              </li>
            ))}
          </ul>
        </Collapsible>
      </div>
    </>
  );
}

function Count({ of: { length } }: { readonly of: readonly unknown[] }) {
  return <span className="meta">{length}</span>;
}

interface PlayerGamesProps {
  readonly viewerId: string;
  readonly shownId: string;
}

function PlayerGames({ viewerId, shownId }: PlayerGamesProps) {
  const query = usePages({
    queryKey: adminKey(viewerId, "games", shownId),
    load: (before, signal) => fetchApi("playerGames", { params: { id: shownId }, query: { before } }, signal),
    toRows: (page) => page.matches,
  });
  return (
    <Loaded query={query} loading="Loading games..." failed="We couldn't load the games.">
      {(matches) => (
        <>
          {matches.length === 0 && <p className="muted">No games.</p>}
          <MatchRows matches={matches} playerId={shownId} />
          <ShowMore query={query} />
        </>
      )}
    </Loaded>
  );
}
