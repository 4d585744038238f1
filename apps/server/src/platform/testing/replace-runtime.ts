import { type Runtime, runtime } from "../runtime.ts";

/** From now on the server's modules use this runtime. Returns the function that ends it. */
export function replaceRuntime(replacement: Runtime): () => void {
  const before = runtime.current;
  runtime.current = replacement;
  return () => {
    runtime.current = before;
  };
}
