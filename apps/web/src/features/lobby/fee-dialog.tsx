import { formatCoins } from "@holo/kernel/money.ts";
import type { MatchView } from "@holo/protocol/views.ts";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formatGame, toMatchTerms } from "../../ui/match.ts";
import { notify } from "../../ui/notify.ts";
import { sendLobbyCommand } from "./commands.ts";
import { TermsReceipt } from "./terms-receipt.tsx";
import { useGameStart } from "./use-game-start.ts";
import "./fee-dialog.css";

interface FeeDialogProps {
  readonly match: MatchView;
  readonly onClose: () => void;
}

/** What joining costs and what each outcome pays, before anything is taken (ruling 6). */
export default function FeeDialog({ match, onClose }: FeeDialogProps) {
  const { entry, winnings, drawReturn } = toMatchTerms(match);
  const [busy, setBusy] = useState(false);
  const startGame = useGameStart();

  async function join() {
    setBusy(true);
    const answer = await sendLobbyCommand({ type: "join", gameId: match.id });
    if (answer.type === "refused") return onClose();
    notify({ kind: "done", title: "Joined match!", text: "Starting game..." });
    startGame(answer.gameId);
  }

  return (
    <Dialog
      title="Transaction Fee"
      onClose={busy ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button kind="primary" busy={busy && "Joining..."} onClick={() => void join()}>
            Accept & Join
          </Button>
        </>
      }
    >
      <div className="fee-dialog">
        <p className="muted">
          {formatGame(match.game)} against <b className="strong">{match.white.username}</b>, {match.limitMinutes}{" "}
          minutes each.
        </p>
        <TermsReceipt game={match.game} stake={match.stake} feeBps={match.feeBps} />
        <p className="meta">
          You win: you receive {formatCoins(winnings)} HC. Draw: {formatCoins(drawReturn)} HC back. Cancelled: all{" "}
          {formatCoins(entry, "up")} HC back.
        </p>
      </div>
    </Dialog>
  );
}
