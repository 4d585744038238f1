import { beforeEach, expect, test } from "vitest";
import { createPushSwitch, type PushDeps } from "./push.ts";

const KEY = "BPk_AA";
let permission: NotificationPermission;
let key: string;
let owner: string | null;
let saved: string[];
let refusal: string | null;
let subscribed: { readonly endpoint: string; readonly key: string } | null;
let count = 0;

function toSubscription({ endpoint, key: of }: NonNullable<typeof subscribed>) {
  return {
    endpoint,
    options: { applicationServerKey: new Uint8Array(Buffer.from(of, "base64url")).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
    async unsubscribe() {
      subscribed = null;
      return true;
    },
  };
}

const manager = {
  getSubscription: async () => (subscribed === null ? null : toSubscription(subscribed)),
  async subscribe({ applicationServerKey }: PushSubscriptionOptionsInit) {
    count += 1;
    subscribed = { endpoint: `https://push.example/${count}`, key: String(applicationServerKey) };
    return toSubscription(subscribed);
  },
} as unknown as PushManager;

const deps: PushDeps = {
  permission: () => permission,
  async requestPermission() {
    if (permission === "default") permission = "granted";
    return permission;
  },
  findManager: async () => manager,
  loadKey: async () => key,
  async save({ endpoint }) {
    if (refusal === null) saved.push(endpoint ?? "");
    return refusal;
  },
  async remove(endpoint) {
    saved = saved.filter((one) => one !== endpoint);
  },
  readOwner: () => owner,
  writeOwner(playerId) {
    owner = playerId;
  },
};
const push = createPushSwitch(deps);

beforeEach(() => {
  permission = "default";
  key = KEY;
  owner = null;
  saved = [];
  refusal = null;
  subscribed = null;
});

test("is switched on after the permission, and off again", async () => {
  expect(await push.switchOn("ada")).toEqual({ on: true });
  expect(saved).toEqual([subscribed?.endpoint]);
  await push.switchOff();
  expect([saved, subscribed, owner]).toEqual([[], null, null]);
});

test("says why it stays off", async () => {
  permission = "denied";
  expect(await push.switchOn("ada")).toEqual({ on: false, why: "denied" });
  permission = "default";
  refusal = "We don't know this service.";
  expect(await push.switchOn("ada")).toEqual({ on: false, why: refusal });
  const without = createPushSwitch({ ...deps, findManager: async () => null });
  expect(await without.switchOn("ada")).toEqual({ on: false, why: "unsupported" });
  expect([saved, owner]).toEqual([[], null]);
});

test("Notices go on after the same player's next login only [PUSH-10 §- r45]", async () => {
  await push.switchOn("ada");
  saved = [];
  expect(await push.renew("bola")).toBe(false);
  expect(saved).toEqual([]);
  expect(await push.renew("ada")).toBe(true);
  expect(saved).toEqual([subscribed?.endpoint]);
});

test("subscribes again to a server with another key", async () => {
  await push.switchOn("ada");
  const before = subscribed?.endpoint;
  key = "BPk_BB";
  expect(await push.renew("ada")).toBe(true);
  expect(subscribed?.key).toBe(key);
  expect(subscribed?.endpoint).not.toBe(before);
});

test("is off once the browser took the permission back", async () => {
  await push.switchOn("ada");
  permission = "denied";
  expect(await push.renew("ada")).toBe(false);
});
