import { networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { isOwnMachine, toReachableHost } from "./machine.ts";
import { startSandbox } from "./sandbox.ts";
import { TEST_KEY } from "./testing/test-sandbox.ts";

it.each([
  [null, "127.0.0.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
  ["::1", "[::1]"],
  ["192.168.1.5", "192.168.1.5"],
  ["localhost", "localhost"],
])("a server on %j is reached at %s", (host, reachable) => {
  expect(toReachableHost(host)).toBe(reachable);
});

it.each([
  ["127.0.0.1", "127.0.0.1", true],
  ["127.0.0.2", "127.0.0.1", true],
  ["::ffff:127.0.0.1", "::ffff:127.0.0.1", true],
  ["::1", "::1", true],
  ["192.168.1.5", "192.168.1.5", true],
  ["192.168.1.6", "192.168.1.5", false],
  ["1127.0.0.1", "192.168.1.5", false],
  [undefined, undefined, false],
])("a connection from %s to %s is of this machine: %s", (remote, local, expected) => {
  expect(isOwnMachine(remote, local)).toBe(expected);
});

/** Null on a machine without a network. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;

// [OPS-43 §-] In development a device that reaches the page reaches the test checkout too: it listens on `HOST` and
// has the host of `PUBLIC_URL`, which is `HOST` by default. Links to support lead to a page that says that there is
// none.
it("opens the checkout at the host that devices know, and listens where they reach it [OPS-43]", async () => {
  const { url, close } = await startSandbox({ secretKey: TEST_KEY, host: "0.0.0.0", publicHost: "holo.test" });
  const { port } = new URL(url);
  expect(url).toBe(`http://127.0.0.1:${port}`);
  const headers = { authorization: `Bearer ${TEST_KEY}`, "content-type": "application/json" };
  const order = {
    email: "ada@example.com",
    amount: 500_000,
    reference: "holo-1",
    callback_url: "http://holo.test/wallet",
  };
  const body = JSON.stringify(order);
  const begun = await fetch(`${url}/transaction/initialize`, { method: "POST", headers, body });
  const { data } = (await begun.json()) as { readonly data: { readonly authorization_url: string } };
  const checkout = new URL(data.authorization_url);
  expect(checkout.host).toBe(`holo.test:${port}`);
  const reached = await fetch(`http://${address ?? "127.0.0.1"}:${port}${checkout.pathname}`);
  expect(reached.status).toBe(200);
  await close();
});
