import { assert } from "@holo/kernel/assert.ts";
import { ok, type Result } from "@holo/kernel/result.ts";
import type { Route } from "@holo/protocol/route.ts";
import {
  FILE_ROUTES,
  type FileRouteName,
  type FileRouteRefusal,
  type RequestPart,
  ROUTES,
  type RouteAccess,
  type RouteName,
  type RouteRefusal,
  type RouteResponse,
} from "@holo/protocol/routes.ts";
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import type { z } from "zod";
import { type AccessDeps, admit, type Callers } from "./access.ts";
import { readBytes } from "./read-body.ts";
import { type HttpRefusal, toRefusal } from "./refusal.ts";

/** The node bindings are missing where a test sends a request without a server. */
export type HttpApp = Hono<{ Bindings: Partial<HttpBindings> }>;

const BODY_BYTES_MAX = 16 * 1024;
const JSON_TYPE = "application/json";

type Call<Name extends RouteName> = Callers[RouteAccess<Name>] & {
  readonly params: RequestPart<Name, "params">;
  readonly query: RequestPart<Name, "query">;
  readonly body: RequestPart<Name, "body">;
};

interface Reply<Name extends RouteName> {
  readonly body: RouteResponse<Name>;
  readonly setCookies?: readonly string[];
  /** Default: `no-store`. */
  readonly cacheControl?: string;
}

/** Refuses only with codes that its route lists, or with common ones. */
export type Handler<Name extends RouteName> = (
  call: Call<Name>,
) => Promise<Result<Reply<Name>, HttpRefusal<RouteRefusal<Name>>>>;

/** The reply after an operation that may be refused. */
export function replyWith<Value, Body, Refusal>(
  result: Result<Value, Refusal>,
  toBody: (value: Value) => Body,
): Result<{ readonly body: Body }, Refusal> {
  return result.ok ? ok({ body: toBody(result.value) }) : result;
}

export const toEmpty = (): Record<string, never> => ({});

/** Every resource provides its own. */
export type Handlers<Names extends RouteName = RouteName> = { readonly [Name in Names]: Handler<Name> };

interface RoutesDeps extends AccessDeps {
  readonly handlers: Handlers;
  /** Whether each response is validated against its schema; off in production. */
  readonly checkResponses: boolean;
}

export function mountRoutes(app: HttpApp, deps: RoutesDeps): void {
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const route: Route = ROUTES[name];
    app.on(route.method.toUpperCase(), toPattern(route.path), (context) => answer(context, route, name, deps));
  }
}

/**
 * Registers a route whose handler writes the response itself. Caller and refusals are handled as
 * for every other route.
 */
export function mountFileRoute<Name extends FileRouteName>(
  app: HttpApp,
  name: Name,
  deps: AccessDeps,
  respond: (
    context: Context,
    caller: Callers[(typeof FILE_ROUTES)[Name]["access"]],
  ) => Promise<Result<Response, HttpRefusal<FileRouteRefusal<Name>>>>,
): void {
  const { method, path, access } = FILE_ROUTES[name];
  app.on(method.toUpperCase(), toPattern(path), async (context) => {
    const caller = await admit<(typeof FILE_ROUTES)[Name]["access"]>(context, { access, method }, deps);
    if (!caller.ok) return toRefusal(context, caller.refusal);
    const result = await respond(context, caller.value);
    return result.ok ? result.value : toRefusal(context, result.refusal);
  });
}

/** Answers every other method on the paths of routes with 405. Mount it after all routes. */
export function mountMethodRefusals(app: HttpApp): void {
  const methods = new Map<string, readonly string[]>();
  for (const { method, path } of [...Object.values(ROUTES), ...Object.values(FILE_ROUTES)])
    methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  for (const [path, allowed] of methods) {
    app.all(toPattern(path), (context) => {
      context.header("allow", allowed.join(", "));
      return toRefusal(context, "method_not_allowed");
    });
  }
}

/** `/api/matches/{id}` as Hono writes it: `/api/matches/:id`. */
export function toPattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

async function answer<Name extends RouteName>(
  context: Context,
  route: Route,
  name: Name,
  deps: RoutesDeps,
): Promise<Response> {
  const caller = await admit(context, route, deps);
  if (!caller.ok) return toRefusal(context, caller.refusal);
  const body = await parseBody(context, route.body);
  const query = parsePart(route.query, toSingle(context.req.queries()));
  const params = parsePart(route.params, context.req.param());
  if (body === "too_large") return toRefusal(context, "too_large");
  if (!body.success || !query.success || !params.success) return toRefusal(context, "bad_request");
  // Caller and parts come from the route that determines the handler's type.
  const call: object = { ...caller.value, body: body.data, query: query.data, params: params.data };
  const handler: Handler<Name> = deps.handlers[name];
  const result = await handler(call as Call<Name>);
  if (!result.ok) return toRefusal(context, result.refusal);
  if (deps.checkResponses) {
    const checked = route.response.safeParse(result.value.body);
    assert(checked.success, `the response of ${name} does not match its schema: ${checked.error?.message}`);
  }
  for (const cookie of result.value.setCookies ?? []) context.header("set-cookie", cookie, { append: true });
  return context.body(JSON.stringify(result.value.body), 200, {
    "cache-control": result.value.cacheControl ?? "no-store",
    "content-type": JSON_TYPE,
  });
}

interface Parsed {
  readonly success: boolean;
  readonly data?: unknown;
}

/** A parameter given twice stays a list, which no schema accepts. */
export function toSingle(queries: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function parsePart(schema: z.ZodType | undefined, value: unknown): Parsed {
  return schema === undefined ? { success: true } : schema.safeParse(value);
}

async function parseBody(context: Context, schema: z.ZodType | undefined): Promise<Parsed | "too_large"> {
  if (schema === undefined) return { success: true };
  const type = context.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  const bytes = await readBytes(context, BODY_BYTES_MAX);
  if (bytes === null) return "too_large";
  if (type !== JSON_TYPE) return { success: false };
  try {
    return schema.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
  } catch (error) {
    if (error instanceof SyntaxError) return { success: false };
    throw error;
  }
}
