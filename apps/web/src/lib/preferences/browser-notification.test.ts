import { describe, expect, it } from "vitest";
import { type BrowserNotification, createNotifications, type NotificationDeps } from "./browser-notification.ts";

const TURN: BrowserNotification = { title: "Your turn", body: "bola: b6 to a5.", tag: "game-1" };

function listen(change: Partial<NotificationDeps> = {}) {
  const shown: { readonly title: string; readonly options: NotificationOptions | undefined }[] = [];
  let failures = 0;
  const close = (title: string) =>
    shown.splice(
      shown.findIndex((one) => one.title === title),
      1,
    );
  const notices = createNotifications({
    permission: () => "granted",
    isHidden: () => true,
    isShownElsewhere: async () => false,
    isSwitchedOn: () => true,
    findRegistration: async () => ({
      async showNotification(title, options) {
        shown.push({ title, options });
      },
      getNotifications: async () =>
        shown.map(({ title }) => ({ close: () => close(title) }) as unknown as Notification),
    }),
    showWithoutWorker() {
      throw new TypeError("Illegal constructor");
    },
    currentPath: () => "/game/1",
    onFailed: () => {
      failures += 1;
    },
    ...change,
  });
  return { notices, shown, titles: () => shown.map(({ title }) => title), failures: () => failures };
}

describe("browser notices", () => {
  // [PROF-08 §2 r29] Notices come through the service worker; a press opens the table, a logout closes them. The
  // permission is asked for only by 'Allow notifications'. A hidden tab gives no notice of a table that another tab
  // shows.
  it("are shown by the worker while the page is hidden and closed when it is visible [PROF-08]", async () => {
    const { notices, shown, titles } = listen();
    await notices.show(TURN);
    await notices.show({ ...TURN, title: "Opponent joined", tag: "game-2", path: "/game/2" });
    expect(titles()).toEqual(["Your turn", "Opponent joined"]);
    expect(shown.map(({ options }) => options?.data)).toEqual([{ path: "/game/1" }, { path: "/game/2" }]);
    await notices.closeAll();
    expect(titles()).toEqual([]);
  });

  it("are not shown of a page that another tab shows", async () => {
    const { notices, titles } = listen({ isShownElsewhere: async (path) => path === "/game/1" });
    await notices.show(TURN);
    await notices.show({ ...TURN, title: "Opponent joined", path: "/game/2" });
    expect(titles()).toEqual(["Opponent joined"]);
  });

  it("are not shown on a visible page, without permission or when switched off", async () => {
    const denials: readonly Partial<NotificationDeps>[] = [
      { isHidden: () => false },
      { isSwitchedOn: () => false },
      { permission: () => "default" },
      { permission: () => "denied" },
      { permission: () => "unsupported" },
    ];
    for (const denial of denials) {
      const { notices, titles } = listen(denial);
      await notices.show(TURN);
      expect(titles()).toEqual([]);
    }
  });

  it("are shown by the page where no worker runs, and reported where that is impossible too", async () => {
    const own: string[] = [];
    const withoutWorker = { findRegistration: async () => null };
    const desktop = listen({
      ...withoutWorker,
      showWithoutWorker({ title }) {
        own.push(title);
        return { close: () => own.pop() };
      },
    });
    await desktop.notices.show(TURN);
    expect([own, desktop.failures()]).toEqual([["Your turn"], 0]);
    await desktop.notices.closeAll();
    expect(own).toEqual([]);
    const android = listen(withoutWorker);
    await android.notices.show(TURN);
    await android.notices.closeAll();
    expect([android.titles(), android.failures()]).toEqual([[], 1]);
  });
});
