import { describe, expect, it } from "vitest";
import { ADMIN_LINK, FOOTER_LINKS, isCurrent, MAIN_LINKS, PRACTICE_LINK } from "./navigation.ts";

describe("navigation links", () => {
  // [HEAD-01 §2] The header links to Home, Matches, Leaderboard, Wallet and Practice. Where large text leaves no room for
  // them, and at a table on a phone, they are in the menu, which on phones leads to practice from every page.
  it("link to home, matches, leaderboard, wallet and practice, and for admins to their page [HEAD-01 HEAD-02]", () => {
    expect([...MAIN_LINKS, PRACTICE_LINK, ADMIN_LINK].map(({ text, href }) => `${text} ${href}`)).toEqual([
      "Home /",
      "Matches /matches",
      "Leaderboard /leaderboard",
      "Wallet /wallet",
      "Practice /practice",
      "Admin /admin/revenue",
    ]);
  });

  // [HEAD-07 §2] The footer links to About, Terms of Service, Privacy Policy, Fair Play and Contact.
  it("link to the information pages in the footer [HEAD-07]", () => {
    expect(FOOTER_LINKS.map(({ text, href }) => `${text} ${href}`)).toEqual([
      "About /about",
      "Terms of Service /terms",
      "Privacy Policy /privacy",
      "Fair Play /fair-play",
      "Contact /contact",
    ]);
  });

  it("mark the section of the current page", () => {
    expect(isCurrent("/matches", "/create-match")).toBe(true);
    expect(isCurrent("/admin/revenue", "/admin/players")).toBe(true);
    expect(isCurrent("/", "/matches")).toBe(false);
  });
});
