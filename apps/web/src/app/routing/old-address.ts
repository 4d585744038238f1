const OLD = /^#(\/reset-password)(\?.*)?$/;

/** Where an address of the earlier page leads that kept its route behind a hash (ruling 26); null for every other. */
export function parseOldAddress(hash: string): string | null {
  const [, path, search = ""] = OLD.exec(hash) ?? [];
  return path === undefined ? null : `${path}${search}`;
}

/** Now, and when such an address is entered later: that loads no page. */
export function followOldAddresses(go: (address: string) => void): void {
  const follow = (): void => {
    const address = parseOldAddress(window.location.hash);
    if (address !== null) go(address);
  };
  window.addEventListener("hashchange", follow);
  follow();
}
