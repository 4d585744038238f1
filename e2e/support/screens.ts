import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

export type Role = "visitor" | "player" | "admin" | "ceo";

interface Screen {
  readonly path: string;
  readonly heading: string;
  readonly redirectsTo?: string;
}

const DENIED = "Access Denied";
const HOME: Screen = { path: "/", heading: "Stake with HC Coins" };
const ACCOUNT_FORMS = [
  { path: "/login", heading: "Login" },
  { path: "/register", heading: "Create Account" },
] as const;
const ADMIN_PAGES = [
  { path: "/admin/revenue", heading: "Revenue" },
  { path: "/admin/reports", heading: "Reports" },
  { path: "/admin/players", heading: "Players" },
  { path: "/admin/fair-play", heading: "Fair Play" },
] as const;

/**
 * Every screen with its own path except the game page, as this role sees it. `username` is null for
 * a visitor.
 */
export function listScreens(role: Role, username: string | null): readonly Screen[] {
  const isVisitor = role === "visitor";
  const isStaff = role === "admin" || role === "ceo";
  return [
    HOME,
    { path: "/matches", heading: "Matches" },
    {
      path: "/create-match",
      ...(isVisitor ? { heading: "Login", redirectsTo: "/login" } : { heading: "Create Match" }),
    },
    { path: "/leaderboard", heading: "Leaderboard" },
    { path: "/practice", heading: "Practice" },
    { path: "/wallet", heading: "Wallet" },
    { path: "/profile", ...(username === null ? { heading: "Login", redirectsTo: "/login" } : { heading: username }) },
    { path: "/about", heading: "About" },
    { path: "/terms", heading: "Terms of Service" },
    { path: "/privacy", heading: "Privacy Policy" },
    { path: "/fair-play", heading: "Fair Play" },
    { path: "/contact", heading: "Contact" },
    { path: "/forgot-password", heading: "Forgot Password" },
    { path: "/reset-password", heading: "This link is incomplete" },
    { path: "/reset-password?token=x", heading: "Reset Password" },
    { path: "/verify-email", heading: "This link is incomplete" },
    { path: "/verify-email?token=x", heading: "Verify your email" },
    { path: "/nowhere", heading: "Oops! This move isn't in our playbook." },
    ...ACCOUNT_FORMS.map((form) => (isVisitor ? form : { ...HOME, path: form.path, redirectsTo: "/" })),
    ...ADMIN_PAGES.map(({ path, heading }) => ({ path, heading: isStaff ? heading : DENIED })),
    ...(isStaff ? [] : [{ path: `/admin/players?id=${crypto.randomUUID()}`, heading: DENIED }]),
  ];
}

export async function openScreen(page: Page, role: Role, { path, heading, redirectsTo }: Screen): Promise<void> {
  const isOtherPage = redirectsTo === undefined && toPathname(page, path) !== toPathname(page, page.url());
  await page.evaluate(
    ([address, mark]) => {
      // The left page stays visible for a while, and its heading may be the same.
      if (mark) document.querySelector("h1")?.setAttribute("data-left", "");
      history.pushState(null, "", address);
    },
    [path, isOtherPage] as const,
  );
  await expect(page.locator("h1[data-left]")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: heading, level: 1, exact: true })).toBeVisible();
  if (heading === DENIED) await expect(page.getByText("You don't have permission to view this page.")).toBeVisible();
  await expect(page, path).toHaveURL(redirectsTo ?? path);
  await expectFrame(page, role);
}

function toPathname(page: Page, address: string): string {
  return new URL(address, page.url()).pathname;
}

export async function expectFrame(page: Page, role: Role): Promise<void> {
  const isGame = page.url().includes("/game/");
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toHaveCount(isGame ? 0 : 1);
  const hasAdminLink = role === "admin" || role === "ceo";
  await expect(page.locator('header a[href="/admin/revenue"]')).toHaveCount(hasAdminLink ? 1 : 0);
  await expect(page.locator('header a[href="/profile"]')).toHaveCount(role === "visitor" ? 0 : 1);
}
