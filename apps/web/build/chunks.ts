import { relative } from "node:path";
import type { Rolldown } from "vite";

/** The chunk whose entry module is `source`, a path below `root`. Throws if there is none. */
export function findChunk(chunks: readonly Rolldown.OutputChunk[], root: string, source: string): Rolldown.OutputChunk {
  const found = chunks.find(
    ({ facadeModuleId }) => facadeModuleId !== null && relative(root, facadeModuleId) === source,
  );
  if (found === undefined) throw new Error(`The build has no part ${source}.`);
  return found;
}

export function listFiles(
  chunks: readonly Rolldown.OutputChunk[],
  begun: readonly Rolldown.OutputChunk[],
  more: (chunk: Rolldown.OutputChunk) => Iterable<string> = () => [],
): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const files = new Set(begun.map(({ fileName }) => fileName));
  for (const name of files) {
    const chunk = byName.get(name);
    if (chunk === undefined) continue;
    for (const next of [...chunk.imports, ...(chunk.viteMetadata?.importedCss ?? []), ...more(chunk)]) files.add(next);
  }
  return files;
}
