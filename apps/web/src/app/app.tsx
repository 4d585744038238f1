import { type ReactNode, Suspense, useEffect } from "react";
import { Redirect, Route, useLocation } from "wouter";
import { latePart } from "../lib/late-part.ts";
import { currentNativeHost } from "../lib/native-host.ts";
import { useMaybeSession } from "../lib/session.ts";
import { toWanted } from "../lib/wanted-page.ts";
import { Loading } from "../ui/skeleton.tsx";
import { ActiveGameRedirect } from "./active-game-redirect.tsx";
import { FaultBoundary } from "./fault-boundary.tsx";
import { fetchAheadAtRest } from "./fetch-ahead.ts";
import { Layout } from "./layout.tsx";
import { useReachable } from "./reachable.ts";
import { findRoute, NotFoundPage, OfflinePage, type PageRoute } from "./routes.tsx";
import { SessionReminder } from "./session-reminder.tsx";
import { AtShownPlace } from "./shown-place.tsx";

const AppPrompt = latePart(() => import("./app-prompt.tsx"));

export function App() {
  return (
    <AtShownPlace>
      <Frame />
    </AtShownPlace>
  );
}

function Frame() {
  const host = currentNativeHost();
  const [location] = useLocation();
  const route = findRoute(location);
  const isReachable = useReachable();
  const session = useMaybeSession();
  const isKnown = session !== null;
  const isPlayer = session !== null && session.player !== null;

  useEffect(() => {
    if (isKnown) return fetchAheadAtRest(isPlayer);
    // while it is asked who is there
    void route?.page.fetchAhead();
  }, [route, isKnown, isPlayer]);

  return (
    <Layout bare={route?.bare === true}>
      <ActiveGameRedirect undisturbed={route?.undisturbed === true} />
      <SessionReminder />
      {host !== null && (
        <Suspense>
          <AppPrompt host={host} />
        </Suspense>
      )}
      <FaultBoundary key={location}>
        <Suspense
          fallback={
            <Loading text={isReachable ? "Loading..." : "This page comes as soon as the arena can be reached."} />
          }
        >
          <Page route={route} isReachable={isReachable} />
        </Suspense>
      </FaultBoundary>
    </Layout>
  );
}

interface PageProps {
  readonly route: PageRoute | undefined;
  readonly isReachable: boolean;
}

/** A page is shown once it is known who looks at it, so that none has to guess. */
function Page({ route, isReachable }: PageProps): ReactNode {
  const session = useMaybeSession();
  if (session === null) return isReachable ? <Loading text="Loading..." /> : <OfflinePage />;
  if (route === undefined) return <NotFoundPage />;
  if (route.playersOnly === true && session.player === null) {
    return <Redirect to="/login" state={toWanted(window.location)} replace />;
  }
  return <Route path={route.path} component={route.page} />;
}
