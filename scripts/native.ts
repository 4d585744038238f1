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
import { type NativeCommand, parseNativeCommand, USAGE } from "./native/parse.ts";
import { testHosts } from "./native/test.ts";

const command = parseNativeCommand(process.argv.slice(2));
if (!command.ok) {
  process.stderr.write(`native: ${command.refusal}\n${USAGE}`);
  process.exitCode = 2;
} else {
  process.exitCode = (await runCommand(command.value)) ? 0 : 1;
}

async function runCommand(wanted: NativeCommand): Promise<boolean> {
  try {
    return wanted.type === "build" ? await buildHost(wanted) : await testHosts(wanted.hosts);
  } catch (fault) {
    // The edge: what a program said that failed is for whoever runs this, and where in here that was is not.
    process.stderr.write(`native: ${fault instanceof Error ? fault.message : fault}\n`);
    return false;
  }
}
