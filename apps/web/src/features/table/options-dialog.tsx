import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { NotificationSwitch, SoundSwitch } from "../../ui/player-switches.tsx";
import { AskButton } from "./ask-button.tsx";
import { BoardSettingsDialog } from "./board-settings.tsx";
import type { Scene } from "./scene.ts";
import "./options-dialog.css";

interface OptionsDialogProps {
  readonly scene: Scene;
  readonly onClose: () => void;
}

/** Takebacks, the board's settings, sounds and notifications; a sheet on phones. */
export default function OptionsDialog({ scene, onClose }: OptionsDialogProps) {
  const [isAtBoard, setAtBoard] = useState(false);
  if (isAtBoard) return <BoardSettingsDialog onClose={onClose} />;
  return (
    <Dialog title="Options" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <div className="options-dialog">
        <AskButton scene={scene} kind="takeback" onAsked={onClose} />
        <Button size="small" wide onClick={() => setAtBoard(true)}>
          <Icon name="settings" />
          Board settings
        </Button>
        <SoundSwitch />
        {scene.seat !== null && <NotificationSwitch />}
      </div>
    </Dialog>
  );
}
