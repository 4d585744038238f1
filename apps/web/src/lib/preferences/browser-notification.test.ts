import { describe, expect, it } from "vitest";
import { type BrowserNotification, createNotifications, type NotificationDeps } from "./browser-notification.ts";

const TURN: BrowserNotification = { title: "Your turn", body: "bola: b6 to a5.", tag: "game-1" };

function listen(change: Partial<NotificationDeps> = {}) {
  const shown: string[] = [];
  const notices = createNotifications({
    permission: () => "granted",
    isHidden: () => true,
    isSwitchedOn: () => true,
    show({ title }) {
      shown.push(title);
      return { close: () => shown.splice(shown.indexOf(title), 1) };
    },
    ...change,
  });
  return { notices, shown };
}

describe("browser notifications", () => {
  it("are shown while the page is hidden and closed when it is visible", () => {
    const { notices, shown } = listen();
    notices.show(TURN);
    notices.show({ ...TURN, title: "Draw Offer", tag: "offer-1" });
    expect(shown).toEqual(["Your turn", "Draw Offer"]);
    notices.closeAll();
    expect(shown).toEqual([]);
  });

  it("are not shown on a visible page, without permission or when switched off", () => {
    const denials: readonly Partial<NotificationDeps>[] = [
      { isHidden: () => false },
      { isSwitchedOn: () => false },
      { permission: () => "default" },
      { permission: () => "denied" },
      { permission: () => "unsupported" },
    ];
    for (const denial of denials) {
      const { notices, shown } = listen(denial);
      notices.show(TURN);
      expect(shown).toEqual([]);
    }
  });

  it("are skipped if the browser throws", () => {
    const { notices, shown } = listen({
      show() {
        throw new TypeError("Illegal constructor");
      },
    });
    notices.show(TURN);
    notices.closeAll();
    expect(shown).toEqual([]);
  });
});
