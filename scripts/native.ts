/**
 * Builds and tests the native hosts, each in its own room. `--version` and `--origin` are part of what is built.
 *
 *     npm run native -- android|windows --origin https://arena.example --version 1.2.3    into dist/native, each file with its SHA-256
 *     npm run native -- test [android|windows]                                            ends with `N passed, N failed`
 *
 * What is missing of the machine is named, and installed on Debian as root. Exits 2 on arguments that make no sense, 1 where something
 * failed or could not be tried.
 */
import process from "node:process";
import { buildHost } from "./native/build.ts";
import { parseNativeCommand, USAGE } from "./native/parse.ts";
import { testHosts } from "./native/test.ts";

const command = parseNativeCommand(process.argv.slice(2));
if (!command.ok) {
  process.stderr.write(`native: ${command.refusal}\n${USAGE}`);
  process.exitCode = 2;
} else {
  const isDone = command.value.type === "build" ? await buildHost(command.value) : await testHosts(command.value.hosts);
  process.exitCode = isDone ? 0 : 1;
}
