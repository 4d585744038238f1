import { Link } from "wouter";
import { usePathname } from "wouter/use-browser-location";
import { useMaybeSession } from "../lib/session.ts";
import { Icon } from "../ui/icon.tsx";
import { isCurrent, MAIN_LINKS, type NavigationLink } from "./navigation.ts";
import "./tab-bar.css";

const PROFILE: NavigationLink = { href: "/profile", text: "Profile", icon: "user" };
const LOGIN: NavigationLink = { href: "/login", text: "Login", icon: "user" };

/** The main navigation of phones. */
export function TabBar() {
  const location = usePathname();
  const session = useMaybeSession();
  const own = session === null || session.player === null ? LOGIN : PROFILE;
  return (
    <nav className="tab-bar" aria-label="Main">
      {[...MAIN_LINKS, own].map((link) => (
        <Link key={link.href} href={link.href} aria-current={isCurrent(link.href, location) ? "page" : undefined}>
          <Icon name={link.icon} />
          {link.text}
        </Link>
      ))}
    </nav>
  );
}
