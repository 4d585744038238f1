import { Component, type ReactNode, Suspense, useEffect, useLayoutEffect } from "react";
import { Redirect, Route, useLocation } from "wouter";
import { lazyChunk } from "../lib/chunks/lazy-chunk.ts";
import { currentNativeHost } from "../lib/native/native-host.ts";
import { useMaybeSession } from "../lib/session/session.ts";
import { toWanted } from "../lib/session/wanted-page.ts";
import { Button, ButtonLink } from "../ui/button/button.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Loading } from "../ui/feedback/skeleton.tsx";
import { Layout } from "./layout/layout.tsx";
import { SessionReminder } from "./prompts/session-reminder.tsx";
import { ActiveGameRedirect } from "./routing/active-game-redirect.tsx";
import { prefetchWhenIdle } from "./routing/prefetch.ts";
import { findRoute, NotFoundPage, OfflinePage, type PageRoute } from "./routing/routes.tsx";
import { ShownLocationProvider } from "./routing/shown-location.tsx";
import { useReachable } from "./session/reachable.ts";

interface ErrorState {
  readonly failed: boolean;
}

class ErrorBoundary extends Component<{ readonly children: ReactNode }, ErrorState> {
  override state: ErrorState = { failed: false };

  static getDerivedStateFromError(): ErrorState {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <FaultNote /> : this.props.children;
  }
}

/** What the player sent before the fault may have been carried out: it is not to be sent again. */
function FaultNote() {
  const openGame = useMaybeSession()?.openGame ?? null;
  return (
    <EmptyState
      text="Something went wrong on this page. What you did before it may have worked: look before you do it again."
      action={
        <>
          {openGame !== null && <ButtonLink href={`/game/${openGame.gameId}`}>Open Your Match</ButtonLink>}
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </>
      }
    />
  );
}

const AppPrompt = lazyChunk(() => import("./prompts/app-prompt.tsx"));

export function App() {
  // Not before the outline is replaced: other fonts would move its texts.
  useLayoutEffect(() => {
    document.getElementById("root")?.removeAttribute("aria-busy");
    document.documentElement.dataset.fonts = "";
  }, []);
  return (
    <ShownLocationProvider>
      <RoutedApp />
    </ShownLocationProvider>
  );
}

function RoutedApp() {
  const host = currentNativeHost();
  const [location] = useLocation();
  const route = findRoute(location);
  const isReachable = useReachable();
  const session = useMaybeSession();
  const isKnown = session !== null;
  const isPlayer = session !== null && session.player !== null;

  useEffect(() => {
    if (isKnown) return prefetchWhenIdle(isPlayer);
    // Load the page's chunk while the session is loading.
    void route?.page.prefetch();
  }, [route, isKnown, isPlayer]);

  return (
    <Layout bare={route?.bare === true}>
      <ActiveGameRedirect staysDuringGame={route?.staysDuringGame === true} />
      <SessionReminder />
      {host !== null && (
        <Suspense>
          <AppPrompt host={host} />
        </Suspense>
      )}
      <ErrorBoundary key={location}>
        <Suspense
          fallback={
            <Loading text={isReachable ? "Loading..." : "This page opens as soon as we can reach Holo Arena."} />
          }
        >
          <Page route={route} isReachable={isReachable} />
        </Suspense>
      </ErrorBoundary>
    </Layout>
  );
}

interface PageProps {
  readonly route: PageRoute | undefined;
  readonly isReachable: boolean;
}

function Page({ route, isReachable }: PageProps): ReactNode {
  const session = useMaybeSession();
  if (session === null) return isReachable ? <Loading text="Loading..." /> : <OfflinePage />;
  if (route === undefined) return <NotFoundPage />;
  if (route.playersOnly === true && session.player === null) {
    return <Redirect to="/login" state={toWanted(window.location)} replace />;
  }
  return <Route path={route.path} component={route.page} />;
}
