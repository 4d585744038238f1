import type { IconName } from "../../ui/icon/icon.tsx";

export interface NavigationLink {
  readonly href: string;
  readonly text: string;
  readonly icon: IconName;
}

/** Header on wide screens and tab bar on phones, in this order. */
export const MAIN_LINKS: readonly NavigationLink[] = [
  { href: "/", text: "Home", icon: "home" },
  { href: "/matches", text: "Matches", icon: "matches" },
  { href: "/leaderboard", text: "Leaderboard", icon: "leaderboard" },
  { href: "/wallet", text: "Wallet", icon: "wallet" },
];

/** In the header, and on phones in the menu. */
export const PRACTICE_LINK: Pick<NavigationLink, "href" | "text"> = { href: "/practice", text: "Practice" };

/** For admins only: last in the header, in the menu on phones. */
export const ADMIN_LINK: NavigationLink = { href: "/admin/revenue", text: "Admin", icon: "settings" };

export const FOOTER_LINKS: readonly Pick<NavigationLink, "href" | "text">[] = [
  { href: "/about", text: "About" },
  { href: "/terms", text: "Terms of Service" },
  { href: "/privacy", text: "Privacy Policy" },
  { href: "/fair-play", text: "Fair Play" },
  { href: "/contact", text: "Contact" },
];

export function isCurrent(href: string, location: string): boolean {
  if (href === "/matches" && location === "/create-match") return true;
  if (href === ADMIN_LINK.href) return location.startsWith("/admin/");
  return location === href;
}
