import type { Config } from "../../config.ts";
import { openUciProgram } from "../../fairplay/engine/uci.ts";
import { type Finding, makeReporter, toReason } from "./finding.ts";

const NODES = 1_000;

export async function checkChessEngine({ chessEngine }: Config): Promise<readonly Finding[]> {
  const { ok, warning } = makeReporter("chess engine");
  if (chessEngine === null) return [ok("our own judges chess")];
  try {
    const program = await openUciProgram(chessEngine);
    try {
      const lines = await program.analyse([], NODES);
      if (lines.length < 2) throw new Error("it does not know MultiPV");
      return [ok(`${program.name} judges chess`)];
    } finally {
      program.close();
    }
  } catch (error) {
    return [warning(`${chessEngine} does not work: ${toReason(error)}`, "correct CHESS_ENGINE, or unset it")];
  }
}
