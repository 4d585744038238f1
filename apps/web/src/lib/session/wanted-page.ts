/**
 * The page that a visitor asked for before they were sent to log in. It is kept in the browser's
 * history state, where no link and no other site can set it.
 */
interface Wanted {
  readonly wantedPage: string;
}

/** Any origin works: it only shows whether an address leaves its origin. */
const HERE = "http://here.invalid";

export function toWanted({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): Wanted {
  return { wantedPage: `${pathname}${search}${hash}` };
}

/** The page the visitor asked for; null for none, and for addresses outside this site. */
export function readWantedPage(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("wantedPage" in state)) return null;
  const { wantedPage } = state;
  return typeof wantedPage === "string" && isOwnPath(wantedPage) ? wantedPage : null;
}

/** Passes the wanted page on to the next page, such as registration. */
export function carryWanted(state: unknown): Partial<Wanted> {
  const wantedPage = readWantedPage(state);
  return wantedPage === null ? {} : { wantedPage };
}

/** Parses as the browser does: "/\t/", "/\" and "//" all begin another host. */
function isOwnPath(address: string): boolean {
  return address.startsWith("/") && URL.canParse(address, HERE) && new URL(address, HERE).origin === HERE;
}
