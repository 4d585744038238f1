/** The child process of key-derivation.ts: derives keys by scrypt until its parent ends. */
import { getPriority, setPriority } from "node:os";
import process from "node:process";
import { deriveHere } from "./scrypt-key.ts";

export interface KeyRequest {
  readonly id: number;
  readonly password: string;
  /** Hexadecimal. */
  readonly salt: string;
  /** log2 of N. */
  readonly cost: number;
}

export interface DerivedKey {
  readonly id: number;
  /** Hexadecimal. */
  readonly key: string;
}

/** A third of the server's share where both want one core: at 10, logins starve during a flood. */
const BELOW_SERVER = 5;
const NICENESS_MAX = 19;

// Before the first key, because the threads that derive keys inherit it.
setPriority(Math.min(getPriority() + BELOW_SERVER, NICENESS_MAX));
process.on("message", async ({ id, password, salt, cost }: KeyRequest) => {
  const key = await deriveHere(password, Buffer.from(salt, "hex"), cost);
  process.send?.({ id, key: key.toString("hex") } satisfies DerivedKey);
});
// Ctrl-C reaches the whole group; the server shuts down first and ends this process by its channel.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
process.on("disconnect", () => process.exit(0));
