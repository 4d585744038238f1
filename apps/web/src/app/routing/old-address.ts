const OLD = /^#(\/reset-password)(\?.*)?$/;

/** The path for an address of the earlier page with its route in the hash (ruling 26), or null. */
export function parseOldAddress(hash: string): string | null {
  const [, path, search = ""] = OLD.exec(hash) ?? [];
  return path === undefined ? null : `${path}${search}`;
}

/** Now, and on every later hash change, since that loads no page. */
export function followOldAddresses(go: (address: string) => void): void {
  const follow = (): void => {
    const address = parseOldAddress(window.location.hash);
    if (address !== null) go(address);
  };
  window.addEventListener("hashchange", follow);
  follow();
}
