import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { endpoints } from "./build/endpoints.ts";
import { outlines } from "./build/outlines.ts";
import { pageAhead } from "./build/page-ahead.ts";
import { precompress } from "./build/precompress.ts";
import { refusals } from "./build/refusals.ts";
import { serviceWorker } from "./build/service-worker.ts";
import { styleLayers } from "./build/style-layers.ts";
import { themeScript } from "./build/theme-script.ts";
import { translatableReact } from "./build/translatable-react.ts";

const SERVER = process.env.SERVER_URL ?? "http://localhost:3000";

/** The files of `ui` and `shared` that the shell, the home page and practice need. */
const FIRST_LOAD = [
  "approximate-naira",
  "base",
  "board-picture",
  "button",
  "classes",
  "coin",
  "coin-amount",
  "dark-squares",
  "disc",
  "discs",
  "empty-state",
  "find-seat-refusal",
  "geometry",
  "icon",
  "join-label",
  "naira",
  "no-hyphen-break-text",
  "note",
  "notify",
  "offer-texts",
  "opening",
  "page-title",
  "piece-sets",
  "relative-time",
  "restriction-note",
  "seat-restrictions",
  "skeleton",
  "switch-commands",
  "theme",
  "toasts",
  "tokens",
  "use-may-play",
  "use-restrictions",
  "use-seat-refusal",
  "use-wide",
];

/** What tables and other pages share; the last two would be smaller than a request. */
const PANELS = [
  "ui/[^/]+/(?!copied-text)",
  "shared/(?:match|settings)/",
  "shared/money/(?=coin-amount)",
  "shared/people/(?=outcomes|report-reasons)",
  "lib/api/(?=coins)",
  "shared/board/(?:history/)?(?=arrow|promotion-chooser|step|use-ply-list)",
];

/** The files of `ui` and `shared` that pages with lists and forms need, and no table. */
const LISTS = [
  "badge",
  "collapsible",
  "live-games",
  "match-badge",
  "match-rows",
  "match-stake",
  "mini-board",
  "page-head",
  "password-field",
  "plot",
  "plot-path",
  "progress",
  "rated-play",
  "show-more",
  "tabs",
  "unverified-email-note",
  "use-match-list",
  "use-now",
].join("|");

const SHELL_KIT = [
  String.raw`src/(?:ui|shared)/(?:[^/]+/)+(?:${FIRST_LOAD.join("|")})\.(?:tsx?|css)`,
  String.raw`src/lib/(?:api/api|session/(?:session|wanted-page)|preferences/browser-notification|chunks/[^/]+|jsx/[^/]+)\.ts`,
  String.raw`src/shared/board/settings/board-settings\.ts`,
  String.raw`packages/(?:(?:kernel|rules)/src/[^/]+|table/src/(?:clock|platform-fee|stakes))\.ts`,
];

const SPRITES = ["src/ui/icon/sprite.svg", "src/shared/board/piece-sets/checkers-classic.svg"];

/** Inlines icons and discs into the page: no request, no flash of missing ones. */
function inlineSprite(): Plugin {
  return {
    name: "holo-inline-sprite",
    async transformIndexHtml(html) {
      const sprites = await Promise.all(SPRITES.map((file) => readFile(join(import.meta.dirname, file), "utf8")));
      return html.replace("<!--sprite-->", sprites.join("").replaceAll("\n", ""));
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    ...translatableReact(),
    styleLayers(),
    endpoints(),
    refusals(),
    inlineSprite(),
    themeScript(),
    pageAhead(),
    outlines(),
    serviceWorker(),
    precompress(),
  ],
  build: {
    outDir: "dist",
    // First versions with oklch colours, <dialog>, popovers and :has().
    target: ["chrome114", "safari17", "firefox125"],
    // The content policy allows fonts and images from this origin only: no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Of the libraries in the page, which browsers get as copies.
    license: { fileName: "licences.txt" },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // React stays cached from release to release; the kit is one request instead of thirty.
          groups: [
            { name: "react", test: /node_modules\/(?:react|react-dom|scheduler|wouter|regexparam)\// },
            { name: "kit", test: new RegExp(`(?:${SHELL_KIT.join("|")})$`) },
            // Small files: on a slow connection each would cost a round trip before a table is
            // shown.
            {
              name: "socket",
              test: /src\/(?:lib\/(?:socket\/[^/]+|session\/relations)\.ts|features\/table\/view-model\.ts|app\/header\/connection-note\.tsx|shared\/people\/relation-commands\.ts)$/,
            },
            // Practice and tables have both; what is chosen later must not split them.
            {
              name: "board",
              test: /src\/(?:shared\/board\/[^/]+|lib\/sound\/(?:sound|volume))\.(?:tsx?|css)$/,
            },
            {
              name: "panels",
              test: new RegExp(String.raw`src/(?:${PANELS.join("|")})(?!(?:${LISTS})\.)[^/]+\.(?:tsx?|css)$`),
            },
            // Last, since a group takes what its modules import.
            { name: "lists", test: new RegExp(String.raw`src/(?:ui|shared)/(?:[^/]+/)+(?:${LISTS})\.(?:tsx?|css)$`) },
            // Parts of several rare pages: every page holds the list of chunks, so each one costs.
            { name: "staff", test: /src\/features\/admin\/(?:loaded|reason-dialog)\.tsx$/ },
            {
              name: "account",
              test: /src\/features\/account\/(?:[^/]+\/)*(?:account-form|email-outcome|new-password|new-password-fields)\.(?:tsx?|css)$/,
            },
          ],
        },
      },
    },
  },
  // One file: a practice without a network needs no other.
  worker: { format: "es", rolldownOptions: { output: { codeSplitting: false } } },
  server: {
    proxy: { "/api": SERVER, "/socket": { target: SERVER, ws: true } },
  },
});
