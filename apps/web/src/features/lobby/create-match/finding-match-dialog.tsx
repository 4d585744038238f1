import type { GameId } from "@holo/kernel/ids.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { isFree } from "@holo/table/stakes.ts";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { callApi } from "../../../lib/api/api.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatGame, toGameTerms } from "../../../shared/match/match.ts";
import { cancelMatch } from "../../../shared/match/match-commands.ts";
import { OpponentLine } from "../../../shared/people/opponent-line.tsx";
import { JOINED_NOTICE_REASON, NoticePermission } from "../../../shared/settings/notice-permission.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Progress } from "../../../ui/feedback/progress.tsx";
import { Disc } from "../../../ui/icon/disc.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { dismissNotice, notify } from "../../../ui/overlay/notify.ts";
import { formatMinutes } from "../../../ui/text/format-minutes.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import type { MatchChoice } from "./match-choice.ts";
import "./finding-match-dialog.css";

const STEP_PERCENT = 5;
const STEP_MS = 200;

interface FindingMatchDialogProps {
  readonly choice: MatchChoice;
  readonly gameId: GameId;
  readonly isFound: boolean;
  /** A match of another player that this one could be exchanged for. */
  readonly offer: MatchView | null;
  readonly onCancelled: () => void;
  readonly onSwitch: (offer: MatchView) => void;
  readonly onLeave: () => void;
}

/** Shown until an opponent joins. Cancel refunds the buy-in; leaving keeps the match. */
export function FindingMatchDialog(props: FindingMatchDialogProps) {
  const { choice, gameId, isFound, offer, onCancelled, onSwitch, onLeave } = props;
  const { settings } = useSession();
  const percent = useLoopingPercent();
  const [busy, setBusy] = useState(false);
  const { buyIn } = toGameTerms(choice.game, choice.stake, settings.feeBps);
  const paid = isFree(choice.stake) ? null : `${formatCoins(buyIn, "up")} HC`;

  useEffect(() => {
    if (isFound) {
      notify({ kind: "done", title: "Match found!", text: "Starting game..." });
      return;
    }
    const id = notify({
      kind: "notice",
      title: "Waiting for opponent",
      text: "Looking for a player to join your game...",
    });
    return () => dismissNotice(id);
  }, [isFound]);

  async function cancel() {
    setBusy(true);
    if (await cancelMatch({ id: gameId, stake: choice.stake })) onCancelled();
    else setBusy(false);
  }

  /** The own match ends first: a player has one open match (ruling 21). */
  async function switchTo(match: MatchView) {
    setBusy(true);
    if (await cancelMatch({ id: gameId, stake: choice.stake })) onSwitch(match);
    else setBusy(false);
  }

  return (
    <Dialog
      title={isFound ? "Match found!" : "Finding Match"}
      art={
        <span className="finding-match-discs">
          <Disc seat={1} size={76} />
          <Disc seat={2} size={76} className={isFound ? "" : "absent"} />
        </span>
      }
      actions={
        <>
          <Button disabled={isFound || busy} onClick={onLeave}>
            Keep and Leave
          </Button>
          <Button busy={busy && "Cancelling..."} disabled={isFound} onClick={() => void cancel()}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="finding-match">
        <p className="muted">{isFound ? "Starting game..." : "Looking for a player to join your game..."}</p>
        {isFound && <FoundOpponent gameId={gameId} />}
        <Progress label="Finding Match" percent={isFound ? 100 : percent} />
        {!isFound && <Elapsed />}
        <p className="terms">
          <span>
            {formatGame(choice.game)}, {paid !== null && `${choice.stake} HC per piece, `}
            {choice.limitMinutes} minutes
          </span>
          <b className="strong">{paid ?? "Free"}</b>
        </p>
        <p className="meta">
          {paid !== null && `Cancel and you get all ${paid} back. `}
          Leave and your match stays open: you're taken to the game when someone joins.
        </p>
        {!isFound && offer !== null && (
          <div className="switch-offer">
            <p>
              {formatGame(offer.game)} {paid === null ? "free" : `for ${offer.stake} HC`} has a player now.{" "}
              <span className="meta">Your match is cancelled{paid !== null && " and refunded"} first.</span>
            </p>
            <Button size="small" disabled={busy} onClick={() => void switchTo(offer)}>
              Switch
            </Button>
          </div>
        )}
        {!isFound && (
          <p className="meanwhile">
            Meanwhile:{" "}
            <Link href="/practice" className="link alone">
              Practice
            </Link>{" "}
            <Link href="/matches?status=active" className="link alone">
              Watch a game
            </Link>
          </p>
        )}
        <NoticePermission reason={JOINED_NOTICE_REASON} />
      </div>
    </Dialog>
  );
}

const SECOND_MS = 1_000;

function Elapsed() {
  const now = useNow(SECOND_MS);
  const [since] = useState(now);
  return (
    <p className="meta" role="timer" aria-label="Waiting time">
      Waiting {formatMinutes(Math.max(0, Math.floor((now - since) / SECOND_MS)))}
    </p>
  );
}

/** Who joined, and what they are like as an opponent. */
function FoundOpponent({ gameId }: { readonly gameId: GameId }) {
  const [match, setMatch] = useState<MatchView | null>(null);
  const ownId = useSession().player?.id;
  useEffect(() => {
    void callApi("match", { params: { id: gameId } }).then((answer) => answer.ok && setMatch(answer.value));
  }, [gameId]);
  const opponent = match?.white.id === ownId ? match?.black : match?.white;
  if (match === null || opponent === null || opponent === undefined) return null;
  return (
    <p className="found">
      <b className="unbroken" translate="no">
        {opponent.username}
      </b>{" "}
      <OpponentLine playerId={opponent.id} game={match.game} stake={match.stake} />
    </p>
  );
}

/** Loops from 0 to 100: it shows activity, not progress. */
function useLoopingPercent(): number {
  const [percent, setPercent] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setPercent((shown) => (shown >= 100 ? 0 : shown + STEP_PERCENT)), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return percent;
}
