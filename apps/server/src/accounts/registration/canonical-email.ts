import { createHmac, hkdfSync } from "node:crypto";

/** Hosts by which one and the same mailbox is reached. */
const SAME_HOSTS: Readonly<Record<string, string>> = { "googlemail.com": "gmail.com" };
/** Where dots before the @ are nothing, as the host says itself. */
const DOTLESS_HOSTS: ReadonlySet<string> = new Set(["gmail.com"]);
/**
 * Where whatever follows a plus before the @ is the owner's to choose, as each of these says itself, and no account has a plus in its name.
 * RFC 5233 leaves that to each host: elsewhere `a+b` may be somebody else than `a`, so it is taken as it is.
 */
const PLUS_HOSTS: ReadonlySet<string> = new Set([
  "fastmail.com",
  "gmail.com",
  "hotmail.com",
  "icloud.com",
  "live.com",
  "mac.com",
  "me.com",
  "outlook.com",
  "pm.me",
  "proton.me",
  "protonmail.com",
]);

/** The address by which a mailbox is told from others, of an address as accounts keep it. Two are never made one unless their host says so. */
export function toCanonicalEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [name, given] = [email.slice(0, at), email.slice(at + 1)];
  const host = SAME_HOSTS[given] ?? given;
  const plain = PLUS_HOSTS.has(host) ? (name.split("+")[0] ?? name) : name;
  const short = DOTLESS_HOSTS.has(host) ? plain.replaceAll(".", "") : plain;
  return `${short === "" ? name : short}@${host}`;
}

/** Gives the hash by which a mailbox is known again. Without the server's secret nobody can try addresses against it. */
export function makeCanonicalEmailHash(secret: string): (email: string) => string {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "holo mailboxes", 32));
  return (email) => createHmac("sha256", key).update(toCanonicalEmail(email)).digest("hex");
}
