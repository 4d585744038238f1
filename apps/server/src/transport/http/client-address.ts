import { BlockList, isIP, SocketAddress } from "node:net";

/** The proxies whose word about the client's address counts: addresses, or networks as `10.0.0.0/8`. */
export type Proxies = BlockList;

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** Throws on what is neither an address nor a network. */
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

/** The first four groups of an IPv6 address: the network one household or server has, within which addresses are free. */
function toNetwork(address: string): string {
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/** As sockets name an address, or a proxy may: with a port, or an IPv4 one as IPv6 writes it. What is none is left as it is. */
function toPlain(text: string): string {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  if (isIP(address) !== 6 || address.includes("%")) return address;
  const written = new SocketAddress({ address, family: "ipv6" }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(written)?.[1] ?? written;
}

/**
 * Who is counted for a request: the address it came from, or the last one in X-Forwarded-For that no proxy of ours added. Anyone can
 * write that header, so only what our own proxies wrote into it is believed. IPv6 addresses are cut to their /64.
 */
export function toClientAddress(
  remote: string | undefined,
  forwardedFor: string | undefined,
  proxies: Proxies,
): string {
  let client = toPlain(remote ?? "");
  const hops = (forwardedFor ?? "").split(",").map((hop) => toPlain(hop.trim()));
  while (isIP(client) !== 0 && proxies.check(client, familyOf(client))) {
    const hop = hops.pop();
    if (hop === undefined || isIP(hop) === 0) break;
    client = hop;
  }
  return isIP(client) === 6 ? toNetwork(client) : client;
}
