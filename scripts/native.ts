/**
 * `npm run native`: builds or tests the native hosts (docs/native.md). Exits 2 on invalid
 * arguments, 1 if a build or test failed or could not run.
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
    // The edge: the user needs the failed program's message, not our stack.
    process.stderr.write(`native: ${fault instanceof Error ? fault.message : fault}\n`);
    return false;
  }
}
