import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { Router } from "wouter";
import { navigate, usePathname, useSearch } from "wouter/use-browser-location";
import { currentSession } from "../../lib/session/session.ts";
import { findRoute, NotFoundPage } from "./routes.tsx";

/** The old page stays visible this long while the next chunk loads. */
const OLD_PAGE_MS_MAX = 500;

interface ShownLocation {
  readonly path: string;
  readonly search: string;
}

const ShownLocationContext = createContext<ShownLocation>({ path: "", search: "" });

/**
 * Provides the location of the shown page. It follows the browser's when the next page is loaded:
 * React would show a loading text for at least 300 ms.
 */
export function ShownLocationProvider({ children }: { readonly children: ReactNode }) {
  const path = usePathname();
  const search = useSearch();
  const [shown, setShown] = useState<ShownLocation>({ path, search });
  const isBehindBrowser = path !== shown.path;
  // Within one page there is nothing to load.
  const mayFollow = !isBehindBrowser || findPage(path).isLoaded();
  if (mayFollow && (isBehindBrowser || search !== shown.search)) setShown({ path, search });

  useEffect(() => {
    if (!isBehindBrowser) return;
    let isWanted = true;
    const follow = () => isWanted && setShown({ path, search });
    const timer = setTimeout(follow, OLD_PAGE_MS_MAX);
    void findPage(path).prefetch().then(follow);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [isBehindBrowser, path, search]);

  return (
    <ShownLocationContext value={shown}>
      <Router hook={useShownPath} searchHook={useShownSearch}>
        {children}
      </Router>
    </ShownLocationContext>
  );
}

function useShownPath(): [string, typeof navigate] {
  return [useContext(ShownLocationContext).path, navigate];
}

function useShownSearch(): string {
  return useContext(ShownLocationContext).search;
}

function findPage(path: string) {
  const route = findRoute(path);
  const isRedirected = route?.playersOnly === true && currentSession()?.player === null;
  return (isRedirected ? findRoute("/login") : route)?.page ?? NotFoundPage;
}
