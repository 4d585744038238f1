/** `holo COMMAND`: the server and the operator's commands in one program. */
import process from "node:process";
import { type Command, runCommand } from "./operations/command.ts";
import { isRelease, loadVersion } from "./platform/build.ts";

/** Each is loaded alone: a health check must not load the server. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  admin: () => import("./operations/commands/admin.ts"),
  audit: () => import("./operations/commands/audit.ts"),
  backup: () => import("./operations/commands/backup.ts"),
  doctor: () => import("./operations/commands/doctor.ts"),
  health: () => import("./operations/commands/health.ts"),
  restore: () => import("./operations/commands/restore.ts"),
};

const [name = "", ...args] = process.argv.slice(2);
const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
// A release holds what production needs, and no stand-in for it.
if (isRelease) process.env.NODE_ENV ??= "production";
if (name === "serve") {
  const { serve } = await import("./main.ts");
  await serve();
} else if (name === "version") {
  process.stdout.write(`${loadVersion()}\n`);
} else if (load !== undefined) {
  await runCommand(await load(), args);
} else {
  process.stderr.write(`holo needs a command: serve, version, ${Object.keys(COMMANDS).join(", ")}\n`);
  process.exitCode = 2;
}
