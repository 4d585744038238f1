import type { GameId } from "@holo/kernel/ids.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import type { PlayerFileView } from "@holo/protocol/admin/moderation.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { MatchBadge } from "../../../shared/match/match-badge.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { formatFutureTime } from "../../../ui/text/relative-time.ts";
import { CancelGameDialog } from "../moderation/cancel-game-dialog.tsx";
import { ReasonDialog, type ReasonDialogTexts } from "../reason-dialog.tsx";
import { StaffConflictNote } from "../staff-conflict-note.tsx";

const BAN_TEXTS: ReasonDialogTexts = {
  title: "Block the Player?",
  body: "They can't play, chat or deposit any more. A waiting game is cancelled, an active game goes on to its end. Blocking doesn't stop withdrawals: hold them too if they should wait.",
  submit: "Block",
  busy: "Blocking...",
  done: "Player blocked",
  reasonLabel: "Reason",
  reasonHint: "The player sees this and gets it by email. Write a full sentence.",
};
const LIFT_TEXTS: ReasonDialogTexts = {
  title: "Unblock the Player?",
  body: "They can play, chat and deposit again, within their own limits and breaks.",
  submit: "Unblock",
  busy: "Unblocking...",
  done: "Player unblocked",
  reasonLabel: "Reason",
  reasonHint: "The player gets this by email.",
};
const HOLD_TEXTS: ReasonDialogTexts = {
  title: "Hold the Withdrawals?",
  body: "Nothing is paid out to them until staff release the hold: it doesn't end by itself. They can't request new withdrawals. Transfers that the bank already has go on. They keep their coins. A hold doesn't stop play: block the player if it should.",
  submit: "Hold",
  busy: "Holding...",
  done: "Withdrawals held",
  reasonLabel: "Reason",
  reasonHint: "The player sees this in the wallet. Write a full sentence.",
};
const RELEASE_TEXTS: ReasonDialogTexts = {
  title: "Release the Withdrawals?",
  body: "Waiting withdrawals are sent now, and new ones are possible again, unless a dispute or a debt stops them.",
  submit: "Release",
  busy: "Releasing...",
  done: "Withdrawals released",
  reasonLabel: "What you found",
  reasonHint: "Kept in the activity log.",
};

/** Maximum length in the protocol. */
const REASON_MAX = 500;

/** As shown when it was opened: the file behind is reloaded while staff write their reason. */
type OpenedDialog =
  | { readonly type: "ban"; readonly banId: string | null }
  | { readonly type: "hold"; readonly holdId: string | null }
  | { readonly type: "cancel"; readonly gameId: GameId };

interface AccountPanelProps {
  readonly file: PlayerFileView;
  readonly now: number;
}

export function AccountPanel({ file, now }: AccountPanelProps) {
  const { player, balance, openGame, gameHeldBack, limits, banId, withdrawalHoldId: holdId } = file;
  const [opened, setOpened] = useState<OpenedDialog | null>(null);
  const close = () => setOpened(null);
  const isHeld = holdId !== null;
  return (
    <Panel label="Account">
      <p className="whose">
        <b>{player.email}</b>
        <span className="meta">{player.id}</span>
      </p>
      <Receipt>
        <ReceiptRow term="Email verified">{player.isVerified ? "Yes" : "No"}</ReceiptRow>
        <ReceiptRow term="Registered">{formatFutureTime(player.sinceAt, now)}</ReceiptRow>
        <ReceiptRow term="Balance">{formatCoins(readCoins(balance))} HC</ReceiptRow>
        <ReceiptRow term="Open game">
          {openGame === null ? "None" : <MatchBadge status={openGame.status === "waiting" ? "pending" : "active"} />}
        </ReceiptRow>
        {limits.excludedUntil !== null && (
          <ReceiptRow term="On a break until">{formatFutureTime(limits.excludedUntil, now)}</ReceiptRow>
        )}
        {limits.closingAt !== null && (
          <ReceiptRow term="Closing since">{formatFutureTime(limits.closingAt, now)}</ReceiptRow>
        )}
      </Receipt>
      {limits.bannedFor !== null && (
        <p className="blocked-for">
          <b>Blocked.</b> {limits.bannedFor}
        </p>
      )}
      {isHeld && (
        <p className="blocked-for">
          <b>Withdrawals held.</b> {limits.withdrawalsHeldFor}
        </p>
      )}
      {player.heldBack !== null ? (
        <StaffConflictNote why={player.heldBack} />
      ) : (
        <div className="actions">
          <Button size="small" onClick={() => setOpened({ type: "ban", banId })}>
            {banId === null ? "Block" : "Unblock"}
          </Button>
          <Button size="small" onClick={() => setOpened({ type: "hold", holdId })}>
            {isHeld ? "Release withdrawals" : "Hold withdrawals"}
          </Button>
          {openGame?.status === "active" && gameHeldBack === null && (
            <Button size="small" onClick={() => setOpened({ type: "cancel", gameId: openGame.gameId })}>
              Cancel their game
            </Button>
          )}
        </div>
      )}
      {opened?.type === "ban" && <BanDialog playerId={player.id} banId={opened.banId} onClose={close} />}
      {opened?.type === "hold" && <WithdrawalHoldDialog playerId={player.id} holdId={opened.holdId} onClose={close} />}
      {opened?.type === "cancel" && <CancelGameDialog gameId={opened.gameId} onClose={close} />}
    </Panel>
  );
}

interface BanDialogProps {
  readonly playerId: string;
  readonly banId: string | null;
  readonly onClose: () => void;
}

function BanDialog({ playerId, banId, onClose }: BanDialogProps) {
  return (
    <ReasonDialog
      texts={banId === null ? BAN_TEXTS : LIFT_TEXTS}
      kind={banId === null ? "danger" : "primary"}
      reasonMax={REASON_MAX}
      send={(reason) =>
        banId === null
          ? callApi("banPlayer", { body: { playerId, reason } })
          : callApi("unbanPlayer", { body: { playerId, banId, reason } })
      }
      onClose={onClose}
    />
  );
}

interface WithdrawalHoldDialogProps {
  readonly playerId: string;
  readonly holdId: string | null;
  readonly onClose: () => void;
}

function WithdrawalHoldDialog({ playerId, holdId, onClose }: WithdrawalHoldDialogProps) {
  return (
    <ReasonDialog
      texts={holdId === null ? HOLD_TEXTS : RELEASE_TEXTS}
      reasonMax={REASON_MAX}
      send={(reason) =>
        holdId === null
          ? callApi("holdWithdrawals", { body: { playerId, reason } })
          : callApi("releaseWithdrawals", { body: { playerId, holdId, reason } })
      }
      onClose={onClose}
    />
  );
}
