import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(?:js|css|html|svg|txt|json|webmanifest)$/;
const COMPRESS_MIN_BYTES = 512;

/** Writes `.br` and `.gz` beside each text file, so that the server never compresses. */
export function precompress(): Plugin {
  let folder = "";
  return {
    name: "holo-precompress",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    writeBundle: {
      // After the other plugins' files.
      order: "post",
      sequential: true,
      async handler() {
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
    },
  };
}
