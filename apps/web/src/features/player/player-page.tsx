import type { PlayerStatsView } from "@holo/protocol/accounts/players.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useRoute } from "wouter";
import { fetchApi } from "../../lib/api/api.ts";
import { Queries } from "../../lib/api/query.tsx";
import { idlePrefetchedChunk } from "../../lib/chunks/lazy-chunk.ts";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { receiveRelation } from "../../lib/session/relations.ts";
import { useSession } from "../../lib/session/session.ts";
import { seatOf } from "../../shared/match/match.ts";
import { Score } from "../../shared/people/opponent-line.tsx";
import { addOutcomes, countGames, formatWinRate } from "../../shared/people/outcomes.ts";
import { RatedPlay } from "../../shared/people/rated-play.tsx";
import { RecentResults } from "../../shared/people/recent-results.tsx";
import { RelationButtons } from "../../shared/people/relation-buttons.tsx";
import { useMayPlay } from "../../shared/restrictions/use-may-play.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { Receipt, ReceiptRow } from "../../ui/data/receipt.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadFailure } from "../../ui/feedback/failure-note.tsx";
import { Loading, Skeleton } from "../../ui/feedback/skeleton.tsx";
import { Disc } from "../../ui/icon/disc.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { Opening } from "../../ui/overlay/opening.tsx";
import { formatRelativeTimeWithin } from "../../ui/text/relative-time.ts";
import "./player-page.css";

const PlayerDialogs = idlePrefetchedChunk(() => import("../../shared/people/player-dialogs.tsx"));

/** Any player, for everyone. */
export default function PlayerPage() {
  const [, params] = useRoute<{ name: string }>("/player/:name");
  const name = params?.name ?? "";
  usePageTitle(name);
  return (
    <Queries>
      <Player name={name} />
    </Queries>
  );
}

function Player({ name }: { readonly name: string }) {
  const viewerId = useSession().player?.id ?? null;
  const { data, isError, error, refetch } = useQuery({
    queryKey: ["player", "named", name.toLowerCase(), viewerId],
    queryFn: ({ signal }) => fetchApi("playerNamed", { params: { name } }, signal),
    staleTime: 0,
  });
  useEffect(() => {
    if (data !== undefined) receiveRelation(data.player.id, data.relation);
  }, [data]);
  if (data !== undefined) return <PlayerView stats={data} isOwn={data.player.id === viewerId} />;
  if (!isError) return <PlayerLoading />;
  if (isUnknown(error)) {
    return (
      <EmptyState
        title="No such player"
        text="Nobody has this name. It may have been misspelled."
        action={<ButtonLink href="/leaderboard">Leaderboard</ButtonLink>}
      />
    );
  }
  return (
    <LoadFailure text="We couldn't load this player. Please try again in a moment." onTryAgain={() => void refetch()} />
  );
}

function isUnknown({ cause }: Error): boolean {
  return typeof cause === "object" && cause !== null && "code" in cause && cause.code === "unknown_player";
}

interface PlayerViewProps {
  readonly stats: PlayerStatsView;
  readonly isOwn: boolean;
}

function PlayerView({ stats, isOwn }: PlayerViewProps) {
  const { player, recent, rated } = stats;
  return (
    <div className="player-page">
      <PlayerHead stats={stats} isOwn={isOwn} />
      <RatedPlay rated={rated} empty={`${player.username} has played no rated game yet.`} />
      <div className="player-page-columns">
        <Panel label="All games">
          <h2>All games</h2>
          <Totals stats={stats} />
        </Panel>
        <Panel label="Recent games">
          <h2>Recent games</h2>
          {recent.length === 0 ? (
            <p className="muted">No finished game yet.</p>
          ) : (
            <RecentResults player={player} matches={recent} />
          )}
        </Panel>
      </div>
    </div>
  );
}

function PlayerHead({ stats: { player, sinceAt, relation, recent, score }, isOwn }: PlayerViewProps) {
  const { player: viewer, openGame } = useSession();
  const mayPlay = useMayPlay();
  const [dialog, setDialog] = useState<"block" | "report" | null>(null);
  // A report is kept with a game: one between the two, if there is one.
  const reported = recent.find((match) => seatOf(match, viewer?.id) !== null) ?? recent[0];
  const close = () => setDialog(null);
  return (
    <header className="player-head">
      <Disc seat={1} crowned size={72} />
      <div className="who">
        <h1 className="unbroken" translate="no">
          {player.username}
        </h1>
        <p className="meta">Registered {formatRelativeTimeWithin(sinceAt, serverClock.now())}</p>
        {score !== null && (
          <p className="opponent-line">
            <Score score={score} />
          </p>
        )}
      </div>
      {isOwn ? (
        <ButtonLink href="/profile">Your profile</ButtonLink>
      ) : (
        <div className="acts">
          {mayPlay && openGame === null && (
            <ButtonLink kind="primary" href="/create-match?opponent=friend">
              Challenge
            </ButtonLink>
          )}
          {relation !== null && (
            <RelationButtons
              player={player}
              onBlock={() => setDialog("block")}
              onReport={reported === undefined ? null : () => setDialog("report")}
            />
          )}
        </div>
      )}
      {dialog !== null && (
        <Opening onDropped={close}>
          <PlayerDialogs player={player} gameId={reported?.id ?? null} first={dialog} onClose={close} />
        </Opening>
      )}
    </header>
  );
}

function Totals({ stats: { games, aborts } }: { readonly stats: PlayerStatsView }) {
  const all = addOutcomes(Object.values(games));
  return (
    <Receipt>
      <ReceiptRow term="Staked games">{countGames(all)}</ReceiptRow>
      <ReceiptRow term="Won, lost, drawn">
        {all.wins}, {all.losses}, {all.draws}
      </ReceiptRow>
      <ReceiptRow term="Win rate">{formatWinRate(all)}</ReceiptRow>
      <ReceiptRow term="Cancelled or never started">{aborts}</ReceiptRow>
    </Receipt>
  );
}

function PlayerLoading() {
  return (
    <Loading text="Loading player...">
      <div className="player-page">
        <Skeleton width="240px" height="72px" />
        <Skeleton height="240px" />
        <Skeleton height="160px" />
      </div>
    </Loading>
  );
}
