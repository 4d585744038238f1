import type { Route } from "./route.ts";
import { ROUTES } from "./routes.ts";

/**
 * Method and path of every route. The page's build replaces this module with its value
 * (apps/web/build/endpoints.ts), so that browsers load no schema.
 */
export const ENDPOINTS: Endpoints<typeof ROUTES> = toEndpoints(ROUTES);

type Endpoints<Routes> = { readonly [Name in keyof Routes]: readonly [method: string, path: string] };

function toEndpoints<Routes extends Readonly<Record<string, Route>>>(routes: Routes): Endpoints<Routes> {
  const entries = Object.entries(routes).map(([name, { method, path }]) => [name, [method.toUpperCase(), path]]);
  return Object.fromEntries(entries);
}
