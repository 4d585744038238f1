/** Bundles the server with its libraries into a few files, for a machine without npm. */
import path from "node:path";
import { build } from "vite";
import { ROOT } from "../runtime.js";

const SOURCES = path.join(ROOT, "apps/server/src");
/** A failure of the database is recognized by the place of its library in the stack. */
const DATABASE_LIBRARY = /node_modules\/pg(?:-pool|-protocol)?\//;

/** Writes the files and the licences of what they contain to `folder`. */
export async function bundleServer(folder: string, version: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    define: { RELEASE_VERSION: JSON.stringify(version) },
    // The renderer is native: release.ts copies it.
    ssr: { noExternal: true, external: ["@resvg/resvg-js"], target: "node" },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: "node24",
      minify: false,
      license: { fileName: "licences.md" },
      rolldownOptions: {
        input: {
          holo: path.join(SOURCES, "holo.ts"),
          "key-derivation-process": path.join(SOURCES, "accounts/password/key-derivation-process.ts"),
          "engine-process": path.join(SOURCES, "fairplay/engine/engine-process.ts"),
          "picture-process": path.join(SOURCES, "game/picture/picture-process.ts"),
        },
        output: {
          chunkFileNames: "[name].js",
          codeSplitting: { groups: [{ name: "node_modules/pg/index", test: DATABASE_LIBRARY }] },
        },
      },
    },
  });
}
