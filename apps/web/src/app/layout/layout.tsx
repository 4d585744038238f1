import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { usePathname } from "wouter/use-browser-location";
import { lazyChunk } from "../../lib/chunks/lazy-chunk.ts";
import { useMaybeSession } from "../../lib/session/session.ts";
import { Icon } from "../../ui/icon/icon.tsx";
import { Toasts } from "../../ui/overlay/toasts.tsx";
import { classes } from "../../ui/text/classes.ts";
import { Header } from "../header/header.tsx";
import { FOOTER_LINKS, isCurrent, MAIN_LINKS, type NavigationLink } from "./navigation.ts";
import "./layout.css";

function MaintenanceBanner() {
  const text = useMaybeSession()?.maintenance?.text;
  return (
    <div className="maintenance-banner" role="status">
      {text !== undefined && (
        <p className="wrap">
          <b>Maintenance.</b> {text} <span>No new games or deposits until it's over.</span>
        </p>
      )}
    </div>
  );
}

/** The build, which renders the layout too, knows no context. */
function InsecureNote() {
  if (globalThis.isSecureContext !== false) return null;
  return (
    <p className="insecure-note wrap">
      <b>This address isn't secure.</b> You can play and pay here, but notifications, practice while offline, copying
      and the check of a game's record need https.
    </p>
  );
}

const PROFILE: NavigationLink = { href: "/profile", text: "Profile", icon: "user" };
const LOGIN: NavigationLink = { href: "/login", text: "Login", icon: "user" };

function TabBar() {
  const location = usePathname();
  const session = useMaybeSession();
  // Before the session is known both are rendered, and outline.css shows the one of the device's
  // last viewer.
  const own = session === null ? [PROFILE, LOGIN] : [session.player === null ? LOGIN : PROFILE];
  return (
    <nav className={classes("tab-bar", session === null && "of-anyone")} aria-label="Main">
      {[...MAIN_LINKS, ...own].map((link) => (
        <Link key={link.href} href={link.href} aria-current={isCurrent(link.href, location) ? "page" : undefined}>
          <Icon name={link.icon} />
          {link.text}
        </Link>
      ))}
    </nav>
  );
}

function Footer() {
  return (
    <footer className="site-footer">
      <div className="wrap">
        {FOOTER_LINKS.map((link) => (
          <Link key={link.href} href={link.href}>
            {link.text}
          </Link>
        ))}
        <span>18+ only. Support Mon-Fri 9AM-5PM</span>
      </div>
    </footer>
  );
}

/** In the chunk of tables, which its player needs next. */
const GameBar = lazyChunk(async () => ({ default: (await import("../../features/table/game-page.tsx")).GameBar }));

/** Stays after the game: the bar tells its result. */
function GameBarPlace() {
  const isOpen = useMaybeSession()?.openGame != null;
  const [wasOpen, setOpen] = useState(false);
  if (isOpen && !wasOpen) setOpen(true);
  return (
    wasOpen && (
      <Suspense>
        <GameBar />
      </Suspense>
    )
  );
}

export function Layout({ bare, children }: { readonly bare: boolean; readonly children: ReactNode }) {
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location);

  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [location]);

  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header atTable={bare} />
      {!bare && <MaintenanceBanner />}
      {!bare && <InsecureNote />}
      <GameBarPlace />
      <main id="main" tabIndex={-1} className={bare ? "bare" : "page wrap"} ref={main}>
        {children}
      </main>
      {!bare && <Footer />}
      {!bare && <TabBar />}
      <Toasts />
    </>
  );
}
