import { formatCoins } from "@holo/kernel/money.ts";
import type { PlayerFileView } from "@holo/protocol/admin/moderation.ts";
import { useState } from "react";
import { readCoins } from "../../../lib/api/coins.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { formatMoment } from "../../../ui/text/relative-time.ts";
import { ProtectedPlayerNote } from "../admins/staff-role.tsx";
import { CancelGameDialog } from "../moderation/cancel-game-dialog.tsx";
import { BanDialog } from "./ban-dialog.tsx";
import { WithdrawalHoldDialog } from "./withdrawal-hold-dialog.tsx";

interface AccountPanelProps {
  readonly file: PlayerFileView;
  readonly now: number;
}

/** A player's account, with the actions of staff. */
export function AccountPanel({ file: { player, balance, openGame, gameHeldBack, limits }, now }: AccountPanelProps) {
  const [opened, setOpened] = useState<"block" | "hold" | "cancel" | null>(null);
  const close = () => setOpened(null);
  const isHeld = limits.withdrawalsHeldFor !== null;
  return (
    <Panel label="Account">
      <p className="whose">
        <b>{player.email}</b>
        <span className="meta">{player.id}</span>
      </p>
      <Receipt>
        <ReceiptRow term="Email verified">{player.isVerified ? "Yes" : "No"}</ReceiptRow>
        <ReceiptRow term="Registered">{formatMoment(player.sinceAt, now)}</ReceiptRow>
        <ReceiptRow term="Balance">{formatCoins(readCoins(balance))} HC</ReceiptRow>
        <ReceiptRow term="Open game">{openGame === null ? "None" : openGame.status}</ReceiptRow>
        {limits.excludedUntil !== null && (
          <ReceiptRow term="On a break until">{formatMoment(limits.excludedUntil, now)}</ReceiptRow>
        )}
        {limits.closingAt !== null && (
          <ReceiptRow term="Closing since">{formatMoment(limits.closingAt, now)}</ReceiptRow>
        )}
      </Receipt>
      {limits.blockedFor !== null && (
        <p className="blocked-for">
          <b>Blocked.</b> {limits.blockedFor}
        </p>
      )}
      {isHeld && (
        <p className="blocked-for">
          <b>Withdrawals held.</b> {limits.withdrawalsHeldFor}
        </p>
      )}
      {player.heldBack !== null ? (
        <ProtectedPlayerNote why={player.heldBack} />
      ) : (
        <div className="actions">
          <Button size="small" onClick={() => setOpened("block")}>
            {player.isBlocked ? "Unblock" : "Block"}
          </Button>
          <Button size="small" onClick={() => setOpened("hold")}>
            {isHeld ? "Release withdrawals" : "Hold withdrawals"}
          </Button>
          {openGame?.status === "active" && gameHeldBack === null && (
            <Button size="small" onClick={() => setOpened("cancel")}>
              Cancel their game
            </Button>
          )}
        </div>
      )}
      {opened === "block" && <BanDialog playerId={player.id} isBanned={player.isBlocked} onClose={close} />}
      {opened === "hold" && <WithdrawalHoldDialog playerId={player.id} isHeld={isHeld} onClose={close} />}
      {opened === "cancel" && openGame !== null && <CancelGameDialog gameId={openGame.gameId} onClose={close} />}
    </Panel>
  );
}
