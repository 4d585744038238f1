import { createHmac, hkdfSync } from "node:crypto";

const SAME_HOSTS: Readonly<Record<string, string>> = { "googlemail.com": "gmail.com" };
const DOTLESS_HOSTS: ReadonlySet<string> = new Set(["gmail.com"]);
/**
 * Providers that ignore a plus suffix in the local part. RFC 5233 leaves its meaning to each host,
 * so elsewhere it is kept.
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

/**
 * Maps equivalent addresses to one, as far as their provider documents it; `email` is normalized.
 */
export function toCanonicalEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [name, given] = [email.slice(0, at), email.slice(at + 1)];
  const host = SAME_HOSTS[given] ?? given;
  const plain = PLUS_HOSTS.has(host) ? (name.split("+")[0] ?? name) : name;
  const short = DOTLESS_HOSTS.has(host) ? plain.replaceAll(".", "") : plain;
  return `${short === "" ? name : short}@${host}`;
}

/**
 * Returns a keyed hash of the canonical email: without the server's secret no address can be tested
 * against it.
 */
export function makeCanonicalEmailHash(secret: string): (email: string) => string {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "holo mailboxes", 32));
  return (email) => createHmac("sha256", key).update(toCanonicalEmail(email)).digest("hex");
}

/** Without the plus suffix, which most hosts ignore. For limits only: a few hosts do not. */
export function removePlusSuffix(email: string): string {
  return email.replace(/^([^+@]+)\+[^@]*@/, "$1@");
}
