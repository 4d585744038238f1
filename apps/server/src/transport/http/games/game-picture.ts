import { hash } from "node:crypto";
import { ok, refuse } from "@holo/kernel/result.ts";
import { gamePictureQuery } from "@holo/protocol/game/games.ts";
import { ROUTES } from "@holo/protocol/routes.ts";
import type { Games } from "../../../game/game.ts";
import type { AccessDeps } from "../access.ts";
import { type HttpApp, mountFileRoute, toSingle } from "../routes.ts";

export interface GamePictureDeps extends AccessDeps {
  readonly games: Pick<Games, "loadGamePicture">;
}

/** A new picture takes a core some tens of milliseconds. */
const REQUESTS_PER_PICTURE = 10;
/** A player's name may change. */
const CACHED = "public, max-age=86400";

export function mountGamePicture(app: HttpApp, deps: GamePictureDeps): void {
  mountFileRoute(app, "gamePicture", deps, async (context, { charge }) => {
    const params = ROUTES.match.params.safeParse(context.req.param());
    const query = gamePictureQuery.safeParse(toSingle(context.req.queries()));
    if (!params.success || !query.success) return refuse("bad_request");
    const picture = await deps.games.loadGamePicture(params.data.id, { withAmount: query.data.amount === "true" });
    if (!picture.ok) return picture;
    const { png, isNew } = picture.value;
    if (isNew) charge(REQUESTS_PER_PICTURE);
    const etag = `"${hash("sha256", png, "base64url").slice(0, 22)}"`;
    const headers = { "cache-control": CACHED, "content-type": "image/png", etag };
    if (context.req.header("if-none-match") === etag) return ok(context.body(null, 304, headers));
    return ok(context.body(png, 200, headers));
  });
}
