import { formatCoins, toKoboOwed } from "@holo/kernel/money.ts";
import type { MatchView, PlayerView } from "@holo/protocol/game/games.ts";
import type { InvitationView } from "@holo/protocol/match/invitations.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { isFree } from "@holo/table/stakes.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Redirect, useRoute } from "wouter";
import { fetchApi } from "../../../lib/api/api.ts";
import { Queries, refreshQueries } from "../../../lib/api/query.tsx";
import { idlePrefetchedChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { dropSavedPage, savePage } from "../../../lib/session/saved-page.ts";
import { useSession } from "../../../lib/session/session.ts";
import { toWanted } from "../../../lib/session/wanted-page.ts";
import { watchTable } from "../../../lib/socket/socket.ts";
import { formatGame, formatMode, seatOf, toMatchTerms } from "../../../shared/match/match.ts";
import { OutcomesReceipt, TermsReceipt } from "../../../shared/match/terms-receipt.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { OpponentLine } from "../../../shared/people/opponent-line.tsx";
import { addOutcomes, countGames, formatWinRate } from "../../../shared/people/outcomes.ts";
import { PlayerName } from "../../../shared/people/player-name.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { Loading } from "../../../ui/feedback/skeleton.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Opening } from "../../../ui/overlay/opening.tsx";
import { FreeJoinButton } from "../matches/free-join-button.tsx";
import "./invitation-page.css";

const JoinDialog = idlePrefetchedChunk(() => import("../matches/join-dialog.tsx"));

/** The page behind the link of a game by invitation (ruling 42). */
export default function InvitationPage() {
  usePageTitle("Invitation");
  const [, params] = useRoute<{ token: string }>("/invite/:token");
  return (
    <Queries>
      <Invitation token={params?.token ?? ""} />
    </Queries>
  );
}

function Invitation({ token }: { readonly token: string }) {
  const { player } = useSession();
  const { data, isPending } = useInvitation(token);

  // A visitor who registers by mail returns in another tab.
  const isWaiting = data?.match.status === "pending";
  useEffect(() => {
    if (isWaiting && player === null) savePage(location.pathname);
    else dropSavedPage();
  }, [isWaiting, player]);

  if (isPending) return <Loading text="Loading invitation..." />;
  if (data === undefined) return <Ended {...toRefusalView("unknown_invitation")} href="/matches" action="Matches" />;
  const { match } = data;
  const isOwn = seatOf(match, player?.id) !== null;
  if (isOwn && match.status !== "cancelled") return <Redirect to={`/game/${match.id}`} replace />;
  switch (match.status) {
    case "pending":
      return <Offer invitation={data} token={token} />;
    case "active":
      return (
        <Ended
          title="This game has begun"
          text="Someone has already joined."
          href={`/game/${match.id}`}
          action="Watch"
        />
      );
    case "completed":
      return (
        <Ended title="This game is over" text="This game has been played." href={`/game/${match.id}`} action="View" />
      );
    case "cancelled":
      return (
        <Ended
          title="This invitation has ended"
          text="It was cancelled, or nobody joined within 30 minutes. You paid nothing."
          href="/matches"
          action="Matches"
        />
      );
  }
}

interface EndedProps {
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly action: string;
}

function Ended({ title, text, href, action }: EndedProps) {
  return (
    <>
      <PageHead title={title} />
      <EmptyState text={text} action={<ButtonLink href={href}>{action}</ButtonLink>} />
    </>
  );
}

/**
 * The inviter is away after a minute without any page of the site (ruling 38). Only their presence
 * at the table is pushed.
 */
const AWAY_LOOK_EVERY_MS = 5_000;

function useInvitation(token: string) {
  const queryKey = ["invitation", token];
  const [isGone, setGone] = useState(false);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchApi("invitation", { params: { token } }, signal),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state: { data } }) =>
      data?.match.status === "pending" && (isGone || !data.isCreatorHere) ? AWAY_LOOK_EVERY_MS : false,
  });
  const gameId = query.data?.match.id;

  useEffect(() => {
    if (gameId === undefined) return;
    const refresh = () => void refreshQueries(["invitation", token]);
    // A waiting game has one record.
    let knownVersion = 1;
    let wasGone: boolean | null = null;
    const watch = watchTable(gameId, {
      invitation: token,
      onTable({ version, awaySinceAt }) {
        const isNowGone = awaySinceAt[0] !== null;
        // A probe of a quiet connection brings nothing new.
        if (version > knownVersion || (wasGone !== null && isNowGone !== wasGone)) refresh();
        knownVersion = version;
        wasGone = isNowGone;
        setGone(isNowGone);
      },
      onRecord: refresh,
      onPresence(seat, sinceAt) {
        if (seat !== 1) return;
        wasGone = sinceAt !== null;
        setGone(wasGone);
        refresh();
      },
      onMissing() {},
    });
    return watch.stop;
  }, [gameId, token]);

  return query;
}

