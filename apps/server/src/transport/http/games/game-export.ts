import { ok, refuse } from "@holo/kernel/result.ts";
import { ROUTES } from "@holo/protocol/routes.ts";
import type { Games } from "../../../game/game.ts";
import type { AccessDeps } from "../access.ts";
import { type HttpApp, mountFileRoute } from "../routes.ts";

export interface GameExportDeps extends AccessDeps {
  readonly games: Pick<Games, "loadGameFile">;
  readonly publicUrl: string;
}

/** Reading this many records of a log costs as much as a request. */
export const RECORDS_PER_REQUEST = 50;

export function mountGameExport(app: HttpApp, deps: GameExportDeps): void {
  mountFileRoute(app, "gameExport", deps, async (context, { findSession, charge }) => {
    const params = ROUTES.match.params.safeParse(context.req.param());
    if (!params.success) return refuse("bad_request");
    const { id } = params.data;
    const session = await findSession();
    const file = await deps.games.loadGameFile(id, session?.player.id ?? null, `${deps.publicUrl}/game/${id}`);
    if (!file.ok) return file;
    charge(file.value.recordsRead / RECORDS_PER_REQUEST);
    const response = context.body(file.value.text, 200, {
      // An active game has another record after the next move.
      "cache-control": "no-store",
      "content-disposition": `attachment; filename="${file.value.name}"`,
      "content-type": file.value.type,
    });
    return ok(response);
  });
}
