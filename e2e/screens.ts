import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Who looks: with each role what a header offers and what an address shows is another. */
export type Role = "visitor" | "player" | "admin" | "ceo";

export interface Screen {
  readonly at: string;
  /** The page's heading. */
  readonly heading: string;
  /** Where it leads instead, which who is there does not get to see. */
  readonly leadsTo?: string;
}

const HOME: Screen = { at: "/", heading: "Stake with HC Coins" };
const ACCOUNT_FORMS = [
  { at: "/login", heading: "Login" },
  { at: "/register", heading: "Create Account" },
] as const;
const ADMIN_PAGES = [
  { at: "/admin/revenue", heading: "Revenue" },
  { at: "/admin/reports", heading: "Reports" },
  { at: "/admin/players", heading: "Players" },
] as const;

/** Every screen with an address of its own but a game, as somebody in this role sees it. @param username who it is */
export function listScreens(role: Role, username: string | null): readonly Screen[] {
  const isVisitor = role === "visitor";
  const isOfHouse = role === "admin" || role === "ceo";
  return [
    HOME,
    { at: "/matches", heading: "Matches" },
    { at: "/create-match", ...(isVisitor ? { heading: "Login", leadsTo: "/login" } : { heading: "Create Match" }) },
    { at: "/leaderboard", heading: "Leaderboard" },
    { at: "/wallet", heading: "Wallet" },
    { at: "/profile", ...(username === null ? { heading: "Login", leadsTo: "/login" } : { heading: username }) },
    { at: "/about", heading: "About" },
    { at: "/terms", heading: "Terms of Service" },
    { at: "/privacy", heading: "Privacy Policy" },
    { at: "/contact", heading: "Contact" },
    { at: "/forgot-password", heading: "Forgot Password" },
    { at: "/reset-password", heading: "This link is not complete" },
    { at: "/reset-password?token=x", heading: "Reset Password" },
    { at: "/verify-email", heading: "This link is not complete" },
    { at: "/verify-email?token=x", heading: "Verify your email" },
    { at: "/nowhere", heading: "Oops! This move isn't in our playbook." },
    ...ACCOUNT_FORMS.map((form) => (isVisitor ? form : { ...HOME, at: form.at, leadsTo: "/" })),
    ...ADMIN_PAGES.map(({ at, heading }) => ({ at, heading: isOfHouse ? heading : "Access Denied" })),
    ...(isOfHouse ? [] : [{ at: `/admin/players?id=${crypto.randomUUID()}`, heading: "Access Denied" }]),
  ];
}

/** Goes there without loading the page again, as its links do, and finds it in its frame with what this role is offered. */
export async function openScreen(page: Page, role: Role, { at, heading, leadsTo }: Screen): Promise<void> {
  await page.evaluate((address) => history.pushState(null, "", address), at);
  await expect(page.getByRole("heading", { name: heading, level: 1, exact: true })).toBeVisible();
  await expect(page, at).toHaveURL(leadsTo ?? at);
  await expectFrame(page, role);
}

/** The header has the ways that are this role's; below every page but a game stands the footer. */
export async function expectFrame(page: Page, role: Role): Promise<void> {
  const isGame = page.url().includes("/game/");
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toHaveCount(isGame ? 0 : 1);
  const hasAdminLink = role === "admin" || role === "ceo";
  // on phones it stands in the menu
  await expect(page.locator('header a[href="/admin/revenue"]')).toHaveCount(hasAdminLink ? 1 : 0);
  await expect(page.locator('header a[href="/profile"]')).toHaveCount(role === "visitor" ? 0 : 1);
}
