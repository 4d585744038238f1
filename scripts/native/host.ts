/** The interface of a native host, which `apps/<host>/host.ts` exports as `host`. */
import type { Tool } from "./tools.ts";

export const HOSTS = ["android", "windows"] as const;
export type HostName = (typeof HOSTS)[number];

export interface BuildOrder {
  /** In the spelling of `URL.origin`. https, or http to a local host. */
  readonly origin: string;
  /** Three numbers from 0 to 999, separated by dots. */
  readonly version: string;
  /** An existing folder, as an absolute path. */
  readonly outDir: string;
}

export interface NativeHost {
  readonly buildTools: readonly Tool[];
  /** What its tests need in addition. */
  readonly testTools: readonly Tool[];
  /**
   * Writes the files of a release to `outDir`, replacing earlier ones. Returns absolute paths,
   * first the file that players install. Throws with a message for the user.
   */
  build(order: BuildOrder): Promise<readonly string[]>;
}
