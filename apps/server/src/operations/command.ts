import process from "node:process";
import { toFailureText } from "../platform/failure.ts";
import { type Log, openLog } from "../platform/log.ts";
import { Refused } from "./storage.ts";

export interface CommandContext {
  readonly args: readonly string[];
  readonly log: Log;
  readonly print: (line: string) => void;
}

export interface Command {
  /** Precedes the reason of a failure. */
  readonly failure: string;
  /** Returns the exit code. */
  run(context: CommandContext): Promise<number>;
}

/** Runs an operator's command. A failure is one line and code 1. */
export async function runCommand({ failure, run }: Command, args: readonly string[]): Promise<void> {
  // A reader that has gone, as of a pipe to `head` or `logger`, must not end a backup half-way.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  try {
    process.exitCode = await run({ args, log: openLog("error"), print });
  } catch (error) {
    // The message of a refusal is complete, and its cause only repeats it in the system's words.
    const reason = error instanceof Refused ? error.message : toFailureText(error);
    process.stderr.write(`${failure}: ${reason}\n`);
    process.exitCode = 1;
  }
}

/** The only argument, which names a folder. */
export function toFolder(args: readonly string[], usage: string): string {
  const [folder, ...rest] = args;
  if (folder === undefined || folder.startsWith("-") || rest.length > 0) throw new Refused(usage);
  return folder;
}
