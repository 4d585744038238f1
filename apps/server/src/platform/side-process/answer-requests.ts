import { writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import process from "node:process";
import { setTimeout } from "../runtime.ts";
import type { Sent } from "./side-process.ts";

/** A third of the server's share where both want one core: at 10, logins starve during a flood. */
const BELOW_SERVER = 5;
const NICENESS_MAX = 19;
const RETRY_MS = 150;

/** In the child: answers until its parent ends. A fault ends the process, which rejects. */
export function answerRequests<Request, Answer>(work: (request: Request) => Answer | Promise<Answer>): void {
  // Before the first request, because the threads that work on it inherit it.
  lower(BELOW_SERVER);
  process.on("message", async ({ id, content }: Sent) => {
    const answer = await work(content as Request);
    process.send?.({ id, content: answer } satisfies Sent);
  });
  // Service managers send it to every process; the server shuts down first and ends the channel.
  process.on("SIGTERM", () => undefined);
  process.on("disconnect", () => process.exit(0));
}

/** Once the work may wait for hours: it gets only what nothing else wants, and cannot return. */
export function workWhenIdle(): void {
  lower(NICENESS_MAX);
}

function lower(by: number): void {
  lowerPriority(by);
  lowerSession(by);
}

/** A sandbox may forbid it. The work is done all the same, and moves may wait for it. */
function lowerPriority(by: number): void {
  try {
    setPriority(Math.min(getPriority() + by, NICENESS_MAX));
  } catch (error) {
    process.stderr.write(`A side process runs at the server's own priority: ${error}\n`);
  }
}

/**
 * Linux may weigh whole sessions against each other (autogroup). In the server's own, this process
 * would compete with the database as if it had the server's priority.
 */
function lowerSession(by: number): void {
  try {
    writeFileSync("/proc/self/autogroup", String(by));
  } catch (error) {
    // Linux allows unprivileged processes one change per 100 ms, all together.
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") setTimeout(() => lowerSession(by), RETRY_MS);
    // Not Linux, without autogroups or with a read-only /proc: the priority alone counts.
  }
}
