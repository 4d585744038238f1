import { type LatePart, latePart } from "../lib/late-part.ts";

export interface PageRoute {
  readonly path: string;
  readonly page: LatePart<object>;
  /** Visitors are sent to /login, and come back once they are players. */
  readonly playersOnly?: true;
  /** The page brings its own frame: no footer, and no tab bar on phones. */
  readonly bare?: true;
  /** An active game does not call its player away from here (specification 2). */
  readonly undisturbed?: true;
}

/** Every page with its own chunk. */
export const ROUTES: readonly PageRoute[] = [
  { path: "/", page: latePart(() => import("../features/home/home-page.tsx")) },
  { path: "/matches", page: latePart(() => import("../features/lobby/matches-page.tsx")) },
  { path: "/create-match", page: latePart(() => import("../features/lobby/create-match-page.tsx")), playersOnly: true },
  {
    path: "/game/:gameId",
    page: latePart(() => import("../features/table/game-page.tsx")),
    bare: true,
    undisturbed: true,
  },
  { path: "/login", page: latePart(() => import("../features/account/login-page.tsx")), undisturbed: true },
  { path: "/register", page: latePart(() => import("../features/account/register-page.tsx")), undisturbed: true },
  {
    path: "/verify-email",
    page: latePart(() => import("../features/account/verify-email-page.tsx")),
    undisturbed: true,
  },
  {
    path: "/forgot-password",
    page: latePart(() => import("../features/account/forgot-password-page.tsx")),
    undisturbed: true,
  },
  {
    path: "/reset-password",
    page: latePart(() => import("../features/account/reset-password-page.tsx")),
    undisturbed: true,
  },
  { path: "/wallet", page: latePart(() => import("../features/wallet/wallet-page.tsx")) },
  { path: "/leaderboard", page: latePart(() => import("../features/leaderboard/leaderboard-page.tsx")) },
  { path: "/about", page: latePart(() => import("../features/pages/about-page.tsx")) },
  { path: "/terms", page: latePart(() => import("../features/pages/terms-page.tsx")) },
  { path: "/privacy", page: latePart(() => import("../features/pages/privacy-page.tsx")) },
  { path: "/contact", page: latePart(() => import("../features/pages/contact-page.tsx")) },
  { path: "/admin/revenue", page: latePart(() => import("../features/admin/revenue-page.tsx")) },
  { path: "/admin/reports", page: latePart(() => import("../features/admin/reports-page.tsx")) },
  { path: "/admin/players", page: latePart(() => import("../features/admin/players-page.tsx")) },
  { path: "/profile", page: latePart(() => import("../features/account/profile-page.tsx")), playersOnly: true },
];

/** The page at this path, with or without a slash at its end. */
export function findRoute(pathname: string): PageRoute | undefined {
  return ROUTES.find(({ path }) => new RegExp(`^${path.replace(/:[^/]+/g, "[^/]+")}/?$`, "i").test(pathname));
}

/** Instead of any page, as long as the arena has not said who is there. */
export const OfflinePage = latePart(() => import("../features/home/offline-page.tsx"), true);
export const NotFoundPage = latePart(() => import("../features/home/not-found-page.tsx"));
