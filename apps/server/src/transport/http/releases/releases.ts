import { ok } from "@holo/kernel/result.ts";
import { releaseUploadQuery } from "@holo/protocol/release-routes.ts";
import { RELEASE_UPLOAD_PATH } from "@holo/protocol/releases.ts";
import type { HttpBindings } from "@hono/node-server";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Session, Visitor } from "../../../accounts/accounts.ts";
import type { RateLimiter } from "../../../platform/rate-limiter.ts";
import type { Releases } from "../../../releases/releases.ts";
import { allowLong } from "../long-request.ts";
import { toRefusal } from "../refusal.ts";
import { type Handlers, toSingle } from "../routes.ts";
import { requireRole } from "../session.ts";

type ReleaseRoute = "releases" | "adminReleases" | "makeReleaseCurrent";

/** Every page asks for what is current now and then: a browser may ask itself for a moment. */
const CURRENT_CACHED = "public, max-age=10";

/** The native apps, by HTTP, but for the files themselves. */
export function makeReleaseHandlers(releases: Releases): Handlers<ReleaseRoute> {
  return {
    async releases() {
      return ok({ body: { releases: [...(await releases.loadCurrent())] }, cacheControl: CURRENT_CACHED });
    },

    async adminReleases(call) {
      const session = await requireRole(call, "admin");
      return session.ok ? ok({ body: { releases: [...(await releases.loadKept())] } }) : session;
    },

    async makeReleaseCurrent(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const made = await releases.makeCurrent(session.value.player.id, call.body.id);
      return made.ok ? ok({ body: made.value }) : made;
    },
  };
}

export interface UploadOptions {
  readonly releases: Pick<Releases, "upload">;
  readonly toVisitor: (context: Context) => Visitor;
  /** Counts the requests of each address. */
  readonly requests: RateLimiter;
  readonly findSession: (cookie: string | undefined) => Promise<Session | null>;
}

/** Takes a new build as the body of a request, as it comes. The protocol's routes take JSON, so it is none of them; mount it before them. */
export function mountUpload(app: OpenAPIHono, options: UploadOptions): void {
  app.post(RELEASE_UPLOAD_PATH, async (context: Context<{ Bindings: Partial<HttpBindings> }>) => {
    const visitor = options.toVisitor(context);
    if (!options.requests.tryAcquire(visitor.address)) return toRefusal(context, "too_many_requests");
    const session = await requireRole({ findSession: () => options.findSession(visitor.cookie) }, "admin");
    if (!session.ok) return toRefusal(context, session.refusal);
    const query = releaseUploadQuery.safeParse(toSingle(context.req.queries()));
    const { body } = context.req.raw;
    const isFile = context.req.header("content-type")?.trim().toLowerCase() === "application/octet-stream";
    if (!query.success || !isFile) return toRefusal(context, "bad_request");
    const length = context.req.header("content-length") ?? "";
    if (!/^\d{1,15}$/.test(length)) return toRefusal(context, "release_length_missing");
    if (context.env.incoming !== undefined) allowLong(context.env.incoming);
    const { platform, version = null } = query.data;
    const uploaded = await options.releases.upload({
      actorId: session.value.player.id,
      platform,
      version,
      sizeBytes: Number(length),
      body: body ?? new Blob([]).stream(),
    });
    if (!uploaded.ok) return toRefusal(context, uploaded.refusal);
    return context.json(uploaded.value, 200, { "cache-control": "no-store" });
  });
}
