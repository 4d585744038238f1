import { readFile } from "node:fs/promises";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { pageAhead } from "./build/page-ahead.ts";
import { precompress } from "./build/precompress.ts";
import { serviceWorker } from "./build/service-worker.ts";
import { themeScript } from "./build/theme-script.ts";

const SERVER = process.env.SERVER_URL ?? "http://localhost:3000";

/** What the frame, the home page and practice are made of; a piece of the kit that is not named here comes with the first page beyond them. */
const FIRST_KIT = [
  "base",
  "board-picture",
  "break-notice",
  "button",
  "chess-set",
  "classes",
  "coin",
  "disc",
  "empty",
  "icon",
  "icon-button",
  "naira",
  "note",
  "notify",
  "page-title",
  "percent",
  "permit",
  "relative-time",
  "skeleton",
  "squares",
  "switch-acts",
  "theme",
  "toasts",
  "tokens",
  "unbroken",
  "use-idle",
  "use-limits",
  "use-wide",
];

/** Puts the symbols every page draws from into the page itself: no request, no flash of missing icons. */
function inlineSprite(): Plugin {
  return {
    name: "holo-inline-sprite",
    async transformIndexHtml(html) {
      const sprite = await readFile(join(import.meta.dirname, "src/ui/sprite.svg"), "utf8");
      return html.replace("<!--sprite-->", sprite.replaceAll("\n", ""));
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), inlineSprite(), themeScript(), pageAhead(), serviceWorker(), precompress()],
  build: {
    outDir: "dist",
    // what knows oklch colours, <dialog>, popovers and :has()
    target: ["chrome114", "safari17", "firefox125"],
    // The content policy allows fonts and images from this origin only, so nothing becomes a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // the libraries stay in the browser's cache from release to release, and the kit is one request instead of thirty
          groups: [
            { name: "react", test: /node_modules\/(?:react|react-dom|scheduler|wouter|regexparam)\// },
            {
              name: "kit",
              test: new RegExp(
                String.raw`(?:src/ui/(?:${FIRST_KIT.join("|")})\.(?:tsx?|css)|src/lib/(?:api|session|board-settings|part|late-part|idle)\.ts|packages/(?:(?:kernel|rules)/src/[^/]+|table/src/clock)\.ts)$`,
              ),
            },
            // small files, each of which would cost a slow line a journey of its own before a table is shown
            { name: "line", test: /src\/(?:lib\/(?:socket[^/]*|server-clock|relations)\.ts|app\/socket-state\.tsx)$/ },
            { name: "panels", test: /src\/ui\/[^/]+\.(?:tsx?|css)$/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: { "/api": SERVER, "/socket": { target: SERVER, ws: true } },
  },
});
