import { formatCoins } from "@holo/kernel/money.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { isFree } from "@holo/table/stakes.ts";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { MiniBoard } from "../../../shared/board/picture/mini-board.tsx";
import { JoinLabel } from "../../../shared/match/join-label.tsx";
import { formatMissingOpponent, formatMode, parseBoard, seatOf, toMatchTerms } from "../../../shared/match/match.ts";
import { LobbyBadge } from "../../../shared/match/match-badge.tsx";
import { cancelMatch } from "../../../shared/match/match-commands.ts";
import { MatchStake } from "../../../shared/match/match-stake.tsx";
import { OpponentLine } from "../../../shared/people/opponent-line.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { formatRelativeTime } from "../../../ui/text/relative-time.ts";
import { FreeJoinButton } from "./free-join-button.tsx";
import { toWinnerName } from "./match-details.ts";
import "./match-card.css";

interface MatchCardProps {
  readonly match: MatchView;
  readonly viewerId: string | null;
  readonly now: number;
  readonly onJoin: () => void;
  readonly onDetails: () => void;
}

export function MatchCard({ match, viewerId, now, onJoin, onDetails }: MatchCardProps) {
  const { white, black } = match;
  const seat = seatOf(match, viewerId ?? undefined);
  const { winnings } = toMatchTerms(match);
  const isOngoing = match.status === "pending" || match.status === "active";
  return (
    <Ticket
      href={`/game/${match.id}`}
      label={`${white.username}${black === null ? `. ${formatMissingOpponent(match.status)}` : ` vs ${black.username}`}`}
      stub={<MiniBoard game={match.game} pieces={parseBoard(match.game, match.board)} />}
    >
      <div className="match-card-head">
        <h3>
          <b className="unbroken" translate="no">
            {white.username}
          </b>{" "}
          {black === null ? (
            <span className="absence">{formatMissingOpponent(match.status)}</span>
          ) : (
            <>
              <span>vs</span>{" "}
              <b className="unbroken" translate="no">
                {black.username}
              </b>
            </>
          )}
        </h3>
        <LobbyBadge status={match.status} />
      </div>
      <div className="match-card-terms">
        <p className="meta">
          {formatMode(match.game, match.limitMinutes)}
          <Winner match={match} />
        </p>
        <time dateTime={new Date(match.createdAt).toISOString()}>{formatRelativeTime(match.createdAt, now)}</time>
      </div>
      {match.status === "pending" && seat === null && (
        <OpponentLine playerId={white.id} game={match.game} stake={match.stake} />
      )}
      <div className="match-card-foot">
        <p className="match-card-money">
          <MatchStake match={match} />{" "}
          {isOngoing && !isFree(match.stake) && <span>Winner receives {formatCoins(winnings)} HC</span>}
        </p>
        <div className="actions">
          <MatchActions match={match} seat={seat} onJoin={onJoin} onDetails={onDetails} />
        </div>
      </div>
    </Ticket>
  );
}

function Winner({ match }: { readonly match: MatchView }) {
  if (match.status !== "completed") return null;
  const name = toWinnerName(match);
  if (name === null) return ". Draw";
  return (
    <>
      . Winner{" "}
      <b className="strong unbroken" translate="no">
        {name}
      </b>
    </>
  );
}

type MatchActionsProps = Pick<MatchCardProps, "match" | "onJoin" | "onDetails"> & { readonly seat: Seat | null };

function MatchActions({ match, seat, onJoin, onDetails }: MatchActionsProps) {
  switch (match.status) {
    case "pending":
      return seat === null ? <JoinButton match={match} onJoin={onJoin} /> : <OwnPendingActions match={match} />;
    case "active":
      return (
        <>
          <DetailsButton onDetails={onDetails} />
          {seat !== null && (
            <ButtonLink href={`/game/${match.id}`} size="small">
              Join Game
            </ButtonLink>
          )}
        </>
      );
    case "completed":
    case "cancelled":
      return <DetailsButton onDetails={onDetails} />;
  }
}

function JoinButton({ match, onJoin }: Pick<MatchCardProps, "match" | "onJoin">) {
  if (isFree(match.stake)) return <FreeJoinButton match={match} size="small" className="join" />;
  const { stakeTotal, fee } = toMatchTerms(match);
  return (
    <Button size="small" className="join" onClick={onJoin}>
      <JoinLabel stakeTotal={stakeTotal} fee={fee} />
    </Button>
  );
}

function DetailsButton({ onDetails }: Pick<MatchCardProps, "onDetails">) {
  return (
    <Button size="small" kind="quiet" onClick={onDetails}>
      View Details
    </Button>
  );
}

function OwnPendingActions({ match }: Pick<MatchCardProps, "match">) {
  const [busy, setBusy] = useState(false);

  async function cancel() {
    setBusy(true);
    await cancelMatch(match);
    setBusy(false);
  }

  return (
    <>
      <Button size="small" kind="quiet" busy={busy && "Cancelling..."} onClick={() => void cancel()}>
        Cancel Match
      </Button>
      <ButtonLink href={`/game/${match.id}`} size="small">
        View
      </ButtonLink>
    </>
  );
}

interface TicketProps {
  readonly href: string;
  readonly stub: ReactNode;
  readonly label: string;
  readonly children: ReactNode;
}

/** A press anywhere but on a button opens its game. */
function Ticket({ href, stub, label, children }: TicketProps) {
  return (
    <article className="ticket" aria-label={label}>
      <Link href={href} className="stub" aria-label={`Open ${label}`}>
        {stub}
      </Link>
      <div className="body">{children}</div>
    </article>
  );
}
