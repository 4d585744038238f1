import { isSwitchedOn } from "./switches.ts";

export interface BrowserNotification {
  readonly title: string;
  readonly body: string;
  /** A newer notice with the same tag replaces the older one, in all tabs. */
  readonly tag: string;
  readonly path?: string;
}

/** `unsupported` if the browser cannot show notices, `insecure` if it does so only over https. */
type NotificationAccess = NotificationPermission | "unsupported" | "insecure";

export interface NotificationDeps {
  permission(): NotificationAccess;
  isHidden(): boolean;
  /** Whether another tab of the site shows the page at this path. */
  isShownElsewhere(path: string): Promise<boolean>;
  isSwitchedOn(): boolean;
  /** The worker's registration; null if there is none, or none that runs yet. */
  findRegistration(): Promise<Pick<ServiceWorkerRegistration, "showNotification" | "getNotifications"> | null>;
  /** Throws where only service workers may show notices, as in Chrome on Android. */
  showWithoutWorker(notification: BrowserNotification): { close(): void };
  currentPath(): string;
  onFailed(): void;
}

interface Notifications {
  show(notification: BrowserNotification): Promise<void>;
  closeAll(): Promise<void>;
}

export function createNotifications(deps: NotificationDeps): Notifications {
  const shown = new Map<string, { close(): void }>();
  return {
    async show(notification) {
      // Permission last: the browser asks another process for it, and the page waits.
      if (!deps.isHidden() || !deps.isSwitchedOn() || deps.permission() !== "granted") return;
      const { title, body, tag, path = deps.currentPath() } = notification;
      try {
        if (await deps.isShownElsewhere(path)) return;
        const registration = await deps.findRegistration();
        if (registration === null) shown.set(tag, deps.showWithoutWorker({ title, body, tag, path }));
        else await registration.showNotification(title, { body, tag, icon: ICON, badge: ICON, data: { path } });
      } catch {
        // The page shows the same, and the settings say that this device shows no notices.
        deps.onFailed();
      }
    },
    async closeAll() {
      for (const notification of shown.values()) notification.close();
      shown.clear();
      const registration = await deps.findRegistration().catch(() => null);
      for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
    },
  };
}

const ICON = "/icons/icon-192.png";
let hasFailed = false;

const notifications = createNotifications({
  permission: notificationAccess,
  isHidden: () => document.visibilityState === "hidden",
  async isShownElsewhere(path) {
    // Without locks, as with blocked storage, each hidden tab gives its notices.
    const locks = await navigator.locks?.query().catch(() => null);
    return locks?.held?.some(({ name }) => name === toLockName(path)) ?? false;
  },
  isSwitchedOn: () => isSwitchedOn("notifications"),
  async findRegistration() {
    const registration = await navigator.serviceWorker?.getRegistration();
    return registration?.active ? registration : null;
  },
  showWithoutWorker({ title, body, tag }) {
    const notification = new Notification(title, { body, tag, icon: ICON });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
    return notification;
  },
  currentPath: () => location.pathname,
  onFailed() {
    hasFailed = true;
  },
});

function toLockName(path: string): string {
  return `shows ${path}`;
}

/**
 * While this tab shows the page at this path, hidden tabs of the site give no notices of it. The
 * browser releases the lock of a tab that is closed or crashes.
 */
export function holdNotices(path: string): () => void {
  let release = (): void => undefined;
  function follow(): void {
    release();
    if (document.visibilityState !== "visible") return;
    const shown = new Promise<void>((resolve) => {
      release = resolve;
    });
    // A refusal has the effect that `isShownElsewhere` describes.
    navigator.locks?.request(toLockName(path), { mode: "shared" }, () => shown).catch(() => undefined);
  }
  follow();
  document.addEventListener("visibilitychange", follow);
  return () => {
    document.removeEventListener("visibilitychange", follow);
    release();
  };
}

export function showBrowserNotification(notification: BrowserNotification): void {
  void notifications.show(notification);
}

export function closeBrowserNotifications(): void {
  void notifications.closeAll();
}

export function notificationAccess(): NotificationAccess {
  if (globalThis.isSecureContext === false) return "insecure";
  return "Notification" in globalThis && !hasFailed ? Notification.permission : "unsupported";
}

/** Asks for permission unless the player decided before. Call it after a press that says why. */
export async function requestNotificationAccess(): Promise<NotificationAccess> {
  return notificationAccess() === "default" ? await Notification.requestPermission() : notificationAccess();
}

globalThis.document?.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") closeBrowserNotifications();
});
