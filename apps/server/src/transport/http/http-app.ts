import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Client, Session } from "../../accounts/accounts.ts";
import type { Payments } from "../../payments/payments.ts";
import { loadVersion } from "../../platform/build.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import { currentLogScope, LogScope, runInLogScope } from "../../platform/log-scope.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Releases } from "../../releases/releases.ts";
import { type Admission, COST } from "../admission/admission.ts";
import type { AccessDeps } from "./access.ts";
import { type ExportSources, mountAccountExport } from "./accounts/account-export.ts";
import { type Proxies, toClientAddress } from "./client-address.ts";
import { type GameExportDeps, mountGameExport } from "./games/game-export.ts";
import { type GamePictureDeps, mountGamePicture } from "./games/game-picture.ts";
import { type MetricsAccess, mountMetrics } from "./metrics.ts";
import { toFault, toRefusal } from "./refusal.ts";
import { mountDownloads } from "./releases/downloads.ts";
import { mountUpload } from "./releases/releases.ts";
import { REQUEST_ID, toRequestId } from "./request-id.ts";
import { type Handlers, type HttpApp, mountMethodRefusals, mountRoutes } from "./routes.ts";
import { secureHeaders } from "./security-headers.ts";
import { mountAssetLinks } from "./site/asset-links.ts";
import { makePreviews, type PreviewDeps } from "./site/previews.ts";
import type { Site } from "./site/site.ts";
import { mountSupportStandIn } from "./site/support-stand-in.ts";
import { mountStatementFile } from "./wallet/statement.ts";
import { mountWebhook } from "./wallet/webhook.ts";

interface HttpAppDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly metricsAccess: MetricsAccess;
  readonly handlers: Handlers;
  readonly accounts: ExportSources["accounts"];
  readonly games: GameExportDeps["games"] & GamePictureDeps["games"] & PreviewDeps["games"];
  readonly matches: PreviewDeps["matches"];
  readonly releases: Pick<Releases, "upload" | "findDownload">;
  readonly queries: Queries;
  readonly payments: Pick<Payments, "receive"> & ExportSources["payments"];
  readonly findSession: (cookie: string | undefined) => Promise<Session | null>;
  readonly site: Site;
  readonly androidCertificates: readonly string[];
  readonly publicUrl: string;
  readonly origins: readonly string[];
  readonly admission: Admission;
  readonly time: Time;
  /** False while shutting down or without the database. */
  readonly isReady: () => Promise<boolean>;
  readonly isProduction: boolean;
  readonly requiresStaffCodes: boolean;
}

const DURATION_BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

/**
 * All HTTP routes: the protocol's under /api, the operators', and the page. Refusals have the
 * protocol's status and text; faults are logged here and answered without details.
 */