interface OfferProps {
  readonly invitation: InvitationView;
  readonly token: string;
}

function Offer({ invitation: { match, isCreatorHere }, token }: OfferProps) {
  const { player, settings } = useSession();
  const { game, stake, feeBps, limitMinutes, white } = match;
  return (
    <>
      <PageHead title={`${white.username} invites you to play`} />
      <div className="invitation">
        <Panel className="invitation-terms" label="The game">
          <h2>
            {formatMode(game, limitMinutes)} <span className="meta">each</span>
          </h2>
          {isFree(stake) ? (
            <p>
              <b className="strong">Free game.</b> No stake, no fee and nothing to win.
            </p>
          ) : (
            <>
              <TermsReceipt
                game={game}
                stake={stake}
                feeBps={feeBps}
                note={formatNaira(toKoboOwed(toMatchTerms(match).buyIn, settings.rateKobo))}
              />
              <OutcomesReceipt game={game} stake={stake} feeBps={feeBps} rateKobo={settings.rateKobo} />
            </>
          )}
        </Panel>
        <div className="invitation-side">
          <Panel className="invitation-answer" label="Your answer">
            {!isCreatorHere && (
              <Note icon="clock">
                <b className="unbroken" translate="no">
                  {white.username}
                </b>{" "}
                is away right now. Keep this page open: you can join as soon as they're back.
              </Note>
            )}
            {player === null ? (
              <LoginFirst />
            ) : (
              <JoinInvited match={match} token={token} isCreatorHere={isCreatorHere} />
            )}
            <p className="meta">
              {!isFree(stake) && "You pay nothing until you accept. "}
              You must be 18 or older.
            </p>
          </Panel>
          <InviterPanel player={white} match={match} />
        </div>
      </div>
    </>
  );
}

function InviterPanel({ player, match }: { readonly player: PlayerView; readonly match: MatchView }) {
  const { data } = useQuery({
    queryKey: ["player", player.id],
    queryFn: ({ signal }) => fetchApi("player", { params: { id: player.id } }, signal),
  });
  const ofGame = data?.games[match.game];
  const all = data === undefined ? undefined : addOutcomes(Object.values(data.games));
  return (
    <Panel className="inviter" label="Your opponent">
      <h2>
        <PlayerName player={player} gameId={match.id} />
      </h2>
      <OpponentLine playerId={player.id} game={match.game} stake={match.stake} />
      <Receipt>
        <ReceiptRow term={`${formatGame(match.game)}: won, lost, drawn`}>
          {ofGame === undefined ? "–" : `${ofGame.wins}, ${ofGame.losses}, ${ofGame.draws}`}
        </ReceiptRow>
        <ReceiptRow term="All games played">{all === undefined ? "–" : countGames(all)}</ReceiptRow>
        <ReceiptRow term="Win rate">{all === undefined ? "–" : formatWinRate(all)}</ReceiptRow>
        <ReceiptRow term="Cancelled or never started">{data === undefined ? "–" : data.aborts}</ReceiptRow>
      </Receipt>
    </Panel>
  );
}

function LoginFirst() {
  const state = toWanted(window.location);
  return (
    <>
      <p>{toRefusalView("join_login_required").text}</p>
      <div className="actions">
        <ButtonLink href="/login" state={state}>
          Login
        </ButtonLink>
        <ButtonLink href="/register" state={state} kind="primary">
          Create Account
        </ButtonLink>
      </div>
    </>
  );
}

interface JoinInvitedProps {
  readonly match: MatchView;
  readonly token: string;
  readonly isCreatorHere: boolean;
}

function JoinInvited({ match, token, isCreatorHere }: JoinInvitedProps) {
  const [isAsked, setAsked] = useState(false);
  const { stakeTotal, fee } = toMatchTerms(match);
  function close(): void {
    setAsked(false);
    // A refusal may be the first to say that the inviter has gone.
    void refreshQueries(["invitation", token]);
  }

  if (isFree(match.stake)) {
    return (
      <FreeJoinButton
        match={match}
        invitation={token}
        kind="primary"
        wide
        resting={!isCreatorHere}
        onRefused={() => void refreshQueries(["invitation", token])}
      />
    );
  }
  return (
    <>
      <Button kind="primary" wide resting={!isCreatorHere} onClick={() => setAsked(true)}>
        Join Match ({formatCoins(stakeTotal)} coins + {formatCoins(fee, "up")} fee)
      </Button>
      {isAsked && (
        <Opening onDropped={close}>
          <JoinDialog match={match} invitation={token} onClose={close} />
        </Opening>
      )}
    </>
  );
}
