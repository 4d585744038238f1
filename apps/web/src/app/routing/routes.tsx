import { type LazyChunk, lazyChunk } from "../../lib/chunks/lazy-chunk.ts";

export interface PageRoute {
  readonly path: string;
  readonly page: LazyChunk<object>;
  readonly playersOnly?: true;
  /** No footer, and no tab bar on phones. */
  readonly bare?: true;
  /** The page stays open when the player's game begins: no redirect to it (specification 2). */
  readonly staysDuringGame?: true;
}

export const ROUTES: readonly PageRoute[] = [
  { path: "/", page: lazyChunk(() => import("../../features/home/home-page.tsx")) },
  { path: "/practice", page: lazyChunk(() => import("../../features/home/practice/practice-page.tsx")) },
  { path: "/matches", page: lazyChunk(() => import("../../features/lobby/matches/matches-page.tsx")) },
  {
    path: "/create-match",
    page: lazyChunk(() => import("../../features/lobby/create-match/create-match-page.tsx")),
    playersOnly: true,
  },
  { path: "/invite/:token", page: lazyChunk(() => import("../../features/lobby/invitation/invitation-page.tsx")) },
  {
    path: "/game/:gameId",
    page: lazyChunk(() => import("../../features/table/game-page.tsx")),
    bare: true,
    staysDuringGame: true,
  },
  {
    path: "/game/:gameId/review",
    page: lazyChunk(() => import("../../features/review/review-page.tsx")),
    playersOnly: true,
    bare: true,
  },
  {
    path: "/login",
    page: lazyChunk(() => import("../../features/account/login/login-page.tsx")),
    staysDuringGame: true,
  },
  {
    path: "/register",
    page: lazyChunk(() => import("../../features/account/login/register-page.tsx")),
    staysDuringGame: true,
  },
  {
    path: "/verify-email",
    page: lazyChunk(() => import("../../features/account/email/verify-email-page.tsx")),
    staysDuringGame: true,
  },
  {
    path: "/forgot-password",
    page: lazyChunk(() => import("../../features/account/password/forgot-password-page.tsx")),
    staysDuringGame: true,
  },
  {
    path: "/reset-password",
    page: lazyChunk(() => import("../../features/account/password/reset-password-page.tsx")),
    staysDuringGame: true,
  },
  { path: "/wallet", page: lazyChunk(() => import("../../features/wallet/wallet-page.tsx")) },
  { path: "/player/:name", page: lazyChunk(() => import("../../features/player/player-page.tsx")) },
  { path: "/leaderboard", page: lazyChunk(() => import("../../features/leaderboard/leaderboard-page.tsx")) },
  { path: "/about", page: lazyChunk(() => import("../../features/pages/about-page.tsx")) },
  { path: "/terms", page: lazyChunk(() => import("../../features/pages/terms-page.tsx")) },
  { path: "/privacy", page: lazyChunk(() => import("../../features/pages/privacy-page.tsx")) },
  { path: "/fair-play", page: lazyChunk(() => import("../../features/pages/fair-play-page.tsx")) },
  { path: "/contact", page: lazyChunk(() => import("../../features/pages/contact-page.tsx")) },
  { path: "/admin/revenue", page: lazyChunk(() => import("../../features/admin/overview/overview-page.tsx")) },
  { path: "/admin/reports", page: lazyChunk(() => import("../../features/admin/moderation/reports-page.tsx")) },
  { path: "/admin/fair-play", page: lazyChunk(() => import("../../features/admin/fair-play/fair-play-page.tsx")) },
  { path: "/admin/fair-play/:id", page: lazyChunk(() => import("../../features/admin/fair-play/case-page.tsx")) },
  { path: "/admin/players", page: lazyChunk(() => import("../../features/admin/players/players-page.tsx")) },
  {
    path: "/profile",
    page: lazyChunk(() => import("../../features/account/profile/profile-page.tsx")),
    playersOnly: true,
  },
];

export function findRoute(pathname: string): PageRoute | undefined {
  return ROUTES.find(({ path }) => new RegExp(`^${path.replace(/:[^/]+/g, "[^/]+")}/?$`, "i").test(pathname));
}

export const OfflinePage = lazyChunk(() => import("../../features/home/offline-page.tsx"), true);
export const NotFoundPage = lazyChunk(() => import("../../features/home/not-found-page.tsx"));

const OLD = /^#(\/reset-password)(\?.*)?$/;

/**
 * The path for an address of the earlier page, whose route was in the hash (ruling 26), or null.
 */
export function parseOldAddress(hash: string): string | null {
  const [, path, search = ""] = OLD.exec(hash) ?? [];
  return path === undefined ? null : `${path}${search}`;
}

/** Also on later hash changes, since they load no page. */
export function followOldAddresses(go: (address: string) => void): void {
  const follow = (): void => {
    const address = parseOldAddress(window.location.hash);
    if (address !== null) go(address);
  };
  window.addEventListener("hashchange", follow);
  follow();
}
