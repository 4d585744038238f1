import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { Router } from "wouter";
import { navigate, usePathname, useSearch } from "wouter/use-browser-location";
import { currentSession } from "../lib/session.ts";
import { findRoute, NotFoundPage } from "./routes.tsx";

/** So long the page that is left stays in sight while the next one is fetched; then it is said that it loads. */
const STAYS_MS_MAX = 500;

interface Place {
  readonly path: string;
  readonly search: string;
}

const ShownPlace = createContext<Place>({ path: "", search: "" });

/**
 * Lets everything below it be at the address whose page is shown, which follows the browser's as soon as the next page has been fetched. So a page is
 * not left for the word that another one loads, which React would not take away for 300 ms.
 */
export function AtShownPlace({ children }: { readonly children: ReactNode }) {
  const path = usePathname();
  const search = useSearch();
  const [shown, setShown] = useState<Place>({ path, search });
  const isAhead = path !== shown.path;
  // within one page there is nothing to wait for
  const mayFollow = !isAhead || findPage(path).isHere();
  if (mayFollow && (isAhead || search !== shown.search)) setShown({ path, search });

  useEffect(() => {
    if (!isAhead) return;
    let isWanted = true;
    const follow = () => isWanted && setShown({ path, search });
    const timer = setTimeout(follow, STAYS_MS_MAX);
    void findPage(path).fetchAhead().then(follow);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [isAhead, path, search]);

  return (
    <ShownPlace value={shown}>
      <Router hook={useShownPath} searchHook={useShownSearch}>
        {children}
      </Router>
    </ShownPlace>
  );
}

function useShownPath(): [string, typeof navigate] {
  return [useContext(ShownPlace).path, navigate];
}

function useShownSearch(): string {
  return useContext(ShownPlace).search;
}

/** A visitor at a player's page is led to log in. */
function findPage(path: string) {
  const route = findRoute(path);
  const isLedAway = route?.playersOnly === true && currentSession()?.player === null;
  return (isLedAway ? findRoute("/login") : route)?.page ?? NotFoundPage;
}
