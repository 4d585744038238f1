/**
 * The page that a visitor requested before logging in. It is kept in the browser's history state,
 * which no link or other site can set.
 */
interface Wanted {
  readonly wantedPage: string;
}

/** Any origin works: it only shows whether an address leaves its origin. */
const HERE = "http://here.invalid";

export function toWanted({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): Wanted {
  return { wantedPage: `${pathname}${search}${hash}` };
}

/** Null for none, and for addresses outside this site. */
export function readWantedPage(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("wantedPage" in state)) return null;
  const { wantedPage } = state;
  return typeof wantedPage === "string" && isOwnPath(wantedPage) ? wantedPage : null;
}

export function carryWanted(state: unknown): Partial<Wanted> {
  const wantedPage = readWantedPage(state);
  return wantedPage === null ? {} : { wantedPage };
}

/** Parses as the browser does: "/\t/", "/\" and "//" all begin another host. */
function isOwnPath(address: string): boolean {
  return address.startsWith("/") && URL.canParse(address, HERE) && new URL(address, HERE).origin === HERE;
}
