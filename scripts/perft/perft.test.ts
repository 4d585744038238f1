import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runPerft } from "./perft-command.ts";

const SCRIPT = fileURLToPath(new URL("perft.ts", import.meta.url));
const START = ".b.b.b.bb.b.b.b..b.b.b.b................a.a.a.a..a.a.a.aa.a.a.a.";
/** A white man on d2 with four black men in a ring around d4. */
const RING = `${".".repeat(26)}b.b${".".repeat(13)}b.b${".".repeat(6)}a${".".repeat(12)}`;

async function run(args: readonly string[], input = "") {
  const printed: string[] = [];
  const result = await runPerft(args, { lines: input.split("\n"), print: (line) => printed.push(line) });
  return { printed, refusal: result.ok ? null : result.refusal };
}

async function answers(args: readonly string[], input = ""): Promise<unknown> {
  const { printed, refusal } = await run(args, input);
  expect(refusal).toBeNull();
  return printed.map((line) => JSON.parse(line));
}

describe("the perft script", () => {
  function spawn(args: readonly string[], input = "") {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { input, encoding: "utf8" });
    return { status, stdout, stderr };
  }

  it("prints answers to standard output and exits 0", () => {
    expect(spawn(["checkers", "--depth", "6"])).toEqual({ status: 0, stdout: "37986\n", stderr: "" });
    const lines = spawn(["chess", "--stdin"], '{"depth":1}\n{"depth":2}\n').stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).perft)).toEqual([20, 400]);
  });

  it("prints a message to standard error and exits 2", () => {
    expect(spawn(["go"])).toEqual({ status: 2, stdout: "", stderr: "perft: name one game: checkers or chess\n" });
  });
});

describe("perft of checkers", () => {
  it("counts from the start, and from any board with either side to move", async () => {
    expect(await answers(["checkers", "--depth", "6"])).toEqual([37_986]);
    expect(await answers(["checkers", "--board", START, "--turn", "1", "--depth", "3"])).toEqual([302]);
    expect(await answers(["checkers", "--board", START, "--turn", "2", "--depth", "1"])).toEqual([7]);
  });

  it("lists distinct moves with their captures, sorted", async () => {
    expect(await answers(["checkers", "--board", RING, "--turn", "1", "--moves"])).toEqual([
      [[51, 51, [26, 28, 42, 44]]],
    ]);
    const start = [
      [40, 33, []],
      [42, 33, []],
      [42, 35, []],
      [44, 35, []],
      [44, 37, []],
      [46, 37, []],
      [46, 39, []],
    ];
    expect(await answers(["checkers", "--moves"])).toEqual([start]);
  });

  it("answers line by line", async () => {
    const lines = [
      { board: RING, turn: 1, depth: 1 },
      { board: START, turn: 1, depth: 4 },
    ];
    const input = `${lines.map((line) => JSON.stringify(line)).join("\n\n")}\n`;
    expect(await answers(["checkers", "--stdin"], input)).toEqual([
      { moves: [[51, 51, [26, 28, 42, 44]]], perft: 1 },
      { moves: expect.any(Array), perft: 1_469 },
    ]);
  });
});

describe("perft of chess", () => {
  const PROMOTION = "8/4P3/8/8/8/1k6/8/1K6 w - - 0 1";

  it("counts from the start and from a FEN", async () => {
    expect(await answers(["chess", "--depth", "3"])).toEqual([8_902]);
    expect(await answers(["chess", "--fen", PROMOTION, "--depth", "1"])).toEqual([6]);
  });

  it("lists moves with every promotion, sorted", async () => {
    const moves = ["b1a1", "b1c1", "e7e8b", "e7e8n", "e7e8q", "e7e8r"];
    expect(await answers(["chess", "--fen", PROMOTION, "--moves"])).toEqual([moves]);
    expect(await answers(["chess", "--stdin"], JSON.stringify({ fen: PROMOTION, depth: 1 }))).toEqual([
      { moves, perft: 6 },
    ]);
  });
});

describe("invalid input", () => {
  it.each([
    ["no game", []],
    ["an unknown game", ["go", "--depth", "1"]],
    ["two games", ["chess", "checkers", "--depth", "1"]],
    ["an unknown option", ["chess", "--deep", "1"]],
    ["no depth", ["checkers"]],
    ["a depth that is no number", ["checkers", "--depth", "x"]],
    ["a negative depth", ["checkers", "--depth=-1"]],
    ["a short board", ["checkers", "--board", "...", "--turn", "1", "--depth", "1"]],
    ["an unknown turn", ["checkers", "--board", START, "--turn", "3", "--depth", "1"]],
    ["a board in chess", ["chess", "--board", START, "--depth", "1"]],
    ["a FEN in checkers", ["checkers", "--fen", "W:Wa1:Bb6", "--depth", "1"]],
    ["a FEN that is no position", ["chess", "--fen", "8/8 w", "--depth", "1"]],
  ])("is refused with a message: %s", async (_what, args) => {
    expect(await run(args)).toEqual({ printed: [], refusal: expect.stringMatching(/\S/) });
  });

  it.each(["no json", "[1", '{"board":"...","turn":1,"depth":1}', `{"board":"${START}","turn":1}`, "7"])(
    "is reported with its line number: %s",
    async (line) => {
      expect((await run(["checkers", "--stdin"], line)).refusal).toMatch(/^line 1: /);
    },
  );
});
