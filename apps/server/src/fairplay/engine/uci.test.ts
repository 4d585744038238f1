import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { WIN } from "@holo/engine/engine.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { runtime } from "../../platform/runtime.ts";
import { makeUciAnalyst } from "./analyst.ts";
import { openUciProgram, UciFault, type UciProgram } from "./uci.ts";

let folder: string;
const opened: UciProgram[] = [];

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "uci-"));
});
afterAll(() => {
  for (const program of opened) program.close();
  rmSync(folder, { recursive: true });
});

const GREETING = 'say("id name Tester 1"); say("uciok");';

/** A program that answers each line as `go` and `uci` say. */
async function open(go: string, uci = GREETING, answerMsMax = 20_000): Promise<UciProgram> {
  const file = path.join(folder, `program-${opened.length}-${go.length}-${uci.length}`);
  writeFileSync(
    file,
    `#!${process.execPath}
    const say = (line) => console.log(line);
    let rest = "";
    let place = "";
    process.stdin.on("data", (data) => {
      const lines = (rest + data).split("\\n");
      rest = lines.pop();
      for (const line of lines) {
        if (line === "uci") { ${uci} }
        if (line === "isready") say("readyok");
        if (line.startsWith("position")) place = line;
        if (line.startsWith("go")) { ${go} }
      }
    });
    process.stdin.on("end", () => process.exit());`,
  );
  chmodSync(file, 0o755);
  const program = await openUciProgram(file, answerMsMax);
  opened.push(program);
  return program;
}

const chess = rulesOf("chess");
const START = { position: chess.start(), played: [] };
const GOOD = `
  say("info depth 1 multipv 1 score cp 10 pv a2a3");
  say("info depth 9 seldepth 12 multipv 1 score cp 34 nodes 9 pv e2e4 e7e5");
  say("info depth 9 multipv 2 score mate -2 pv g2g4");
  say("bestmove e2e4 ponder e7e5");`;

test("reads the two best moves and their scores", async () => {
  const analyst = makeUciAnalyst(await open(GOOD));
  expect(analyst.name).toBe("Tester 1");
  const best = await analyst.analyse(START);
  expect(best).toMatchObject({ move: { path: [52, 36] }, score: 34 });
  expect(await best.findNextScore()).toBe(4 - WIN);
});

test("asks for the position after the game's moves, promotions named", async () => {
  const program = await open('say("info multipv 1 score cp " + place.length + " pv e2e4"); say("bestmove e2e4")');
  const [line] = await program.analyse([{ path: [12, 4], captured: [], promotion: "n" }], 10);
  expect(line!.score).toBe("position startpos moves e7e8n".length);
});

test.each([
  ["ends", "process.exit(3)"],
  ["gives no score", 'say("bestmove e2e4")'],
  ["gives a score that is none", 'say("info multipv 1 score cp much pv e2e4"); say("bestmove e2e4")'],
  ["names an impossible move", 'say("info multipv 1 score cp 1 pv e2e5"); say("bestmove e2e5")'],
  ["sends an endless line", 'process.stdout.write("x".repeat(200000))'],
  ["talks without end", 'for (let n = 0; n < 30000; n += 1) say("info string " + n)'],
])("refuses a program that %s", async (_fault, go) => {
  const analyst = makeUciAnalyst(await open(go));
  await expect(analyst.analyse(START)).rejects.toBeInstanceOf(UciFault);
});

test("refuses a program that is silent, that does not know the protocol, or that is not there", async () => {
  const silent = await open("");
  const setTimer = vi.spyOn(runtime.current, "setTimeout").mockImplementationOnce((run) => setTimeout(run, 0));
  onTestFinished(() => setTimer.mockRestore());
  await expect(silent.analyse([], 10)).rejects.toBeInstanceOf(UciFault);
  await expect(silent.analyse([], 10)).rejects.toBeInstanceOf(UciFault);
  await expect(open(GOOD, 'say("what?")', 300)).rejects.toBeInstanceOf(UciFault);
  await expect(openUciProgram(path.join(folder, "none"))).rejects.toBeInstanceOf(UciFault);
});

test("refuses one of several moves without a second best", async () => {
  const analyst = makeUciAnalyst(await open('say("info multipv 1 score cp 1 pv e2e4"); say("bestmove e2e4")'));
  const best = await analyst.analyse(START);
  await expect(best.findNextScore()).rejects.toBeInstanceOf(UciFault);
});
