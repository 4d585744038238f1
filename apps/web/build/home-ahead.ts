import { relative } from "node:path";
import type { HtmlTagDescriptor, Plugin } from "vite";

const HOME = "src/features/home/home-page.tsx";

/**
 * Names what the home page is made of in the page itself, so that it is there when the frame is. Who begins elsewhere fetches it too: 5 kB that
 * they need as soon as they go home, and that the service worker keeps in any case.
 */
export function homeAhead(): Plugin {
  let root = "";
  return {
    name: "holo-home-ahead",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const home = chunks.find(
          ({ facadeModuleId }) => facadeModuleId !== null && relative(root, facadeModuleId) === HOME,
        );
        if (home === undefined) throw new Error(`The build has no part ${HOME}.`);
        const made = chunks.filter(({ fileName }) => fileName === home.fileName || home.imports.includes(fileName));
        const styles = made.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
        const tags = [
          ...made.map(({ fileName }) => toTag("modulepreload", fileName)),
          ...styles.map((fileName) => toTag("preload", fileName, "style")),
        ];
        return tags.filter(({ attrs }) => !html.includes(`"${attrs?.href}"`));
      },
    },
  };
}

function toTag(rel: string, fileName: string, as?: string): HtmlTagDescriptor {
  const attrs = { rel, href: `/${fileName}`, crossorigin: true, ...(as !== undefined && { as }) };
  return { tag: "link", attrs, injectTo: "head" };
}
