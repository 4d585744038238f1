import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";

const SOURCE = "src/app/theme-early.js";
/** Boards that are not in every page: the script fetches them if one is chosen. */
const BOARDS = "src/ui/theme/boards.css";

/**
 * Replaces `<!--theme-->` with the script that runs before the first paint. It is no module, so
 * Vite would not give it a hashed name.
 */
export function themeScript(): Plugin {
  let address = `/${SOURCE}`;
  let built: readonly { readonly fileName: string; readonly source: string }[] = [];
  return {
    name: "holo-theme-script",
    async configResolved({ command, root }) {
      if (command !== "build") return;
      const boards = toAsset("boards", "css", await readFile(join(root, BOARDS), "utf8"));
      const script = await readFile(join(root, SOURCE), "utf8");
      const theme = toAsset("theme", "js", script.replace(BOARDS, boards.fileName));
      built = [boards, theme];
      address = `/${theme.fileName}`;
    },
    transformIndexHtml: (html) => html.replace("<!--theme-->", `<script src="${address}"></script>`),
    generateBundle() {
      for (const asset of built) this.emitFile({ type: "asset", ...asset });
    },
  };
}

function toAsset(name: string, ending: string, source: string) {
  const hash = createHash("sha256").update(source).digest("base64url").slice(0, 8);
  return { fileName: `assets/${name}-${hash}.${ending}`, source };
}
