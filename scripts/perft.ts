/**
 * `npm run -s perft -- checkers|chess`: move generation for comparison with other programs.
 *
 *     checkers [--board <64 characters> --turn 1|2]
 *                 a8 to h1: . empty, a/A man/king of player 1, b/B of player 2
 *     chess    [--fen <FEN>]
 *     --depth N   prints the number of move sequences of length N
 *     --moves     prints the legal moves as sorted JSON
 *     --stdin     reads lines {"board","turn","depth"} or {"fen","depth"},
 *                 prints {"moves","perft"} for each
 *
 * Starts from the first position by default. Exits 2 with a message on invalid input.
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
