import { parseArgs } from "node:util";
import { checkers } from "@holo/checkers/checkers.ts";
import { listDistinctMoves, parseBoard, perft as perftCheckers } from "@holo/checkers/perft.ts";
import { chess } from "@holo/chess/chess.ts";
import { perft as perftChess } from "@holo/chess/perft.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { formatSquare } from "@holo/rules/square.ts";

/** Unvalidated: text from the command line, anything from a line of JSON. */
type Fields = Readonly<Record<string, unknown>>;

interface Query {
  listMoves(): unknown;
  perft(depth: number): number;
}

interface PerftStreams {
  /** Input lines for `--stdin`. */
  readonly lines: AsyncIterable<string> | Iterable<string>;
  readonly print: (line: string) => void;
}

const DEPTH_MAX = 99;
const OPTIONS = {
  board: { type: "string" },
  turn: { type: "string" },
  fen: { type: "string" },
  depth: { type: "string" },
  moves: { type: "boolean" },
  stdin: { type: "boolean" },
} as const;
/** The games whose moves other programs count, too. */
const COUNTED = {
  checkers: { fields: ["board", "turn"], query: queryCheckers },
  chess: { fields: ["fen"], query: queryChess },
} as const;
type Counted = keyof typeof COUNTED;
const COUNTED_GAMES = Object.keys(COUNTED) as readonly Counted[];

function parseQuery(game: Counted, fields: Fields): Result<Query, string> {
  const own: readonly string[] = COUNTED[game].fields;
  const foreign = ["board", "turn", "fen"].find((name) => name in fields && !own.includes(name));
  if (foreign !== undefined) return refuse(`${game} has no ${foreign}`);
  return COUNTED[game].query(fields);
}

function queryCheckers({ board, turn = 1 }: Fields): Result<Query, string> {
  const seat = Number(turn);
  if (!["1", "2"].includes(String(turn)) || (seat !== 1 && seat !== 2)) return refuse("the turn must be 1 or 2");
  if (board === undefined && seat === 2) return refuse("a turn needs a board");
  const parsed = board === undefined ? ok(checkers.start()) : parseBoard(String(board), seat);
  if (!parsed.ok) return refuse("the board must be a possible position of 64 characters out of . a A b B");
  const position = parsed.value;
  return ok({
    listMoves: () => listDistinctMoves(position),
    perft: (depth) => perftCheckers(position, depth),
  });
}

function queryChess({ fen }: Fields): Result<Query, string> {
  const parsed = fen === undefined ? ok(chess.start()) : chess.parsePosition(String(fen));
  if (!parsed.ok) return refuse("the FEN is no position of chess");
  const position = parsed.value;
  return ok({
    listMoves: () =>
      chess
        .legalMoves(position)
        .map(({ path, promotion = "" }) => path.map(formatSquare).join("") + promotion)
        .sort(),
    perft: (depth) => perftChess(position, depth),
  });
}

function parseDepth(depth: unknown): Result<number, string> {
  if (/^\d{1,2}$/.test(String(depth))) return ok(Number(depth));
  return refuse(`the depth must be a whole number from 0 to ${DEPTH_MAX}`);
}

function answerLine(game: Counted, line: string): Result<string, string> {
  const fields = parseLine(line);
  if (fields === null) return refuse("not a JSON object");
  const query = parseQuery(game, fields);
  const depth = parseDepth(fields.depth);
  if (!query.ok) return query;
  if (!depth.ok) return depth;
  return ok(JSON.stringify({ moves: query.value.listMoves(), perft: query.value.perft(depth.value) }));
}

function parseLine(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
}

async function answerLines(game: Counted, { lines, print }: PerftStreams): Promise<Result<null, string>> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    const answer = answerLine(game, line);
    if (!answer.ok) return refuse(`line ${number}: ${answer.refusal}`);
    print(answer.value);
  }
  return ok(null);
}

/** Runs the command of scripts/perft/perft.ts. Returns a message on invalid input. */
export async function runPerft(args: readonly string[], streams: PerftStreams): Promise<Result<null, string>> {
  const parsed = parseArguments(args);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  const game = COUNTED_GAMES.find((type) => type === positionals[0]);
  if (game === undefined || positionals.length !== 1) return refuse(`name one game: ${COUNTED_GAMES.join(" or ")}`);
  if (values.stdin) return answerLines(game, streams);
  const query = parseQuery(game, values);
  if (!query.ok) return query;
  if (values.moves) {
    streams.print(JSON.stringify(query.value.listMoves()));
    return ok(null);
  }
  const depth = parseDepth(values.depth);
  if (!depth.ok) return depth;
  streams.print(String(query.value.perft(depth.value)));
  return ok(null);
}

function parseArguments(args: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true }));
  } catch (error) {
    return refuse(error instanceof Error ? error.message : "invalid arguments");
  }
}
