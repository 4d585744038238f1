import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { findChunk, listFiles } from "./chunks.ts";

const ROUTES = "src/app/routing/routes.tsx";
const ROUTE = /path: "(?<path>[^"]+)",\s*page: lazyChunk\(\(\) => import\("(?:\.\.\/)+(?<page>[^"]+)"\)\)/g;

/**
 * Writes ahead.json: each route's files beside the shell. The server sends them as preload headers,
 * so that the browser loads them together with the shell.
 */
export function pageAhead(): Plugin {
  let root = "";
  return {
    name: "holo-page-ahead",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const entry = chunks.find(({ isEntry }) => isEntry);
        if (entry === undefined) throw new Error("The build has no entry.");
        const frame = listFiles(chunks, [entry]);
        const ahead = (await readPageRoutes(root, bundle)).map(([path, page]) => {
          const files = listFiles(chunks, [page]);
          return [path, [...files].filter((file) => !frame.has(file))];
        });
        this.emitFile({ type: "asset", fileName: "ahead.json", source: JSON.stringify(Object.fromEntries(ahead)) });
      },
    },
  };
}

/** Each route with the chunk of its page, read from the routes' source. Throws if there is none. */
export async function readPageRoutes(
  root: string,
  bundle: Rolldown.OutputBundle,
): Promise<readonly (readonly [path: string, page: Rolldown.OutputChunk])[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const routes = [...(await readFile(join(root, ROUTES), "utf8")).matchAll(ROUTE)];
  if (routes.length === 0) throw new Error(`${ROUTES} has no routes as they are looked for here.`);
  return routes.map(({ groups: { path = "", page = "" } = {} }) => [path, findChunk(chunks, root, `src/${page}`)]);
}
