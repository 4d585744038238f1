import { ok, refuse } from "@holo/kernel/result.ts";
import type { Handlers } from "./http-routes.ts";
import { requireRole } from "./http-session.ts";

type ReleaseRoute = "releases" | "adminReleases" | "makeReleaseCurrent";

/** The native apps, by HTTP. None can be uploaded yet. */
export function makeReleaseHandlers(): Handlers<ReleaseRoute> {
  return {
    async releases() {
      return ok({ body: { releases: [] } });
    },

    async adminReleases(call) {
      const session = await requireRole(call, "admin");
      return session.ok ? ok({ body: { releases: [] } }) : session;
    },

    async makeReleaseCurrent(call) {
      const session = await requireRole(call, "admin");
      return session.ok ? refuse("unknown_release") : session;
    },
  };
}
