import { createHash } from "node:crypto";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { findChunk, listFiles } from "./chunks.ts";

/** What an offline start needs: the shell, the offline page, and practice of every game. */
const PRECACHED_MODULES = [
  "../../packages/chess/src/chess.ts",
  "index.html",
  "src/app/header/menu-sheet.tsx",
  "src/features/home/home-page.tsx",
  "src/features/home/offline-page.tsx",
  "src/features/home/practice/new-practice-dialog.tsx",
  "src/features/home/practice/practice.tsx",
  "src/features/home/practice/practice-screen.tsx",
  "src/lib/sound/sound-synth.ts",
  "src/shared/board/piece-sets/chess-classic.svg?raw",
];
/** Files outside the graph of modules: the early script of the theme, the worker of the engine. */
const PRECACHED_FILES = /^assets\/(?:theme|engine-worker)-.*\.js$/;

/** Placeholder for the build id, which depends on the worker's own code. */
const ID = "build-id";

export function serviceWorker(): Plugin {
  let root = "";
  return {
    name: "holo-service-worker",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      // After the other plugins' files: the id depends on the page.
      order: "post",
      async handler(_options, bundle) {
        const page = bundle["index.html"];
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const entry = chunks.find(({ isEntry }) => isEntry);
        if (page?.type !== "asset" || entry === undefined) throw new Error("The build has no page or no entry.");
        const chunksToCache = PRECACHED_MODULES.map((module) => findChunk(chunks, root, module));
        const files = listFiles(chunks, chunksToCache, ({ viteMetadata }) => viteMetadata?.importedAssets ?? []);
        for (const name of Object.keys(bundle)) if (PRECACHED_FILES.test(name)) files.add(name);
        const paths = [...files].sort().map((name) => `/${name}`);
        const source = await buildWorker(root, { id: ID, entry: `/${entry.fileName}`, files: paths });
        const id = createHash("sha256").update(page.source).update(source).digest("base64url").slice(0, 10);
        this.emitFile({ type: "asset", fileName: "sw.js", source: source.replaceAll(ID, id) });
      },
    },
  };
}

interface Build {
  readonly id: string;
  readonly entry: string;
  readonly files: readonly string[];
}

/** A classic script: some supported browsers run no module as a service worker. */
async function buildWorker(root: string, made: Build): Promise<string> {
  const result = await build({
    configFile: false,
    root,
    logLevel: "warn",
    publicDir: false,
    define: { BUILD: JSON.stringify(made) },
    build: {
      write: false,
      target: ["chrome114", "safari17", "firefox125"],
      modulePreload: false,
      rolldownOptions: { input: join(root, "src/worker/worker.ts"), output: { format: "iife" } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !("output" in output)) throw new Error("The service worker could not be built.");
  const [chunk] = output.output;
  return chunk.code;
}
