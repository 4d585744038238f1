import { REFUSALS, type RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import { listRefusals, type Route } from "@holo/protocol/route.ts";
import { ROUTES, type RouteName, toRefusalSchema } from "@holo/protocol/routes.ts";
import { createRoute, OpenAPIHono } from "@hono/zod-openapi";

const JSON_TYPE = "application/json";

export function describeRoutes(): object {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono();
  for (const name of Object.keys(ROUTES) as RouteName[]) openAPIRegistry.registerPath(describe(name, ROUTES[name]));
  return getOpenAPI31Document({ openapi: "3.1.0", info: { title: "Holo Arena", version: "1" } });
}

function describe(name: RouteName, route: Route) {
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
      ...describeRefusals(listRefusals(route)),
    },
  });
}

function describeRefusals(codes: readonly RefusalCode[]) {
  const byStatus = Object.groupBy(codes, (code) => REFUSALS[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, some = []]) => [
      status,
      { description: some.join(", "), content: { [JSON_TYPE]: { schema: toRefusalSchema(some) } } },
    ]),
  );
}
