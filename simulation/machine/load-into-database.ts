import childProcess, { type ChildProcess, type SpawnOptions } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/**
 * From now on every PostgreSQL that this process starts loads the faulty machine: the product gives
 * it an environment of its own. Returns the function that ends this.
 */
export function loadIntoDatabase(env: Readonly<Record<string, string>>): () => void {
  const spawn = childProcess.spawn as Spawn;
  const replace = (by: Spawn): void => {
    Object.assign(childProcess, { spawn: by });
    syncBuiltinESMExports();
  };
  replace((command, args, options) => {
    if (path.basename(command) !== "postgres") return spawn(command, args, options);
    const folder = args[args.indexOf("-D") + 1]!;
    return spawn(command, args, { ...options, env: { ...options.env, ...env, FAULTY_DISK: folder } });
  });
  return () => replace(spawn);
}