export function createHttpApp(deps: HttpAppDeps): HttpApp {
  const { log, metrics, handlers, findSession, site, publicUrl, isProduction, admission } = deps;
  const durations = metrics.histogram(
    "holo_http_seconds",
    "Duration of requests in seconds, by route and status",
    DURATION_BUCKETS,
    ["route", "status"],
  );
  const faults = metrics.counter("holo_http_faults_total", "Requests that failed with a server error");
  const app: HttpApp = new Hono();

  app.use(async (context, next) => {
    const scope = new LogScope({ requestId: toRequestId(context.env.incoming, admission.proxies) });
    await runInLogScope(scope, next).finally(() => scope.end());
    context.res.headers.set(REQUEST_ID, scope.ids.requestId);
  });
  // Hono hands only an Error to `onError`: anything else would be answered without a log line.
  app.use(async (_context, next) => {
    await next().catch((thrown: unknown) => {
      throw thrown instanceof Error ? thrown : new Error("something else than an Error was thrown", { cause: thrown });
    });
  });
  app.use(secureHeaders({ publicUrl, hasTls: isProduction }));
  app.use(async (context, next) => {
    const stop = durations.startTimer();
    await next();
    stop({ route: toRouteLabel(context), status: context.res.status });
  });
  mountWebhook(app, deps.payments);
  app.use(refuseForeignOrigins(deps.origins));

  const access: AccessDeps = {
    findSession,
    toClient: (context: Context) => toClient(context, admission.proxies),
    admission,
    requiresStaffCodes: deps.requiresStaffCodes,
  };
  mountRoutes(app, { handlers, ...access, checkResponses: !isProduction });
  mountGameExport(app, { games: deps.games, publicUrl, ...access });
  mountGamePicture(app, { games: deps.games, ...access });
  const { accounts, games, matches, payments, queries, time } = deps;
  mountStatementFile(app, { queries, time, ...access });
  mountAccountExport(app, { accounts, payments, queries, time, ...access });

  mountUpload(app, { releases: deps.releases, ...access });
  mountDownloads(app, { releases: deps.releases, ...access });
  mountMethodRefusals(app);
  if (!isProduction) mountSupportStandIn(app);
  mountAssetLinks(app, deps.androidCertificates);

  app.get("/openapi.json", async (context) => context.json(await loadDescription()));
  app.get("/healthz", (context) => context.text(`ok ${loadVersion()}`, 200, { "cache-control": "no-store" }));
  app.get("/readyz", async (context) => {
    const isReady = await deps.isReady();
    return context.text(isReady ? "ready" : "not ready", isReady ? 200 : 503, { "cache-control": "no-store" });
  });
  mountMetrics(app, metrics, deps.metricsAccess);

  app.on("GET", ["/admin", "/admin/"], (context) => context.redirect("/admin/revenue"));
  const findPreview = makePreviews({ games, matches, publicUrl });
  app.notFound((context) => {
    const { method, path } = context.req;
    if (/^\/(api|socket)(\/|$)/.test(path)) return toRefusal(context, "not_found");
    if (method !== "GET" && method !== "HEAD") return toRefusal(context, "method_not_allowed");
    // Previews query the database, within the limit of requests; above it the page has none.
    const source = admission.identify(access.toClient(context));
    return site.serve(context, (pathname, query) =>
      admission.trySpend(source, COST.route) ? findPreview(pathname, query) : Promise.resolve(null),
    );
  });
  app.onError((err, context) => {
    // The client has disconnected.
    if (hasHungUp(context.env.incoming, err)) return toRefusal(context, "bad_request");
    faults.inc();
    log.error({ err, method: context.req.method, path: context.req.path }, "a request failed");
    return toFault(context, currentLogScope()?.ids.requestId);
  });
  return app;
}

/**
 * Refuses changes from other sites by Sec-Fetch-Site, or by Origin for older browsers. Requests
 * without both are refused.
 */
function refuseForeignOrigins(origins: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    if (context.req.method === "GET" || context.req.method === "HEAD") return await next();
    const site = context.req.header("sec-fetch-site");
    const origin = context.req.header("origin");
    const isForeign =
      (site === undefined && origin === undefined) ||
      (site !== undefined && site !== "same-origin") ||
      (origin !== undefined && !origins.includes(origin));
    return isForeign ? toRefusal(context, "foreign_origin") : await next();
  };
}

/** `GET /api/matches/:id`: the route that answered, of which there are few, not the path. */
function toRouteLabel(context: Context): string {
  const route = matchedRoutes(context)[context.req.routeIndex];
  // Without a route of its own: the page and its files, and unknown paths.
  return route === undefined || route.path === "/*" || route.path === "*" ? "other" : `${route.method} ${route.path}`;
}

let description: Promise<object> | null = null;

/** Created on first request: it costs a tenth of the server's start. */
function loadDescription(): Promise<object> {
  description ??= import("./openapi.ts").then(({ describeRoutes }) => describeRoutes());
  return description;
}

/** Whether the client disconnected or timed out before its request was complete, or was read. */
function hasHungUp(incoming: HttpBindings["incoming"] | undefined, err: Error): boolean {
  return incoming?.destroyed === true && (!incoming.complete || incoming.errored === err);
}

function toClient(context: Context<{ Bindings: Partial<HttpBindings> }>, proxies: Proxies): Client {
  const remote = context.env.incoming?.socket.remoteAddress;
  return {
    address: toClientAddress(remote, context.req.header("x-forwarded-for"), proxies),
    userAgent: context.req.header("user-agent") ?? "",
    cookie: context.req.header("cookie"),
  };
}
