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

describe("notices of the browser", () => {
  it("are shown while the page is out of sight, and closed when it is looked at", () => {
    const { notices, shown } = listen();
    notices.show(TURN);
    notices.show({ ...TURN, title: "Draw Offer", tag: "offer-1" });
    expect(shown).toEqual(["Your turn", "Draw Offer"]);
    notices.closeAll();
    expect(shown).toEqual([]);
  });

  it("are not shown while the page is in sight, without leave, or with the switch off", () => {
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

  it("are gone without where the browser throws at them, and nothing is left to close", () => {
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
