import { BlockList, isIP, SocketAddress } from "node:net";

/** Proxies whose X-Forwarded-For is trusted: addresses, or networks such as `10.0.0.0/8`. */
export type Proxies = BlockList;

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** Throws on text that is neither an address nor a network. */
export function parseProxies(listed: readonly string[]): Proxies {
  const proxies = new BlockList();
  for (const proxy of listed) {
    const [address = "", bits] = proxy.split("/");
    if (isIP(address) === 0) throw new Error(`${proxy} is not the address of a proxy`);
    if (bits === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(bits), familyOf(address));
  }
  return proxies;
}

/** The /64 of an IPv6 address, which one household or server controls. */
function toNetwork(address: string): string {
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/** Removes a port and the IPv6 form of an IPv4 address. Other text is unchanged. */
function toBareAddress(text: string): string {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  if (isIP(address) !== 6 || address.includes("%")) return address;
  const written = new SocketAddress({ address, family: "ipv6" }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(written)?.[1] ?? written;
}

/** Whether the peer of a connection is one of our proxies. */
export function isTrustedProxy(remote: string | undefined, proxies: Proxies): boolean {
  const address = toBareAddress(remote ?? "");
  return isIP(address) !== 0 && proxies.check(address, familyOf(address));
}

/** More than any chain of proxies. A client can write thousands of addresses into the header. */
const HOPS_MAX = 16;

/**
 * The peer, or the last address in X-Forwarded-For that our proxies did not add: clients can write
 * that header. IPv6 is reduced to /64.
 */
export function toClientAddress(
  remote: string | undefined,
  forwardedFor: string | undefined,
  proxies: Proxies,
): string {
  let client = toBareAddress(remote ?? "");
  let rest = forwardedFor ?? "";
  for (let hops = 0; hops < HOPS_MAX && isTrustedProxy(client, proxies); hops += 1) {
    const comma = rest.lastIndexOf(",");
    const hop = toBareAddress(rest.slice(comma + 1).trim());
    if (isIP(hop) === 0) break;
    client = hop;
    rest = rest.slice(0, Math.max(0, comma));
  }
  return isIP(client) === 6 ? toNetwork(client) : client;
}
