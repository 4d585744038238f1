/** What a native host says of itself, so that one command builds and tests them all. `apps/<host>/host.ts` exports it as `host`. */
import type { Tool } from "./tools.ts";

export const HOSTS = ["android", "windows"] as const;
export type HostName = (typeof HOSTS)[number];

export interface BuildOrder {
  /** As `URL.origin` has it: lower case, no path, no port where it is the scheme's own. https, or http to a machine at hand. */
  readonly origin: string;
  /** Three numbers from 0 to 999 with dots between. */
  readonly version: string;
  /** Where the files go, an absolute path. It exists. */
  readonly outDir: string;
}

export interface NativeHost {
  /** What a build needs of the machine. */
  readonly buildTools: readonly Tool[];
  /** What its tests need besides. */
  readonly testTools: readonly Tool[];
  /**
   * Leaves the files of a release in `outDir`, whatever stood there before. Throws with words for whoever runs it where something fails.
   * @returns their absolute paths, the one that players install first
   */
  build(order: BuildOrder): Promise<readonly string[]>;
}
