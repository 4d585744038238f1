import { formatCoins } from "@holo/kernel/money.ts";
import { Suspense, useState } from "react";
import { Link } from "wouter";
import { usePathname } from "wouter/use-browser-location";
import { useIdle } from "../../lib/chunks/idle.ts";
import { idlePrefetchedChunk, lazyChunk } from "../../lib/chunks/lazy-chunk.ts";
import { findActiveGame, type Session, useMaybeSession } from "../../lib/session/session.ts";
import { switchNotifications } from "../../shared/settings/switch-commands.ts";
import { ButtonLink, IconButton } from "../../ui/button/button.tsx";
import { Coin } from "../../ui/icon/coin.tsx";
import { useWide } from "../../ui/layout/use-wide.ts";
import { Opening } from "../../ui/overlay/opening.tsx";
import { saveTheme, useTheme } from "../../ui/theme/theme.ts";
import { ADMIN_LINK, isCurrent, MAIN_LINKS, PRACTICE_LINK } from "../layout/navigation.ts";
import { useReachable } from "../session/reachable.ts";
import { logoutPlayer } from "./logout.ts";
import "./header.css";

const ConnectionNote = lazyChunk(() => import("./connection-note.tsx"));

/**
 * Shown while the server is unreachable, and at a table the maintenance notice. It uses free header
 * space, so nothing moves.
 */
function ConnectionBanner({ atTable }: { readonly atTable: boolean }) {
  const reachable = useReachable();
  const session = useMaybeSession();
  const maintenance = atTable ? session?.maintenance?.text : undefined;
  const isPlayer = session !== null && session.player !== null;
  return (
    <div className="connection-banner" role="status">
      {!reachable && !isPlayer && <p className="connection-lost">We can't reach Holo Arena. Trying again...</p>}
      {isPlayer && (
        <Suspense>
          <ConnectionNote />
        </Suspense>
      )}
      {maintenance !== undefined && (
        <p className="maintenance-note" title={maintenance}>
          <b>Maintenance.</b> {maintenance}
        </p>
      )}
    </div>
  );
}

const DownloadsMenu = lazyChunk(() => import("./downloads-menu.tsx"));
const LogoutDialog = lazyChunk(() => import("./logout-dialog.tsx"));
const MenuSheet = idlePrefetchedChunk(() => import("./menu-sheet.tsx"));

export function Header({ atTable }: { readonly atTable: boolean }) {
  const location = usePathname();
  const session = useMaybeSession();
  const isIdle = useIdle();
  const isWide = useWide();
  const isReachable = useReachable();
  const [menuAt, setMenuAt] = useState<string | null>(null);
  const playing = findActiveGame(session);
  const [leftGame, setLeftGame] = useState<string | null>(null);
  const links = [...MAIN_LINKS, PRACTICE_LINK, ...(session?.role ? [ADMIN_LINK] : [])];

  // Navigating closes the menu in the same render: an open modal would keep the focus.
  if (menuAt !== null && menuAt !== location) setMenuAt(null);

  function leave() {
    if (playing === null) void logoutPlayer();
    else setLeftGame(playing);
  }

  return (
    <header className="site-header">
      <div className="inside">
        <Link href="/" className="brand" aria-label="Holo Arena, home">
          <Coin size={28} />
          <svg className="wordmark" aria-hidden="true">
            <use href="#wordmark" />
          </svg>
        </Link>
        <nav aria-label="Main">
          {links.map((link) => (
            <Link key={link.href} href={link.href} aria-current={isCurrent(link.href, location) ? "page" : undefined}>
              {link.text}
            </Link>
          ))}
        </nav>
        <ConnectionBanner atTable={atTable} />
        {isIdle && isWide && (
          <Suspense>
            <DownloadsMenu />
          </Suspense>
        )}
        {(session !== null || !isReachable) && <ThemeButton />}
        {session !== null && <PlayerControls session={session} location={location} onLogout={leave} />}
        <IconButton icon="menu" label="Menu" className="on-phones" onClick={() => setMenuAt(location)} />
      </div>
      {menuAt === location && (
        <Opening onDropped={() => setMenuAt(null)}>
          <MenuSheet onClose={() => setMenuAt(null)} onLogout={leave} />
        </Opening>
      )}
      {session?.player && playing !== null && leftGame === playing && (
        <Opening onDropped={() => setLeftGame(null)}>
          <LogoutDialog
            gameId={playing}
            playerId={session.player.id}
            onStay={() => setLeftGame(null)}
            onLogout={() => {
              setLeftGame(null);
              void logoutPlayer();
            }}
          />
        </Opening>
      )}
    </header>
  );
}

function ThemeButton() {
  const theme = useTheme();
  const other = theme === "night" ? "day" : "night";
  return (
    <IconButton
      icon={theme === "night" ? "sun" : "moon"}
      label={`Switch to ${theme === "night" ? "light" : "dark"} mode`}
      className="on-desktops"
      onClick={() => saveTheme(other)}
    />
  );
}

interface PlayerControlsProps {
  readonly session: Session;
  readonly location: string;
  readonly onLogout: () => void;
}

function PlayerControls({ session, location, onLogout }: PlayerControlsProps) {
  const { player } = session;
  if (player === null) {
    return location === "/login" ? null : (
      <ButtonLink href="/login" size="small">
        Login
      </ButtonLink>
    );
  }
  const on = player.notificationsEnabled;
  return (
    <>
      <IconButton
        icon={on ? "bell" : "bell-off"}
        label="Notifications"
        aria-pressed={on}
        className="on-desktops"
        onClick={() => void switchNotifications(!on)}
      />
      <Link href="/profile" className="balance" aria-current={location === "/profile" ? "page" : undefined}>
        <span className="username" translate="no">
          {player.username}
        </span>
        <Coin size={20} />
        <span className="figure" translate="no">
          {formatCoins(session.balance)}
        </span>
        <span className="visually-hidden">HC, profile</span>
      </Link>
      <IconButton icon="logout" label="Logout" className="on-desktops" onClick={onLogout} />
    </>
  );
}
