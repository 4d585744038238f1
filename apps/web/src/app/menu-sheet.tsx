import { useSession } from "../lib/session.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { NotificationSwitch, SoundSwitch } from "../ui/player-switches.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { saveTheme, useTheme } from "../ui/theme.ts";
import { ADMIN_LINK } from "./navigation.ts";
import "./menu-sheet.css";

const THEMES = [
  { value: "night", text: "Night" },
  { value: "day", text: "Day" },
] as const;

interface MenuSheetProps {
  readonly onClose: () => void;
  readonly onLogout: () => void;
}

/** On phones: what the header has room for on wide screens. */
export default function MenuSheet({ onClose, onLogout }: MenuSheetProps) {
  const theme = useTheme();
  const { player, role } = useSession();

  return (
    <Dialog
      title="Menu"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {player === null ? (
            <ButtonLink href="/register">Create Account</ButtonLink>
          ) : (
            <Button
              onClick={() => {
                onClose();
                onLogout();
              }}
            >
              <Icon name="logout" />
              Logout
            </Button>
          )}
        </>
      }
    >
      <div className="menu-sheet">
        <Segmented label="Theme" value={theme} options={THEMES} onChange={saveTheme} />
        <SoundSwitch />
        {player !== null && <NotificationSwitch />}
        {role !== null && (
          <ButtonLink href={ADMIN_LINK.href} wide>
            <Icon name={ADMIN_LINK.icon} />
            {ADMIN_LINK.text}
          </ButtonLink>
        )}
      </div>
    </Dialog>
  );
}
