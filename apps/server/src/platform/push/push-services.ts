/** The push services of Chrome, Edge, Firefox and Safari. */
const HOSTS = ["fcm.googleapis.com", ".push.services.mozilla.com", ".notify.windows.com", ".push.apple.com"] as const;

/**
 * Whether messages may be sent to that address. It comes from a page: any other would let a player
 * make the server call what they like.
 * @param others origins of further services, for tests and own ones
 */
export function isPushService(endpoint: string, others: readonly string[] = []): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, origin, username, password } = new URL(endpoint);
  if (username !== "" || password !== "") return false;
  if (others.includes(origin)) return true;
  const isListed = HOSTS.some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host));
  return protocol === "https:" && port === "" && isListed;
}
