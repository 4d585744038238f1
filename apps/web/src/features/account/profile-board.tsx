import { BoardSettingsForm } from "../../ui/board/settings-form.tsx";
import { Panel } from "../../ui/panel.tsx";
import "./profile-board.css";

/** How the board looks and asks on this device; the table has the same settings at hand. */
export function ProfileBoard() {
  return (
    <Panel className="profile-board" label="Board settings">
      <h2>Board settings</h2>
      <p className="meta">Kept on this device.</p>
      <BoardSettingsForm />
    </Panel>
  );
}
