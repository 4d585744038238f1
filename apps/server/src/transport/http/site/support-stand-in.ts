import type { HttpApp } from "../routes.ts";

/** Where links to support lead without SUPPORT_MESSAGING_URL. Vite passes on /api only. */
export const SUPPORT_STAND_IN_PATH = "/api/support-stand-in";

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Support in development</title>
<h1>There is no support in development</h1>
<p>In production this link opens a conversation with your support team: set SUPPORT_MESSAGING_URL to its address,
and SUPPORT_EMAIL to an address that somebody reads.</p>
<p><a href="/">Back to Holo Arena</a></p>
</html>
`;

export function mountSupportStandIn(app: HttpApp): void {
  app.get(SUPPORT_STAND_IN_PATH, (context) => context.html(PAGE, 200, { "cache-control": "no-store" }));
}
