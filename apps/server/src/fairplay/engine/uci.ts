import { spawn } from "node:child_process";
import process from "node:process";
import { WIN } from "@holo/engine/engine.ts";
import { type Move, PROMOTIONS, type Promotion, type Square } from "@holo/rules/rules.ts";
import { clearTimeout, setTimeout } from "../../platform/runtime.ts";

/** The program does not answer as the protocol says. */
export class UciFault extends Error {}

export interface UciMove {
  readonly from: Square;
  readonly to: Square;
  readonly promotion: Promotion | null;
}

interface UciLine {
  readonly move: UciMove;
  /** For the side to move, in hundredths of a pawn. */
  readonly score: number;
}

/** A chess program that speaks the Universal Chess Interface, one question at a time. */
export interface UciProgram {
  readonly name: string;
  /** The two best moves after these from the start, the best first; one if no other is legal. */
  analyse(played: readonly Move[], nodes: number): Promise<readonly UciLine[]>;
  close(): void;
}

/** For less than a second of work, however busy the machine is. */
const ANSWER_MS_MAX = 20_000;
const LINE_LENGTH_MAX = 65_536;
const LINES_MAX = 20_000;

/** @throws UciFault from here on if the program cannot be started, ends, is silent or errs */
export async function openUciProgram(file: string, answerMsMax = ANSWER_MS_MAX): Promise<UciProgram> {
  const child = spawn(file, { stdio: ["pipe", "pipe", "ignore"] });
  let rest = "";
  let take: (line: string) => void = () => undefined;
  let fail: (fault: UciFault) => void = () => undefined;
  let fault: UciFault | null = null;

  function end(text: string): void {
    fault ??= new UciFault(text);
    child.kill("SIGKILL");
    fail(fault);
  }
  const endWithProcess = (): void => void child.kill("SIGKILL");
  process.once("exit", endWithProcess);
  child.on("error", (error) => end(`it could not be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.off("exit", endWithProcess);
    end(`it ended with ${code ?? signal}`);
  });
  // A write to an ended program is reported by its end.
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop()!;
    if (rest.length > LINE_LENGTH_MAX) return end("it sent an endless line");
    for (const line of lines) take(line.trim());
  });

  /** Resolves with the lines up to the one that begins with `last`. */
  function ask(commands: readonly string[], last: string): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const lines: string[] = [];
      const timer = setTimeout(() => end(`it did not answer "${commands.at(-1)}"`), answerMsMax);
      fail = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      if (fault !== null) return fail(fault);
      take = (line) => {
        lines.push(line);
        if (lines.length > LINES_MAX) return end("it does not stop to talk");
        if (line.split(" ")[0] !== last) return;
        clearTimeout(timer);
        [take, fail] = [() => undefined, () => undefined];
        resolve(lines);
      };
      child.stdin.write(commands.map((command) => `${command}\n`).join(""));
    });
  }

  const greeting = await ask(["uci"], "uciok");
  const options = [
    ["Threads", 1],
    ["Hash", 16],
    ["MultiPV", 2],
  ].map(([name, value]) => `setoption name ${name} value ${value}`);
  await ask([...options, "ucinewgame", "isready"], "readyok");
  const name = greeting.find((line) => line.startsWith("id name "))?.slice("id name ".length, 100) ?? "UCI";

  return {
    name,
    async analyse(played, nodes) {
      const moves = played.length === 0 ? "" : ` moves ${played.map(formatUciMove).join(" ")}`;
      const first = played.length === 0 ? ["ucinewgame"] : [];
      const lines = await ask([...first, `position startpos${moves}`, `go nodes ${nodes}`], "bestmove");
      const found = [1, 2].map((number) => findLine(lines, number));
      if (found[0] === null) {
        end("it gave no score");
        throw fault!;
      }
      return found.filter((line) => line !== null);
    },
    close() {
      endWithProcess();
    },
  };
}

/** The newest report of the best move, or of the second best. */
function findLine(lines: readonly string[], number: number): UciLine | null {
  for (const line of lines.toReversed()) {
    const words = line.split(/\s+/);
    if (words[0] !== "info" || Number(words[words.indexOf("multipv") + 1]) !== number) continue;
    const score = parseScore(words);
    const move = parseUciMove(words[words.indexOf("pv") + 1] ?? "");
    if (words.includes("pv") && score !== null && move !== null) return { move, score };
  }
  return null;
}

function parseScore(words: readonly string[]): number | null {
  const [kind, text] = words.slice(words.indexOf("score") + 1);
  const value = Number(text);
  if (!words.includes("score") || !Number.isInteger(value)) return null;
  if (kind === "cp") return value;
  if (kind !== "mate") return null;
  // In moves of the side that mates; 0 and below: the side to move is mated.
  return value > 0 ? WIN - (2 * value - 1) : -2 * value - WIN;
}

function parseUciMove(text: string): UciMove | null {
  const parts = /^([a-h])([1-8])([a-h])([1-8])([qrbn])?$/.exec(text);
  if (parts === null) return null;
  const toSquare = (file: string, rank: string) => (8 - Number(rank)) * 8 + "abcdefgh".indexOf(file);
  const promotion = PROMOTIONS.find((letter) => letter === parts[5]) ?? null;
  return { from: toSquare(parts[1]!, parts[2]!), to: toSquare(parts[3]!, parts[4]!), promotion };
}

function formatUciMove({ path, promotion }: Move): string {
  const format = (square: Square) => `${"abcdefgh"[square % 8]}${8 - Math.floor(square / 8)}`;
  return `${format(path[0]!)}${format(path.at(-1)!)}${promotion ?? ""}`;
}
