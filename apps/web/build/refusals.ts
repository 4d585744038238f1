import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const REFUSALS = /\/packages\/protocol\/src\/refusals\/[a-z]+-refusals\.ts$/;
const SOURCE = /(?<!\.test)\.tsx?$/;

/**
 * Keeps only the refusals whose codes the page's source names, since the server sends its own with
 * their texts.
 */
export function refusals(): Plugin {
  let sources = "";
  return {
    name: "holo-refusals",
    enforce: "pre",
    apply: "build",
    async configResolved({ root }) {
      const folder = join(root, "src");
      const names = await readdir(folder, { recursive: true });
      const files = names.filter((name) => SOURCE.test(name)).map((name) => readFile(join(folder, name), "utf8"));
      sources = (await Promise.all(files)).join("\n");
    },
    load: {
      filter: { id: REFUSALS },
      async handler(id) {
        const lists = Object.entries((await import(pathToFileURL(id).href)) as Readonly<Record<string, object>>);
        const kept = lists.map(([name, list]) => {
          const named = Object.entries(list).filter(([code]) => sources.includes(`"${code}"`));
          return `export const ${name} = ${JSON.stringify(Object.fromEntries(named))};`;
        });
        return kept.join("\n");
      },
    },
  };
}
