import { readFileSync } from "node:fs";
import process from "node:process";
import { toFailureText } from "../platform/failure.ts";
import { type Log, openLog } from "../platform/log.ts";
import { Refused } from "./storage.ts";

interface CommandContext {
  readonly args: readonly string[];
  readonly log: Log;
  readonly print: (line: string) => void;
}

export function loadRelease(): string {
  const text = readFileSync(new URL("../../../../package.json", import.meta.url), "utf8");
  const { version }: { readonly version: string } = JSON.parse(text);
  return version;
}

/** Runs an operator's command; `work` returns the exit code. A failure is one line and code 1. */
export async function runCommand(title: string, work: (context: CommandContext) => Promise<number>): Promise<void> {
  // A reader that has gone, as of a pipe to `head` or `logger`, must not end a backup half-way.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  try {
    process.exitCode = await work({ args: process.argv.slice(2), log: openLog("error"), print });
  } catch (error) {
    // The message of a refusal is complete, and its cause only repeats it in the system's words.
    const reason = error instanceof Refused ? error.message : toFailureText(error);
    process.stderr.write(`${title}: ${reason}\n`);
    process.exitCode = 1;
  }
}

/** The only argument, which names a folder. */
export function toFolder(args: readonly string[], usage: string): string {
  const [folder, ...rest] = args;
  if (folder === undefined || folder.startsWith("-") || rest.length > 0) throw new Refused(usage);
  return folder;
}
