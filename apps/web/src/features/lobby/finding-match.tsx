import { formatCoins } from "@holo/kernel/money.ts";
import { toTerms } from "@holo/table/stakes.ts";
import { useEffect, useState } from "react";
import { useSession } from "../../lib/session.ts";
import { watchTable } from "../../lib/socket.ts";
import type { TableHandlers } from "../../lib/socket-tables.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Disc } from "../../ui/disc.tsx";
import { formatGame, PIECE_COUNTS } from "../../ui/match.ts";
import { dismissNotice, notify } from "../../ui/notify.ts";
import { Progress } from "../../ui/progress.tsx";
import { cancelMatch } from "./commands.ts";
import type { MatchChoice } from "./match-choice.ts";
import "./finding-match.css";

const STEP_PERCENT = 5;
const STEP_MS = 200;

/**
 * What happens to the game is heard elsewhere. It is watched because only a watched table is asked about when all is quiet: a connection
 * that died without a word is noticed within seconds, and not by a player who waits in vain.
 */
const UNHEARD: TableHandlers = { onTable() {}, onEntry() {}, onPresence() {}, onMissing() {} };

interface FindingMatchProps {
  readonly choice: MatchChoice;
  readonly gameId: string;
  readonly isFound: boolean;
  readonly onCancelled: () => void;
}

/** Stands while nobody has joined yet. It is left by Cancel alone, which gives the whole entry back. */
export function FindingMatch({ choice, gameId, isFound, onCancelled }: FindingMatchProps) {
  const { settings } = useSession();
  const percent = useLoopingPercent();
  const [busy, setBusy] = useState(false);
  const { entry } = toTerms(choice.stake, PIECE_COUNTS[choice.game], settings.feeBps);
  const paid = `${formatCoins(entry, "up")} HC`;

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

  useEffect(() => {
    const watch = watchTable(gameId, UNHEARD);
    return watch.stop;
  }, [gameId]);

  async function cancel() {
    setBusy(true);
    if (await cancelMatch(gameId)) onCancelled();
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
        <Button busy={busy && "Cancelling..."} disabled={isFound} onClick={() => void cancel()}>
          Cancel
        </Button>
      }
    >
      <div className="finding-match">
        <p className="muted">{isFound ? "Starting game..." : "Looking for a player to join your game..."}</p>
        <Progress label="Finding Match" percent={isFound ? 100 : percent} />
        <p className="terms">
          <span>
            {formatGame(choice.game)}, {choice.stake} HC per piece, {choice.limitMinutes} minutes
          </span>
          <b className="strong">{paid}</b>
        </p>
        <p className="meta">Cancel, and all {paid} come back at once.</p>
      </div>
    </Dialog>
  );
}

/** 0, 5, ... 100 and again: it says that the search goes on, not how far it is. */
function useLoopingPercent(): number {
  const [percent, setPercent] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setPercent((shown) => (shown >= 100 ? 0 : shown + STEP_PERCENT)), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return percent;
}
