import {
  openTestPushService,
  type TestPushService,
} from "../../apps/server/src/platform/push/testing/test-push-service.ts";
import { makeArenaServer } from "../support/arena-server.ts";
import { expectAccessible } from "../support/axe.ts";
import { test as base, expect, type Person } from "../support/fixtures.ts";
import { connectRobot } from "../support/robot.ts";

let publicKey = "";

const test = base.extend<object, { pushService: TestPushService }>({
  pushService: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
    async ({}, use) => {
      const service = await openTestPushService(() => publicKey);
      await use(service);
      await service.close();
    },
    { scope: "worker" },
  ],
  arena: [
    async ({ pushService }, use) => {
      const arena = await makeArenaServer({ PUSH_SERVICE: pushService.origin });
      await arena.start();
      await use(arena);
      await arena.remove();
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

/** The headless browser has no push service, and refuses every permission for notices. */
function standIn(subscription: ReturnType<TestPushService["subscribe"]>): void {
  if (location.protocol === "about:") return;
  const isKept = localStorage.getItem("holo.push") !== null;
  const Granting = {
    permission: isKept ? "granted" : "default",
    async requestPermission() {
      Granting.permission = "granted";
      return Granting.permission;
    },
  };
  Object.defineProperty(window, "Notification", { value: Granting });
  let isSubscribed = isKept;
  const made = {
    ...subscription,
    options: { applicationServerKey: null },
    toJSON: () => subscription,
    async unsubscribe() {
      isSubscribed = false;
      return true;
    },
  };
  PushManager.prototype.getSubscription = async () => (isSubscribed ? (made as unknown as PushSubscription) : null);
  PushManager.prototype.subscribe = async (options) => {
    document.documentElement.dataset.pushKey = String(options?.applicationServerKey);
    isSubscribed = true;
    return made as unknown as PushSubscription;
  };
}

/** Runs in the worker: takes a message as the browser would, and returns what it shows of it. */
const RECEIVE = (text: string) => `(async () => {
  const shown = [];
  self.registration.showNotification = async (title, options) => void shown.push({ title, ...options });
  const event = new PushEvent("push", { data: ${JSON.stringify(text)} });
  const works = [];
  event.waitUntil = (work) => works.push(work);
  self.dispatchEvent(event);
  await Promise.all(works);
  return shown;
})()`;

const setting = ({ page }: Pick<Person, "page">) => page.getByRole("switch", { name: "Notices while closed" });

async function switchOn({ page }: Person): Promise<void> {
  await page.goto("/profile#settings");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect(setting({ page })).toHaveAttribute("aria-checked", "false");
  await expect(page.getByText("Never ads.")).toBeVisible();
  publicKey = (await (await page.request.get("/api/push")).json()).publicKey;
  await setting({ page }).click();
  await expect(setting({ page })).toHaveAttribute("aria-checked", "true");
  await expect(page.locator("html")).toHaveAttribute("data-push-key", publicKey);
  await expectAccessible(page, "notices while closed are on");
}

test("A closed page is told that someone joined, once that is switched on; a page in sight is not [PUSH-11 §- r45]", async ({
  newPlayer,
  addPlayer,
  arena,
  pushService,
}) => {
  const ada = await newPlayer("ada", { context: { prefetches: true, serviceWorkers: "allow" } });
  await ada.page.addInitScript(standIn, pushService.subscribe());
  await switchOn(ada);
  const robots = [await connectRobot(ada, arena.url), await connectRobot(await addPlayer("bola"), arena.url)] as const;
  const gameId = await robots[0].create("checkers", 1);
  const worker = ada.context.serviceWorkers()[0]!;
  await ada.page.goto("about:blank");
  await robots[1].join(gameId);
  await expect.poll(() => pushService.received.length).toBe(1);
  expect(pushService.faults).toEqual([]);
  const { text } = pushService.received[0]!;
  const path = `/game/${gameId}`;
  expect(await worker.evaluate(RECEIVE(text))).toMatchObject([{ title: "Opponent joined", data: { path } }]);

  await robots[0].cancel(gameId);
  await ada.page.goto("/profile#settings");
  await expect(setting(ada)).toHaveAttribute("aria-checked", "true");
  // A page in sight shows it itself.
  expect(await worker.evaluate(RECEIVE(text))).toEqual([]);
  const ended = ada.page.waitForResponse((answer) => answer.url().endsWith("/api/push/end") && answer.ok());
  await setting(ada).click();
  await ended;
  await expect(setting(ada)).toHaveAttribute("aria-checked", "false");
  for (const robot of robots) robot.close();
});
