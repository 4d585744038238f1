import { expect, test } from "vitest";
import { parseProxies, toClientAddress } from "./client-address.ts";

const none = parseProxies([]);
const ours = parseProxies(["127.0.0.1", "10.0.0.0/8", "fd00::/8"]);

test.each([
  ["192.0.2.7", undefined, none, "192.0.2.7"],
  ["::ffff:192.0.2.7", undefined, none, "192.0.2.7"],
  ["::ffff:c000:207", undefined, none, "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", undefined, none, "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff::1", undefined, none, "2001:db8:1:2::/64"],
  ["2001:0db8::1", undefined, none, "2001:db8:0:0::/64"],
  ["::1", undefined, none, "0:0:0:0::/64"],
  ["fe80::1%eth0", undefined, none, "fe80:0:0:0::/64"],
  [undefined, undefined, none, ""],
])("reduces %s to a client address", (remote, forwarded, proxies, expected) => {
  expect(toClientAddress(remote, forwarded, proxies)).toBe(expected);
});

test.each([
  ["a direct client's header", "192.0.2.7", "203.0.113.9", none, "192.0.2.7"],
  ["a direct client's header, with proxies configured", "192.0.2.7", "203.0.113.9", ours, "192.0.2.7"],
  ["our proxy's header", "127.0.0.1", "203.0.113.9", ours, "203.0.113.9"],
  ["our proxy's header over an IPv6 socket", "::ffff:10.1.2.3", "203.0.113.9", ours, "203.0.113.9"],
  ["an address that the client wrote before our proxy's", "10.0.0.1", "6.6.6.6, 203.0.113.9", ours, "203.0.113.9"],
  ["two of our proxies in a row", "10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2", ours, "203.0.113.9"],
  ["a proxy without a header", "10.0.0.1", undefined, ours, "10.0.0.1"],
  ["a proxy with an invalid header", "10.0.0.1", "unknown", ours, "10.0.0.1"],
  ["two of our proxies, the inner one over IPv6", "10.0.0.1", "203.0.113.9, ::ffff:10.0.0.2", ours, "203.0.113.9"],
  ["a proxy that adds the port", "10.0.0.1", "203.0.113.9:4711", ours, "203.0.113.9"],
  ["a proxy that adds the port to an IPv6 address", "10.0.0.1", "[2001:db8:1:2:3::]:443", ours, "2001:db8:1:2::/64"],
  ["a proxy over IPv6", "fd00::1", "2001:db8:1:2:3::", ours, "2001:db8:1:2::/64"],
])("finds the client's address for %s", (_what, remote, forwarded, proxies, expected) => {
  expect(toClientAddress(remote, forwarded, proxies)).toBe(expected);
});

test("refuses a proxy that is not an address", () => {
  expect(() => parseProxies(["proxy.internal"])).toThrow(/proxy.internal/);
});

test("reads only the end of a header with thousands of addresses", () => {
  const long = `${"10.0.0.9,".repeat(5_000)}203.0.113.9`;
  expect(toClientAddress("10.0.0.1", long, ours)).toBe("203.0.113.9");
  // A client that writes only addresses of our proxies is counted as one of these.
  expect(toClientAddress("10.0.0.1", "10.0.0.9,".repeat(5_000).slice(0, -1), ours)).toBe("10.0.0.9");
});
