import { afterEach, expect, it, vi } from "vitest";
import { shownNotices } from "../../ui/overlay/notify.ts";
import { logoutPlayer } from "./logout.ts";

afterEach(() => vi.unstubAllGlobals());

// [ERR-03 §8] Logout shows 'Logged out', or 'Logout failed' and 'An error occurred during logout'.
it("reports a logout that the server could not carry out once, also after two presses [ERR-03]", async () => {
  vi.stubGlobal("fetch", async () => Response.json({}, { status: 500 }));
  await logoutPlayer();
  await logoutPlayer();
  expect(shownNotices()).toMatchObject([
    { kind: "failed", title: "Logout failed", text: "An error occurred during logout" },
  ]);
});
