import type { GameId } from "@holo/kernel/ids.ts";
import { ROUTES } from "@holo/protocol/routes.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Session, Visitor } from "../../../accounts/accounts.ts";
import type { Arena } from "../../../arena/arena.ts";
import type { RateLimiter } from "../../../platform/rate-limiter.ts";
import { toRefusal } from "../refusal.ts";

export interface GameExportDeps {
  readonly arena: Pick<Arena, "loadGameFile">;
  readonly publicUrl: string;
  readonly toVisitor: (context: Context) => Visitor;
  /** Counts the requests of each address. */
  readonly requests: RateLimiter;
  readonly findSession: (cookie: string | undefined) => Promise<Session | null>;
}

const PATH = "/api/matches/:id/record";
/** PDN has no registered type. */
const TYPES: Readonly<Record<GameType, string>> = {
  checkers: "text/plain; charset=utf-8",
  chess: "application/vnd.chess-pgn; charset=utf-8",
};

/** A game's record as a download. It answers with a file, so it is none of the protocol's routes, which answer with JSON. */
export function mountGameExport(app: OpenAPIHono, options: GameExportDeps): void {
  const { arena, publicUrl, toVisitor, requests, findSession } = options;
  app.get(PATH, async (context) => {
    const visitor = toVisitor(context);
    if (!requests.tryAcquire(visitor.address)) return toRefusal(context, "too_many_requests");
    const params = ROUTES.match.params.safeParse(context.req.param());
    if (!params.success) return toRefusal(context, "bad_request");
    const gameId = params.data.id.toLowerCase() as GameId;
    const session = await findSession(visitor.cookie);
    const file = await arena.loadGameFile(gameId, session?.player.id ?? null, `${publicUrl}/game/${gameId}`);
    if (!file.ok) return toRefusal(context, file.refusal);
    return context.body(file.value.text, 200, {
      // A game that goes on has another record after the next move.
      "cache-control": "no-store",
      "content-disposition": `attachment; filename="${file.value.name}"`,
      "content-type": TYPES[file.value.game],
    });
  });
  app.all(PATH, (context) => {
    context.header("allow", "GET");
    return toRefusal(context, "method_not_allowed");
  });
}
