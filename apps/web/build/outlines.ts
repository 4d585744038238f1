import { join } from "node:path";
import { type Plugin, type Rolldown, runnerImport } from "vite";
import { endpoints } from "./endpoints.ts";
import { readPageRoutes } from "./page-ahead.ts";
import { translatableReact } from "./translatable-react.ts";

const RENDERER = "src/app/outline/render-outline.tsx";
const ROOT = '<div id="root"></div>';
const TITLE = /<title>[^<]*<\/title>/;

/** The browser's globals that modules of the page touch when they are imported. */
const BROWSER = { addEventListener: () => undefined, localStorage: { getItem: () => null } };

/**
 * Puts an outline into the HTML, so that something is visible before the page's scripts have run:
 * the frame in index.html, and each route's own page in pages/, with its styles.
 */
export function outlines(): Plugin {
  let root = "";
  return {
    name: "holo-outlines",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      // Before the service worker, whose id depends on the page.
      order: "post",
      async handler(_options, bundle) {
        const page = bundle["index.html"];
        if (page?.type !== "asset") throw new Error("The build has no page.");
        const { renderOutline } = await loadRenderer(root);
        const html = String(page.source);
        for (const [route, chunk] of await readPageRoutes(root, bundle)) {
          const { title, html: outline } = renderOutline(route);
          if (title === null) continue;
          const styles = listStyles(chunk, bundle)
            .filter((name) => !html.includes(name))
            .map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`);
          const source = fill(html, outline)
            .replace(TITLE, `<title>${title} · Holo Arena</title>`)
            .replace("</head>", () => `${styles.join("\n")}\n</head>`);
          this.emitFile({ type: "asset", fileName: toPageFile(route), source });
        }
        page.source = fill(html, renderOutline(null).html);
      },
    },
  };
}

function toPageFile(route: string): string {
  return `pages${route === "/" ? "/home" : route.replaceAll(":", "")}.html`;
}

function fill(html: string, outline: string): string {
  if (!html.includes(ROOT)) throw new Error(`The page has no ${ROOT}.`);
  return html.replace(ROOT, () => `<div id="root" aria-busy="true">${outline}</div>`);
}

async function loadRenderer(root: string): Promise<typeof import("../src/app/outline/render-outline.tsx")> {
  Object.assign(globalThis, BROWSER);
  const { module } = await runnerImport<typeof import("../src/app/outline/render-outline.tsx")>(join(root, RENDERER), {
    configFile: false,
    root,
    logLevel: "error",
    plugins: [...translatableReact(), endpoints(), withoutStyles()],
  });
  return module;
}

/** Vite cannot process styles outside a build or a server. */
function withoutStyles(): Plugin {
  const empty = "\0empty";
  return {
    name: "holo-without-styles",
    enforce: "pre",
    resolveId: { filter: { id: /\.css$/ }, handler: () => empty },
    load: { filter: { id: /^\0empty$/ }, handler: () => "" },
  };
}

/** A chunk's styles after those of its imports: a later style sheet overrides an earlier one. */
function listStyles(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): readonly string[] {
  const styles = new Set<string>();
  const seen = new Set<string>();
  const collect = ({ fileName, imports, viteMetadata }: Rolldown.OutputChunk): void => {
    if (seen.has(fileName)) return;
    seen.add(fileName);
    for (const name of imports) {
      const imported = bundle[name];
      if (imported?.type === "chunk") collect(imported);
    }
    for (const name of viteMetadata?.importedCss ?? []) styles.add(name);
  };
  collect(chunk);
  return [...styles];
}
