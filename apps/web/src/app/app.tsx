import { lazy, type ReactNode, Suspense } from "react";
import { matchRoute, Redirect, Route, useLocation, useRouter } from "wouter";
import { currentNativeHost } from "../lib/native-host.ts";
import { loadPart } from "../lib/part.ts";
import { useMaybeSession } from "../lib/session.ts";
import { Loading } from "../ui/skeleton.tsx";
import { ActiveGameRedirect } from "./active-game-redirect.tsx";
import { FaultBoundary } from "./fault-boundary.tsx";
import { Layout } from "./layout.tsx";
import { NotFoundPage, type PageRoute, ROUTES } from "./routes.tsx";
import { SessionReminder } from "./session-reminder.tsx";

const AppPrompt = lazy(() => loadPart(() => import("./app-prompt.tsx")));

export function App() {
  const host = currentNativeHost();
  const [location] = useLocation();
  const { parser } = useRouter();
  const route = ROUTES.find((candidate) => matchRoute(parser, candidate.path, location)[0]);
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
        <Suspense fallback={<Loading text="Loading..." />}>
          <Page route={route} />
        </Suspense>
      </FaultBoundary>
    </Layout>
  );
}

/** A page is shown once it is known who looks at it, so that none has to guess. */
function Page({ route }: { readonly route: PageRoute | undefined }): ReactNode {
  const session = useMaybeSession();
  if (session === null) return <Loading text="Loading..." />;
  if (route === undefined) return <NotFoundPage />;
  if (route.playersOnly === true && session.player === null) return <Redirect to="/login" replace />;
  return <Route path={route.path} component={route.page} />;
}
