import { ok, refuse } from "@holo/kernel/result.ts";
import { releaseUploadQuery } from "@holo/protocol/releases.ts";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Releases } from "../../../releases/releases.ts";
import { exemptUpload } from "../../admission/connections.ts";
import type { AccessDeps } from "../access.ts";
import { type Handlers, type HttpApp, mountFileRoute, replyWith, toSingle } from "../routes.ts";

type ReleaseRoute = "releases" | "adminReleases" | "makeReleaseCurrent";

/** Every page asks for the current releases regularly. */
const CURRENT_CACHED = "public, max-age=10";

export function makeReleaseHandlers(releases: Releases): Handlers<ReleaseRoute> {
  return {
    async releases() {
      return ok({ body: { releases: await releases.loadCurrent() }, cacheControl: CURRENT_CACHED });
    },

    async adminReleases() {
      return ok({ body: { releases: await releases.loadStored() } });
    },

    async makeReleaseCurrent({ staff, body }) {
      return replyWith(await releases.makeCurrent(staff.id, body), (release) => release);
    },
  };
}

interface UploadDeps extends AccessDeps {
  readonly releases: Pick<Releases, "upload">;
}

export function mountUpload(app: HttpApp, deps: UploadDeps): void {
  mountFileRoute(
    app,
    "uploadRelease",
    deps,
    async (context: Context<{ Bindings: Partial<HttpBindings> }>, { staff }) => {
      const query = releaseUploadQuery.safeParse(toSingle(context.req.queries()));
      const { body } = context.req.raw;
      const isFile = context.req.header("content-type")?.trim().toLowerCase() === "application/octet-stream";
      if (!query.success || !isFile) return refuse("bad_request");
      const length = context.req.header("content-length") ?? "";
      if (!/^\d{1,15}$/.test(length)) return refuse("release_length_missing");
      if (context.env.incoming !== undefined) exemptUpload(context.env.incoming);
      const { platform, version = null } = query.data;
      const uploaded = await deps.releases.upload({
        actorId: staff.id,
        platform,
        version,
        sizeBytes: Number(length),
        body: body ?? new Blob([]).stream(),
      });
      if (!uploaded.ok) return uploaded;
      return ok(context.json(uploaded.value, 200, { "cache-control": "no-store" }));
    },
  );
}
