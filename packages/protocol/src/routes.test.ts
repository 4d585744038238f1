import { expect, test } from "vitest";
import { ROUTE_PATHS } from "./route-paths.ts";
import { ROUTES } from "./routes.ts";

test("the page's list of routes is the server's", () => {
  const listed = Object.entries(ROUTES).map(([name, route]) => [name, [route.method.toUpperCase(), route.path]]);
  expect(ROUTE_PATHS).toEqual(Object.fromEntries(listed));
});
