import { isSwitchedOn } from "./switches.ts";

/** What the browser shows beside the page, while the page is out of sight. */
export interface BrowserNotice {
  readonly title: string;
  readonly body: string;
  /** A newer notice with the same tag takes the place of the older one, in all tabs. */
  readonly tag: string;
}

/** `unsupported` where the browser has no notices. */
export type NoticePermission = NotificationPermission | "unsupported";

export interface ShownNotice {
  close(): void;
}

/** The browser's part, so that tests bring one of their own. */
export interface NoticeWorld {
  permission(): NoticePermission;
  isHidden(): boolean;
  isSwitchedOn(): boolean;
  /** Throws where notices are for service workers alone, as in Chrome on Android. */
  show(notice: BrowserNotice): ShownNotice;
}

export interface Notices {
  /** Shows a notice, if the page is out of sight and the player wants to be told. */
  show(notice: BrowserNotice): void;
  /** The page is in sight again: what it told meanwhile can be seen there. */
  closeAll(): void;
}

export function createNotices(world: NoticeWorld): Notices {
  const shown = new Map<string, ShownNotice>();
  return {
    show(notice) {
      // The permission last: to tell it the browser asks another process, and the page waits.
      if (!world.isHidden() || !world.isSwitchedOn() || world.permission() !== "granted") return;
      try {
        shown.set(notice.tag, world.show(notice));
      } catch {
        // This browser shows no notices of a page: the page itself tells the same once it is looked at.
      }
    },
    closeAll() {
      for (const notice of shown.values()) notice.close();
      shown.clear();
    },
  };
}

const notices = createNotices({
  permission: noticePermission,
  isHidden: () => document.visibilityState === "hidden",
  isSwitchedOn: () => isSwitchedOn("notifications"),
  show({ title, body, tag }) {
    const notice = new Notification(title, { body, tag, icon: "/favicon.svg" });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    return notice;
  },
});

export const showBrowserNotice = notices.show;

export function noticePermission(): NoticePermission {
  return "Notification" in globalThis ? Notification.permission : "unsupported";
}

/** Asks the player for leave to show notices, unless they have said it before. Only ever after a press of theirs. */
export async function askForNotices(): Promise<NoticePermission> {
  return noticePermission() === "default" ? await Notification.requestPermission() : noticePermission();
}

globalThis.document?.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") notices.closeAll();
});
