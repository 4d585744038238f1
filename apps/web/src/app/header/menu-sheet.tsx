import { formatCoins } from "@holo/kernel/money.ts";
import { useSession } from "../../lib/session/session.ts";
import { NotificationSwitch, SoundSwitch } from "../../shared/settings/player-switches.tsx";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import { Note } from "../../ui/feedback/note.tsx";
import { Segmented } from "../../ui/form/segmented.tsx";
import { Coin } from "../../ui/icon/coin.tsx";
import { Disc } from "../../ui/icon/disc.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import { saveTheme, useTheme } from "../../ui/theme/theme.ts";
import { ADMIN_LINK, MAIN_LINKS, PRACTICE_LINK } from "../layout/navigation.ts";
import "./menu-sheet.css";

const THEMES = [
  { value: "night", text: "Dark" },
  { value: "day", text: "Light" },
] as const;

interface MenuSheetProps {
  readonly onClose: () => void;
  readonly onLogout: () => void;
}

export default function MenuSheet({ onClose, onLogout }: MenuSheetProps) {
  const theme = useTheme();
  const { player, role, balance, maintenance } = useSession();

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
        {maintenance !== null && (
          <Note icon="warn">
            <b>Maintenance.</b> {maintenance.text}
          </Note>
        )}
        <nav aria-label="Pages">
          {MAIN_LINKS.filter(({ href }) => player === null || href !== "/wallet").map((link) => (
            <ButtonLink key={link.href} href={link.href} size="small">
              <Icon name={link.icon} />
              {link.text}
            </ButtonLink>
          ))}
        </nav>
        {player !== null && (
          <ButtonLink href="/wallet" wide>
            <Coin size={20} />
            {formatCoins(balance)} HC
          </ButtonLink>
        )}
        <ButtonLink href={PRACTICE_LINK.href} wide>
          <Disc seat={1} size={20} />
          {PRACTICE_LINK.text}
        </ButtonLink>
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
