import { callApi, fetchApi } from "../api/api.ts";

/** Why this browser shows nothing while the site is closed; null if it can. */
export type PushObstacle = "unsupported" | "denied";

export interface PushDeps {
  permission(): NotificationPermission;
  requestPermission(): Promise<NotificationPermission>;
  /** Null where there is no Web Push: WebViews, older Safari, Firefox in private windows. */
  findManager(): Promise<PushManager | null>;
  loadKey(): Promise<string>;
  /** Returns the refusal's text, null once the server has it. */
  save(subscription: PushSubscriptionJSON): Promise<string | null>;
  remove(endpoint: string): Promise<void>;
  /** Whose notices this browser shows. It may change hands. */
  readOwner(): string | null;
  writeOwner(playerId: string | null): void;
}

export type SwitchedOn = { readonly on: true } | { readonly on: false; readonly why: PushObstacle | string };

export interface PushSwitch {
  /** Asks for permission if need be: call it after a press that explains it. */
  switchOn(playerId: string): Promise<SwitchedOn>;
  switchOff(): Promise<void>;
  /** A logout ended it on the server. After the same player's login it goes on. */
  renew(playerId: string): Promise<boolean>;
}

export function createPushSwitch(deps: PushDeps): PushSwitch {
  async function subscribe(manager: PushManager): Promise<PushSubscription> {
    const key = await deps.loadKey();
    const earlier = await manager.getSubscription();
    if (earlier !== null && toText(earlier.options.applicationServerKey) === key) return earlier;
    // A browser subscribes to one key at a time.
    await earlier?.unsubscribe();
    return await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  }

  async function saveOn(manager: PushManager, playerId: string): Promise<SwitchedOn> {
    const subscription = await subscribe(manager);
    const { endpoint, keys } = subscription.toJSON();
    const refused = await deps.save({ endpoint, keys } as PushSubscriptionJSON);
    if (refused !== null) return { on: false, why: refused };
    deps.writeOwner(playerId);
    return { on: true };
  }

  return {
    async switchOn(playerId) {
      const manager = await deps.findManager();
      if (manager === null) return { on: false, why: "unsupported" };
      if ((await deps.requestPermission()) !== "granted") return { on: false, why: "denied" };
      return await saveOn(manager, playerId);
    },

    async switchOff() {
      deps.writeOwner(null);
      const subscription = await (await deps.findManager())?.getSubscription();
      if (subscription == null) return;
      await deps.remove(subscription.endpoint);
      await subscription.unsubscribe();
    },

    async renew(playerId) {
      if (deps.readOwner() !== playerId || deps.permission() !== "granted") return false;
      const manager = await deps.findManager();
      return manager !== null && (await saveOn(manager, playerId)).on;
    },
  };
}

function toText(key: ArrayBuffer | null): string {
  const binary = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer()));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const OWNER = "holo.push";

export const pushSwitch = createPushSwitch({
  permission: () => Notification.permission,
  requestPermission: () => Notification.requestPermission(),
  async findManager() {
    if (!("serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis)) return null;
    return (await navigator.serviceWorker.getRegistration())?.pushManager ?? null;
  },
  loadKey: async () => (await fetchApi("pushKey", {})).publicKey,
  async save({ endpoint, keys }) {
    const { p256dh = "", auth = "" } = keys ?? {};
    const answer = await callApi("subscribePush", { body: { endpoint: endpoint ?? "", keys: { p256dh, auth } } });
    return answer.ok ? null : answer.refusal.text;
  },
  async remove(endpoint) {
    await callApi("unsubscribePush", { body: { endpoint } });
  },
  readOwner() {
    try {
      return localStorage.getItem(OWNER);
    } catch {
      return null;
    }
  },
  writeOwner(playerId) {
    try {
      if (playerId === null) localStorage.removeItem(OWNER);
      else localStorage.setItem(OWNER, playerId);
    } catch {
      // Storage is blocked: it stays on until the login ends.
    }
  },
});
