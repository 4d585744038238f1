import { type ComponentType, createElement, lazy, useState } from "react";
import { loadPart } from "../lib/part.ts";

export interface PageRoute {
  readonly path: string;
  readonly page: LazyPage;
  /** Visitors are sent to /login, and come back once they are players. */
  readonly playersOnly?: true;
  /** The page brings its own frame: no footer, and no tab bar on phones. */
  readonly bare?: true;
  /** An active game does not call its player away from here (specification 2). */
  readonly undisturbed?: true;
}

type Page = { readonly default: ComponentType };

type LazyPage = ComponentType & {
  /** Fetches it, once, before it is shown. */
  readonly fetchAhead: () => Promise<unknown>;
};

/** What is there already is drawn with what is around it: React lets 300 ms pass between showing that something loads and showing it. */
function lazyPage(load: () => Promise<Page>, isKept = false): LazyPage {
  let part: Promise<Page> | null = null;
  let loaded: ComponentType | null = null;
  const fetchAhead = () =>
    (part ??= loadPart(load, isKept).then((page) => {
      loaded = page.default;
      return page;
    }));
  const Late = lazy(fetchAhead);
  function PageInTime() {
    const [page] = useState<ComponentType>(() => loaded ?? Late);
    return createElement(page);
  }
  return Object.assign(PageInTime, { fetchAhead });
}

/** Every page with its own chunk. */
export const ROUTES: readonly PageRoute[] = [
  { path: "/", page: lazyPage(() => import("../features/home/home-page.tsx")) },
  { path: "/matches", page: lazyPage(() => import("../features/lobby/matches-page.tsx")) },
  { path: "/create-match", page: lazyPage(() => import("../features/lobby/create-match-page.tsx")), playersOnly: true },
  {
    path: "/game/:gameId",
    page: lazyPage(() => import("../features/table/game-page.tsx")),
    bare: true,
    undisturbed: true,
  },
  { path: "/login", page: lazyPage(() => import("../features/account/login-page.tsx")), undisturbed: true },
  { path: "/register", page: lazyPage(() => import("../features/account/register-page.tsx")), undisturbed: true },
  {
    path: "/verify-email",
    page: lazyPage(() => import("../features/account/verify-email-page.tsx")),
    undisturbed: true,
  },
  {
    path: "/forgot-password",
    page: lazyPage(() => import("../features/account/forgot-password-page.tsx")),
    undisturbed: true,
  },
  {
    path: "/reset-password",
    page: lazyPage(() => import("../features/account/reset-password-page.tsx")),
    undisturbed: true,
  },
  { path: "/wallet", page: lazyPage(() => import("../features/wallet/wallet-page.tsx")) },
  { path: "/leaderboard", page: lazyPage(() => import("../features/leaderboard/leaderboard-page.tsx")) },
  { path: "/about", page: lazyPage(() => import("../features/pages/about-page.tsx")) },
  { path: "/terms", page: lazyPage(() => import("../features/pages/terms-page.tsx")) },
  { path: "/privacy", page: lazyPage(() => import("../features/pages/privacy-page.tsx")) },
  { path: "/contact", page: lazyPage(() => import("../features/pages/contact-page.tsx")) },
  { path: "/admin/revenue", page: lazyPage(() => import("../features/admin/revenue-page.tsx")) },
  { path: "/admin/reports", page: lazyPage(() => import("../features/admin/reports-page.tsx")) },
  { path: "/admin/players", page: lazyPage(() => import("../features/admin/players-page.tsx")) },
  { path: "/profile", page: lazyPage(() => import("../features/account/profile-page.tsx")), playersOnly: true },
];

/** The page at this path, with or without a slash at its end. */
export function findRoute(pathname: string): PageRoute | undefined {
  return ROUTES.find(({ path }) => new RegExp(`^${path.replace(/:[^/]+/g, "[^/]+")}/?$`, "i").test(pathname));
}

/** Instead of any page, as long as the arena has not said who is there. */
export const OfflinePage = lazyPage(() => import("../features/home/offline-page.tsx"), true);
export const NotFoundPage = lazyPage(() => import("../features/home/not-found-page.tsx"));
