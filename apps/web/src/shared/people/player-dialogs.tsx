import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog.tsx";
import { PlayerStats } from "./player-stats.tsx";
import { setBlocked } from "./relation-commands.ts";
import { ReportDialog } from "./report-dialog.tsx";

type Step = "record" | "block" | "report";

interface PlayerDialogsProps {
  readonly player: PlayerView;
  readonly gameId: GameId | null;
  readonly first?: Step;
  readonly onClose: () => void;
}

export default function PlayerDialogs({ player, gameId, first = "record", onClose }: PlayerDialogsProps) {
  const [step, setStep] = useState(first);
  switch (step) {
    case "record":
      return (
        <PlayerStats
          player={player}
          onClose={onClose}
          onBlock={() => setStep("block")}
          onReport={gameId === null ? null : () => setStep("report")}
        />
      );
    case "block":
      return (
        <BlockDialog
          player={player}
          onClose={() => (first === "block" ? onClose() : setStep("record"))}
          onBlock={() => {
            void setBlocked(player, true);
            onClose();
          }}
        />
      );
    case "report":
      return gameId === null ? null : <ReportDialog player={player} gameId={gameId} onClose={onClose} />;
  }
}

interface BlockDialogProps {
  readonly player: PlayerView;
  readonly onClose: () => void;
  readonly onBlock: () => void;
}

function BlockDialog({ player, onClose, onBlock }: BlockDialogProps) {
  return (
    <ConfirmDialog
      title="Block Player?"
      cancelText="Not Now"
      confirmText="Block"
      kind="danger"
      onConfirm={onBlock}
      onClose={onClose}
    >
      <p className="muted">
        You and{" "}
        <b className="strong unbroken" translate="no">
          {player.username}
        </b>{" "}
        are never paired again. A game in progress goes on.
      </p>
    </ConfirmDialog>
  );
}
