/** The child process of key-derivation.ts: derives keys by scrypt until its parent ends. */
import { writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import process from "node:process";
import { setTimeout } from "../../platform/runtime.ts";
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
const RETRY_MS = 150;

// Before the first key, because the threads that derive keys inherit it.
lowerPriority();
lowerSession();
process.on("message", async ({ id, password, salt, cost }: KeyRequest) => {
  const key = await deriveHere(password, Buffer.from(salt, "hex"), cost);
  process.send?.({ id, key: key.toString("hex") } satisfies DerivedKey);
});
// Service managers send it to every process; the server shuts down first and ends the channel.
process.on("SIGTERM", () => undefined);
process.on("disconnect", () => process.exit(0));

/** A sandbox may forbid it. Keys are derived all the same, and moves may wait for them. */
function lowerPriority(): void {
  try {
    setPriority(Math.min(getPriority() + BELOW_SERVER, NICENESS_MAX));
  } catch (error) {
    process.stderr.write(`Password hashes run at the server's own priority: ${error}\n`);
  }
}

/**
 * Linux may weigh whole sessions against each other (autogroup). In the server's own, this process
 * would compete with the database as if it had the server's priority.
 */
function lowerSession(): void {
  try {
    writeFileSync("/proc/self/autogroup", String(BELOW_SERVER));
  } catch (error) {
    // Linux allows unprivileged processes one change per 100 ms, all together.
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") setTimeout(lowerSession, RETRY_MS);
    // Not Linux, without autogroups or with a read-only /proc: the priority alone counts.
  }
}
