import { spawnSync } from "node:child_process";
import process from "node:process";

interface RunOptions {
  readonly cwd?: string;
  /** In addition to the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program and returns its standard output. Throws with its output if it fails. */
export function run(program: string, words: readonly string[], { cwd, env }: RunOptions = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${words[0]} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
