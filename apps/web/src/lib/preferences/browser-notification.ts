import { isSwitchedOn } from "./switches.ts";

/** A notification that the browser shows while the page is hidden. */
export interface BrowserNotification {
  readonly title: string;
  readonly body: string;
  /** A newer notification with the same tag replaces the older one, in all tabs. */
  readonly tag: string;
}

/** `unsupported` where the browser has no notifications. */
type NotificationAccess = NotificationPermission | "unsupported";

interface ShownNotification {
  close(): void;
}

export interface NotificationDeps {
  permission(): NotificationAccess;
  isHidden(): boolean;
  isSwitchedOn(): boolean;
  /** Throws where only service workers may show notifications, as in Chrome on Android. */
  show(notification: BrowserNotification): ShownNotification;
}

interface Notifications {
  /** Shows a notification if the page is hidden and the player allows it. */
  show(notification: BrowserNotification): void;
  /** Called when the page becomes visible again. */
  closeAll(): void;
}

export function createNotifications(deps: NotificationDeps): Notifications {
  const shown = new Map<string, ShownNotification>();
  return {
    show(notification) {
      // Permission last: the browser asks another process for it, and the page waits.
      if (!deps.isHidden() || !deps.isSwitchedOn() || deps.permission() !== "granted") return;
      try {
        shown.set(notification.tag, deps.show(notification));
      } catch {
        // This browser does not let pages show notifications. The page shows the same anyway.
      }
    },
    closeAll() {
      for (const notification of shown.values()) notification.close();
      shown.clear();
    },
  };
}

const notifications = createNotifications({
  permission: notificationAccess,
  isHidden: () => document.visibilityState === "hidden",
  isSwitchedOn: () => isSwitchedOn("notifications"),
  show({ title, body, tag }) {
    const notification = new Notification(title, { body, tag, icon: "/favicon.svg" });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
    return notification;
  },
});

export const showBrowserNotification = notifications.show;

export function notificationAccess(): NotificationAccess {
  return "Notification" in globalThis ? Notification.permission : "unsupported";
}

/** Asks the player for permission unless they decided before. Only after a press. */
export async function requestNotificationAccess(): Promise<NotificationAccess> {
  return notificationAccess() === "default" ? await Notification.requestPermission() : notificationAccess();
}

globalThis.document?.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") notifications.closeAll();
});
