import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const SERVER = process.env.SERVER_URL ?? "http://localhost:3000";
const COMPRESSIBLE = /\.(?:js|css|html|svg|txt|json|webmanifest)$/;
/** Below this a compressed file saves no packet. */
const COMPRESS_MIN_BYTES = 512;

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

/** Writes `.br` and `.gz` beside each text file of the build, so that the server never compresses while a game runs. */
function precompress(): Plugin {
  let folder = "";
  return {
    name: "holo-precompress",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      for (const entry of entries) {
        if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const content = await readFile(path);
        if (content.length < COMPRESS_MIN_BYTES) continue;
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        };
        await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
        await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), inlineSprite(), precompress()],
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
              test: /(?:src\/ui\/[^/]+\.(?:tsx?|css)|src\/lib\/(?:api|session)\.ts|packages\/kernel\/src\/[^/]+\.ts)$/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { "/api": SERVER, "/socket": { target: SERVER, ws: true } },
  },
});
