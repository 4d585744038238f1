import { assert } from "@holo/kernel/assert.ts";
import type { Result } from "@holo/kernel/result.ts";
import { RELEASE_UPLOAD_PATH } from "@holo/protocol/releases.ts";
import {
  ROUTES,
  type RouteBody,
  type RouteName,
  type RouteParams,
  type RouteQuery,
  type RouteResponse,
  refusalSchema,
} from "@holo/protocol/routes.ts";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { z } from "zod";
import type { Session, Visitor } from "../../accounts/accounts.ts";
import type { RateLimiter } from "../../platform/rate-limiter.ts";
import { readBytes } from "./read-body.ts";
import { type HttpRefusal, toRefusal } from "./refusal.ts";

const BODY_BYTES_MAX = 16 * 1024;

/** One request to a route, parsed: what it asks for, and who asks. */
export interface Call<Name extends RouteName> {
  readonly body: RouteBody<Name>;
  readonly query: RouteQuery<Name>;
  readonly params: RouteParams<Name>;
  readonly visitor: Visitor;
  /** Null for a visitor who is not logged in. Costs a query, so only who needs it asks. */
  findSession(): Promise<Session | null>;
}

export interface Reply<Name extends RouteName> {
  readonly body: RouteResponse<Name>;
  readonly setCookies?: readonly string[];
  /** Left out, nobody keeps the answer. */
  readonly cacheControl?: string;
}

export type Handler<Name extends RouteName> = (call: Call<Name>) => Promise<Result<Reply<Name>, HttpRefusal>>;
/** What answers these routes; a module of the transport gives its own, and together they are all. */
export type Handlers<Names extends RouteName = RouteName> = { readonly [Name in Names]: Handler<Name> };

interface RouteSchemas {
  readonly method: "get" | "post" | "patch";
  readonly path: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly response: z.ZodType;
}

export interface RoutesOptions {
  readonly handlers: Handlers;
  readonly toVisitor: (context: Context) => Visitor;
  /** Counts the requests of each address. */
  readonly requests: RateLimiter;
  readonly findSession: (cookie: string | undefined) => Promise<Session | null>;
  /** Whether each answer is held against its schema: outside production, where a wrong one should be seen. */
  readonly checkResponses: boolean;
}

/** Registers every route of the protocol with its handler, for requests and for the OpenAPI page alike. */
export function mountRoutes(app: OpenAPIHono, options: RoutesOptions): void {
  // A build is uploaded where builds are listed, by no route of JSON.
  const methods = new Map([[RELEASE_UPLOAD_PATH, ["POST"]]]);
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const route: RouteSchemas = ROUTES[name];
    const path = route.path.replace(/\{(\w+)\}/g, ":$1");
    app.openAPIRegistry.registerPath(describe(name, route));
    app.on(route.method.toUpperCase(), path, (context) => answer(context, route, name, options));
    methods.set(path, [...(methods.get(path) ?? []), route.method.toUpperCase()]);
  }
  for (const [path, allowed] of methods) {
    app.all(path, (context) => {
      context.header("allow", allowed.join(", "));
      return toRefusal(context, "method_not_allowed");
    });
  }
}

async function answer<Name extends RouteName>(
  context: Context,
  route: RouteSchemas,
  name: Name,
  options: RoutesOptions,
): Promise<Response> {
  const visitor = options.toVisitor(context);
  if (!options.requests.tryAcquire(visitor.address)) return toRefusal(context, "too_many_requests");
  const body = await parseBody(context, route.body);
  const query = parsePart(route.query, toSingle(context.req.queries()));
  const params = parsePart(route.params, context.req.param());
  if (body === "too_large") return toRefusal(context, "too_large");
  if (!body.success || !query.success || !params.success) return toRefusal(context, "bad_request");
  // The schemas just parsed these are the ones the handler's types are made from.
  const call = { body: body.data, query: query.data, params: params.data } as Pick<
    Call<Name>,
    "body" | "query" | "params"
  >;
  const handler: Handler<Name> = options.handlers[name];
  const result = await handler({ ...call, visitor, findSession: () => options.findSession(visitor.cookie) });
  if (!result.ok) return toRefusal(context, result.refusal);
  if (options.checkResponses) {
    const checked = route.response.safeParse(result.value.body);
    assert(checked.success, `the answer of ${name} is not what its route says: ${checked.error?.message}`);
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

/** A parameter given twice stays a list, which no schema takes: which of the two was meant is not ours to guess. */
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

const JSON_TYPE = "application/json";

function describe(name: RouteName, route: RouteSchemas) {
  return createRoute({
    operationId: name,
    method: route.method,
    path: route.path,
    request: {
      ...(route.body && { body: { required: true, content: { [JSON_TYPE]: { schema: route.body } } } }),
      ...(route.query && { query: route.query }),
      ...(route.params && { params: route.params }),
    },
    responses: {
      200: { description: "Done", content: { [JSON_TYPE]: { schema: route.response } } },
      default: { description: "Refused", content: { [JSON_TYPE]: { schema: refusalSchema } } },
    },
  });
}
