import type { Seat } from "@holo/rules/rules.ts";

/**
 * Russian draughts a second time, on 64 characters by rows and columns: obviously right rather than
 * fast. It shares nothing with the engine that it checks.
 */
interface SlowMove {
  readonly path: readonly number[];
  readonly captured: readonly number[];
  /** The 64 characters after the move. */
  readonly after: string;
}

const DIAGONALS = [
  [-1, -1],
  [-1, 1],
  [1, -1],
  [1, 1],
] as const;

export function slowMoves(board: string, turn: Seat): SlowMove[] {
  const captures = board.split("").flatMap((sign, square) => (isOf(sign, turn) ? chains(board, square) : []));
  if (captures.length > 0) return captures;
  return board.split("").flatMap((sign, square) => (isOf(sign, turn) ? steps(board, square) : []));
}

/** Sequences of distinct moves. Moves with the same ends and captures count once. */
export function slowPerft(board: string, turn: Seat, depth: number): number {
  if (depth === 0) return 1;
  const distinct = new Map(
    slowMoves(board, turn).map((move) => [
      `${move.path[0]} ${move.path.at(-1)} ${move.captured.toSorted((a, b) => a - b)}`,
      move.after,
    ]),
  );
  let total = 0;
  for (const after of distinct.values()) total += slowPerft(after, turn === 1 ? 2 : 1, depth - 1);
  return total;
}

function isOf(sign: string, seat: Seat): boolean {
  return sign.toLowerCase() === (seat === 1 ? "a" : "b");
}

function isKing(sign: string): boolean {
  return sign === "A" || sign === "B";
}

function ray(square: number, [down, right]: readonly [number, number]): number[] {
  const squares: number[] = [];
  let row = Math.floor(square / 8) + down;
  let column = (square % 8) + right;
  while (row >= 0 && row < 8 && column >= 0 && column < 8) {
    squares.push(row * 8 + column);
    row += down;
    column += right;
  }
  return squares;
}

function put(board: string, square: number, sign: string): string {
  return board.slice(0, square) + sign + board.slice(square + 1);
}

function crownedOn(sign: string, square: number): string {
  if (sign === "a" && square < 8) return "A";
  return sign === "b" && square >= 56 ? "B" : sign;
}

function steps(board: string, from: number): SlowMove[] {
  const sign = board[from]!;
  const forward = sign === "a" ? -1 : 1;
  const moves: SlowMove[] = [];
  for (const diagonal of DIAGONALS) {
    if (!isKing(sign) && diagonal[0] !== forward) continue;
    for (const [distance, to] of ray(from, diagonal).entries()) {
      if (board[to] !== "." || (!isKing(sign) && distance > 0)) break;
      moves.push({ path: [from, to], captured: [], after: put(put(board, from, "."), to, crownedOn(sign, to)) });
    }
  }
  return moves;
}

interface Jump {
  readonly over: number;
  readonly to: number;
}

/** Single jumps of a piece from `square`, grouped by diagonal. `board` does not hold that piece. */
function jumps(board: string, sign: string, square: number, taken: readonly number[]): Jump[][] {
  return DIAGONALS.map((diagonal) => {
    const squares = ray(square, diagonal);
    const at = squares.findIndex((other) => board[other] !== ".");
    if (at < 0 || (at > 0 && !isKing(sign))) return [];
    const over = squares[at]!;
    if (board[over]!.toLowerCase() === sign.toLowerCase() || taken.includes(over)) return [];
    const behind = squares.slice(at + 1);
    const end = behind.findIndex((other) => board[other] !== ".");
    const free = end < 0 ? behind : behind.slice(0, end);
    return free.slice(0, isKing(sign) ? 8 : 1).map((to) => ({ over, to }));
  });
}

function chains(board: string, from: number): SlowMove[] {
  const lifted = put(board, from, ".");
  const moves: SlowMove[] = [];
  const follow = (sign: string, path: readonly number[], captured: readonly number[]): void => {
    for (const group of jumps(lifted, sign, path.at(-1)!, captured)) {
      const landings = group.map(({ over, to }) => {
        const landed = crownedOn(sign, to);
        const goesOn = jumps(lifted, landed, to, [...captured, over]).some((next) => next.length > 0);
        return { landed, goesOn, path: [...path, to], captured: [...captured, over] };
      });
      const someGoesOn = landings.some(({ goesOn }) => goesOn);
      for (const landing of landings) {
        if (landing.goesOn) follow(landing.landed, landing.path, landing.captured);
        else if (!someGoesOn) moves.push(finish(landing.landed, landing.path, landing.captured));
      }
    }
  };
  const finish = (sign: string, path: readonly number[], captured: readonly number[]): SlowMove => {
    const cleared = captured.reduce((left, square) => put(left, square, "."), lifted);
    return { path, captured, after: put(cleared, path.at(-1)!, sign) };
  };
  follow(board[from]!, [from], []);
  return moves;
}
