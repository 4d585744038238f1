import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";

const SOURCE = "src/app/theme-early.js";

/**
 * Replaces `<!--theme-->` with the script that runs before the first paint. It is no module, so
 * Vite would not give it a hashed name.
 */
export function themeScript(): Plugin {
  let address = `/${SOURCE}`;
  return {
    name: "holo-theme-script",
    async configResolved({ command, root }) {
      if (command !== "build") return;
      const source = await readFile(join(root, SOURCE));
      address = `/assets/theme-${createHash("sha256").update(source).digest("base64url").slice(0, 8)}.js`;
    },
    transformIndexHtml: (html) => html.replace("<!--theme-->", `<script src="${address}"></script>`),
    async generateBundle() {
      const source = await readFile(join(import.meta.dirname, "..", SOURCE));
      this.emitFile({ type: "asset", fileName: address.slice(1), source });
    },
  };
}
