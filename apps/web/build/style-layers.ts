import type { Plugin } from "vite";

/** Later layers override earlier ones, whatever their selectors. */
const ORDER = "@layer theme, ui, shared, app, features, outline;";
const SHEET = /\/src\/(?<layer>ui\/theme|ui|shared|app\/outline|app|features)\/.*\.css$/;

/**
 * Puts each style sheet into the cascade layer of its folder. Without layers, rules of the same
 * specificity would depend on the order in which a visit loads the sheets.
 */
export function styleLayers(): Plugin {
  return {
    name: "holo-style-layers",
    enforce: "pre",
    transform: {
      filter: { id: SHEET },
      handler(code, id) {
        const layer = SHEET.exec(id)?.groups?.layer?.split("/").at(-1);
        // In each sheet: whichever is first decides about the order.
        return { code: `${ORDER}\n@layer ${layer} {\n${code}\n}`, map: null };
      },
    },
  };
}
