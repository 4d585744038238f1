import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RefusalText } from "@holo/protocol/refusals/refusal-type.ts";
import type { Plugin } from "vite";

const REFUSALS = /\/packages\/protocol\/src\/refusals\/[a-z]+-refusals\.ts$/;
const SOURCE = /(?<!\.test)\.tsx?$/;
/** Modules that make a refusal of their own. They must name its code: elsewhere it is not found. */
const MAKES_REFUSALS = /\btoRefusalView\(/;
/** A code that is only compared needs no text. */
const COMPARISON = /(?:[!=]==|\bcase) "[a-z_]+"/g;

/**
 * Keeps only the texts of refusals that the page makes itself. The server sends its own with their
 * texts.
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
      const makers = (await Promise.all(files)).filter((source) => MAKES_REFUSALS.test(source));
      sources = makers.join("\n").replace(COMPARISON, "");
    },
    load: {
      filter: { id: REFUSALS },
      async handler(id) {
        const lists = Object.entries((await import(pathToFileURL(id).href)) as Readonly<Record<string, object>>);
        const kept = lists.map(([name, list]) => {
          const named = Object.entries(list as Readonly<Record<string, RefusalText>>)
            .filter(([code]) => sources.includes(`"${code}"`))
            .map(([code, { title, text }]) => [code, { title, text }]);
          return `export const ${name} = ${JSON.stringify(Object.fromEntries(named))};`;
        });
        return kept.join("\n");
      },
    },
  };
}
