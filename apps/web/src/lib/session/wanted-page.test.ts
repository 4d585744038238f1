import { describe, expect, it } from "vitest";
import { carryWanted, readWantedPage, toWanted } from "./wanted-page.ts";

describe("the page wanted before login", () => {
  it.each(["/profile", "/create-match", "/profile?tab=history#limits", "/profile?from=//elsewhere.example"])(
    "returns to %s",
    (address) => {
      const { pathname, search, hash } = new URL(address, "https://arena.example");
      expect(readWantedPage(toWanted({ pathname, search, hash }))).toBe(address);
    },
  );

  it.each([
    "//elsewhere.example/profile",
    "/\\elsewhere.example",
    "\\\\elsewhere.example",
    "/\t/elsewhere.example",
    "/\n\\elsewhere.example",
    "\t//elsewhere.example",
    "https://elsewhere.example",
    "javascript:alert(1)",
    "elsewhere.example",
    "//",
    "",
  ])("refuses %j, which leads to another site [LOGIN-02]", (wantedPage) => {
    expect(readWantedPage({ wantedPage })).toBeNull();
  });

  it("is carried from page to page, without other state", () => {
    expect(carryWanted({ wantedPage: "/profile?tab=history#limits", registeredEmail: "ada@example.com" })).toEqual({
      wantedPage: "/profile?tab=history#limits",
    });
    for (const state of [null, {}, { wantedPage: "//elsewhere.example" }, { registeredEmail: "ada@example.com" }]) {
      expect(carryWanted(state)).toEqual({});
    }
  });

  it.each([[null], [undefined], ["/profile"], [{}], [{ wantedPage: null }], [{ wantedPage: ["/profile"] }]])(
    "is null for the state %j",
    (state) => {
      expect(readWantedPage(state)).toBeNull();
    },
  );
});
