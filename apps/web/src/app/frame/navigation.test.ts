import { describe, expect, it } from "vitest";
import { ADMIN_LINK, FOOTER_LINKS, isCurrent, MAIN_LINKS } from "./navigation.ts";

describe("the way around the site", () => {
  it("leads in the header to home, matches, leaderboard and wallet, and admins to their page [HEAD-01]", () => {
    expect([...MAIN_LINKS, ADMIN_LINK].map(({ text, href }) => `${text} ${href}`)).toEqual([
      "Home /",
      "Matches /matches",
      "Leaderboard /leaderboard",
      "Wallet /wallet",
      "Admin /admin/revenue",
    ]);
  });

  it("leads in the footer to the pages about the house [HEAD-07]", () => {
    expect(FOOTER_LINKS.map(({ text, href }) => `${text} ${href}`)).toEqual([
      "About /about",
      "Terms of Service /terms",
      "Privacy Policy /privacy",
      "Contact /contact",
    ]);
  });

  it("marks the part of the site that a page belongs to", () => {
    expect(isCurrent("/matches", "/create-match")).toBe(true);
    expect(isCurrent("/admin/revenue", "/admin/players")).toBe(true);
    expect(isCurrent("/", "/matches")).toBe(false);
  });
});
