import { join } from "node:path";
import react from "@vitejs/plugin-react";
import type { Plugin, PluginOption } from "vite";

const RUNTIME = join(import.meta.dirname, "../src/lib/jsx/jsx-runtime.ts");
const DEV_RUNTIME = join(import.meta.dirname, "../src/lib/jsx/jsx-dev-runtime.ts");

/** React with our JSX runtime, which keeps the page working while a browser translates it. */
export function translatableReact(): PluginOption[] {
  const runtime: Plugin = {
    name: "holo-jsx-runtime",
    enforce: "pre",
    resolveId: {
      filter: { id: /^holo\/jsx-(?:dev-)?runtime$/ },
      handler: (id) => (id === "holo/jsx-runtime" ? RUNTIME : DEV_RUNTIME),
    },
  };
  return [runtime, react({ jsxImportSource: "holo" })];
}
