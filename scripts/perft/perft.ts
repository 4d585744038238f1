/**
 * `npm run -s perft -- checkers|chess`: counts and lists moves for comparison with other programs
 * (README.md). Exits 2 with a message on invalid input.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { runPerft } from "./perft-command.ts";

const result = await runPerft(process.argv.slice(2), {
  lines: createInterface({ input: process.stdin }),
  print: (line) => process.stdout.write(`${line}\n`),
});
// An open standard input would keep the process alive.
process.stdin.destroy();
if (!result.ok) {
  process.stderr.write(`perft: ${result.refusal}\n`);
  process.exitCode = 2;
}
