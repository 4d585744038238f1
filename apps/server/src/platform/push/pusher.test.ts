import { addMs, MINUTE_MS } from "@holo/kernel/instant.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeTestTime } from "../testing/test-time.ts";
import { isPushService } from "./push-services.ts";
import { openPusher } from "./pusher.ts";
import { openTestPushService, type TestPushService } from "./testing/test-push-service.ts";
import { makeVapidKeys } from "./vapid.ts";

const SECRET = "a secret of at least thirty-two characters";
const keys = makeVapidKeys(SECRET);
const { now } = makeTestTime();
const signal = AbortSignal.timeout(60_000);
let service: TestPushService;

beforeAll(async () => {
  service = await openTestPushService(() => keys.publicKey);
});
afterAll(() => service.close());
beforeEach(() => service.answerWith(201));

const open = (secret = SECRET) => openPusher({ keys: makeVapidKeys(secret), contact: "mailto:support@arena.test" });
const push = () => ({ subscription: service.subscribe(), text: "Ada joined ♟", expiresAt: addMs(now(), MINUTE_MS) });

test("A notice is encrypted for one browser, and its push service knows the sender [PUSH-01 §- r45]", async () => {
  expect(await open().send(push(), now(), signal)).toBe("delivered");
  expect(service.received.at(-1)).toMatchObject({ text: "Ada joined ♟", ttl: 60, urgency: "high" });
  expect(service.faults).toEqual([]);
});

test("a key that begins with zeros is as good as any", async () => {
  const secret = "secret number 000000000000000067";
  expect(makeVapidKeys(secret).privateKey).toMatch(/^A/);
  expect(await open(secret).send(push(), now(), signal)).toBe("gone");
  expect(service.faults).toEqual(["another key"]);
});

test.each([
  [404, "gone"],
  [410, "gone"],
  [403, "gone"],
  [413, "refused"],
])("an answer of %i means %s", async (status, expected) => {
  service.answerWith(status);
  expect(await open().send(push(), now(), signal)).toBe(expected);
});

test.each([429, 500, 503])("an answer of %i is tried again", async (status) => {
  service.answerWith(status);
  await expect(open().send(push(), now(), signal)).rejects.toThrow(`${status}`);
});

test("all servers of a secret have one key, and another secret another", async () => {
  expect(makeVapidKeys(SECRET)).toEqual(keys);
  expect(await open("another secret of thirty-two characters").send(push(), now(), signal)).toBe("gone");
  expect(service.faults.at(-1)).toBe("another key");
});

test.each([
  "https://fcm.googleapis.com/fcm/send/abc",
  "https://updates.push.services.mozilla.com/wpush/v2/abc",
  "https://wns2-par02p.notify.windows.com/w/?token=abc",
  "https://web.push.apple.com/abc",
])("messages go to %s", (endpoint) => {
  expect(isPushService(endpoint)).toBe(true);
});

// [PUSH-02 §- r45] A page cannot make the server call any address: only those of push services are accepted.
test.each([
  "http://fcm.googleapis.com/fcm/send/abc",
  "https://fcm.googleapis.com:8443/abc",
  "https://fcm.googleapis.com.evil.example/abc",
  "https://evilfcm.googleapis.com/abc",
  "https://user@fcm.googleapis.com/abc",
  "https://127.0.0.1/abc",
  "https://push.apple.com.example/abc",
  "file:///etc/passwd",
  "nonsense",
])("the server never calls %s for a page [PUSH-02]", (endpoint) => {
  expect(isPushService(endpoint)).toBe(false);
});

test("the operator's own service is known by its whole origin", () => {
  const own = ["http://127.0.0.1:8080"];
  expect(isPushService("http://127.0.0.1:8080/abc", own)).toBe(true);
  expect(isPushService("http://127.0.0.1:80801/abc", own)).toBe(false);
  expect(isPushService("http://x@127.0.0.1:8080/abc", own)).toBe(false);
});
