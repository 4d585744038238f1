/** What the login page is told of the page it came instead of. It lies in the browser's history, where no link and no other site can put it. */
interface Wanted {
  readonly wantedPage: string;
}

/** Any origin will do: only whether an address leaves it is asked. */
const HERE = "http://here.invalid";

export function toWanted({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): Wanted {
  return { wantedPage: `${pathname}${search}${hash}` };
}

/** The page that who was sent to log in wanted to see; null for who came by themselves, and for what would lead elsewhere than to us. */
export function readWantedPage(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("wantedPage" in state)) return null;
  const { wantedPage } = state;
  return typeof wantedPage === "string" && isOwnPath(wantedPage) ? wantedPage : null;
}

/** The same for the next page, on a way that leads back to logging in, such as registering; nothing where there is nothing to carry. */
export function carryWanted(state: unknown): Partial<Wanted> {
  const wantedPage = readWantedPage(state);
  return wantedPage === null ? {} : { wantedPage };
}

/** As the browser itself reads it, to which "/\t/", "/\" and "//" are all the beginning of another host. */
function isOwnPath(address: string): boolean {
  return address.startsWith("/") && URL.canParse(address, HERE) && new URL(address, HERE).origin === HERE;
}
