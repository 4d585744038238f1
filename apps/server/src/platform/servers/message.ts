import type { Change } from "./share.ts";

/** What servers send to each other. `sent` counts the hints of the sender. */
export type Message =
  | { readonly type: "beat"; readonly sent: number; readonly digest: string; readonly isHandingOver?: true }
  | { readonly type: "hint"; readonly sent: number; readonly topic: string; readonly message: unknown }
  | { readonly type: "changes"; readonly changes: readonly Change[] }
  | { readonly type: "keys"; readonly isFirst: boolean; readonly isLast: boolean; readonly keys: readonly string[] }
  | { readonly type: "ask"; readonly of: string | null }
  /** The sender will end, and serves its players only until they are handed over. */
  | { readonly type: "handing_over" }
  /** Keys of players whom the sender has served until so long ago. */
  | { readonly type: "handed_over"; readonly agoMs: number; readonly keys: readonly string[] }
  /** The sender serves no player any more, and ends. */
  | { readonly type: "closing" }
  | { readonly type: "leave" };
