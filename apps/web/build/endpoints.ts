import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const ENDPOINTS = /\/packages\/protocol\/src\/endpoints\.ts$/;

/**
 * Replaces the endpoints module with its value, so that the page gets methods and paths without
 * their schemas. The build fails if the page imports zod.
 */
export function endpoints(): Plugin {
  return {
    name: "holo-endpoints",
    enforce: "pre",
    resolveId: {
      filter: { id: /^zod(\/|$)/ },
      handler() {
        this.error("the page must not load zod: import types, or a module without schemas");
      },
    },
    load: {
      filter: { id: ENDPOINTS },
      async handler(id) {
        const { ENDPOINTS: value } = await import(pathToFileURL(id).href);
        return `export const ENDPOINTS = ${JSON.stringify(value)};`;
      },
    },
  };
}
