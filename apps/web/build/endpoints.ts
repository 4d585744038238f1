import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const ENDPOINTS = /\/packages\/protocol\/src\/endpoints\.ts$/;

/**
 * Replaces the module of the endpoints with its value, so that the page gets methods and paths
 * without the schemas they stand beside. A page that would load zod is a broken build.
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
