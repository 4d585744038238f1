import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import PlayerDialogs from "../../ui/people/player-dialogs.tsx";
import { PlayerWishes } from "../../ui/people/player-wishes.tsx";
import { NotificationSwitch, SoundSwitch } from "../../ui/player-switches.tsx";
import { AskButton } from "./ask-button.tsx";
import { BoardSettingsDialog } from "./board-settings.tsx";
import { RecordLink } from "./record-link.tsx";
import { type Scene, toOpponent } from "./scene.ts";
import "./options-dialog.css";

interface OptionsDialogProps {
  readonly scene: Scene;
  readonly onClose: () => void;
}

/** Takebacks, the board's settings, sounds and notifications, the record, and the opponent; a sheet on phones. */
export default function OptionsDialog({ scene, onClose }: OptionsDialogProps) {
  const [step, setStep] = useState<"options" | "board" | "block" | "report">("options");
  const { seat, shown } = scene;
  const opponent = seat === null ? null : shown.players[toOpponent(seat) - 1];
  if (step === "board") return <BoardSettingsDialog onClose={onClose} />;
  if (step !== "options" && opponent != null) {
    return <PlayerDialogs player={opponent} gameId={shown.table.gameId} first={step} onClose={onClose} />;
  }
  return (
    <Dialog title="Options" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <div className="options-dialog">
        <AskButton scene={scene} kind="takeback" className="takeback-option" onAsked={onClose} />
        <Button size="small" wide onClick={() => setStep("board")}>
          <Icon name="settings" />
          Board settings
        </Button>
        <SoundSwitch />
        {seat !== null && <NotificationSwitch />}
        <RecordLink scene={scene} wide />
        {opponent != null && (
          <section aria-label="Opponent">
            <h3 className="unbroken">{opponent.username}</h3>
            <PlayerWishes player={opponent} onBlock={() => setStep("block")} onReport={() => setStep("report")} />
          </section>
        )}
      </div>
    </Dialog>
  );
}
