import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { formatSquare, parseSquare } from "@holo/rules/square.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Rules } from "./game-rules.ts";
import { findPremoves, type Premove, resolvePremove } from "./premoves.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

function read(rules: Rules, fen: string): unknown {
  const position = rules.parsePosition(fen);
  if (!position.ok) throw new Error(`${fen} is no position`);
  return position.value;
}

function offered(rules: Rules, position: unknown): readonly string[] {
  return findPremoves(rules, position).map(
    ({ path, promotion }) => `${path.map(formatSquare).join("")}${promotion ?? ""}`,
  );
}

function premove(names: string, promotion?: Premove["promotion"]): Premove {
  const [from, to] = names.split(" ").map((name) => {
    const square = parseSquare(name);
    if (!square.ok) throw new Error(`${name} is no square`);
    return square.value;
  });
  const path = [from!, to!] as const;
  return promotion === undefined ? { seat: 2, path } : { seat: 2, path, promotion };
}

const EXCHANGE = "3qk3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
const PROMOTING = "8/8/8/8/4K2k/8/p7/3B4 w - - 0 1";

describe("premoves of chess", () => {
  it("are black's first moves before white has moved", () => {
    expect(offered(chess, chess.start())).toHaveLength(20);
    expect(offered(chess, chess.start())).toContain("e7e5");
  });

  it("may recapture on a square that the player's own piece occupies", () => {
    expect(offered(chess, read(chess, EXCHANGE))).toContain("d8d5");
  });

  it("exclude what no reply makes legal", () => {
    expect(offered(chess, read(chess, EXCHANGE))).not.toContain("d8d4");
  });

  it("promote to each piece", () => {
    const position = read(chess, PROMOTING);
    expect(offered(chess, position)).toEqual(expect.arrayContaining(["a2a1q", "a2a1r", "a2a1b", "a2a1n"]));
  });

  it("promote to a queen by default", () => {
    const position = read(chess, PROMOTING.replace(" w ", " b "));
    expect(resolvePremove(chess, position, premove("a2 a1"))?.promotion).toBe("q");
    expect(resolvePremove(chess, position, premove("a2 a1", "n"))?.promotion).toBe("n");
  });

  it("are dropped if they turn out illegal", () => {
    expect(resolvePremove(chess, read(chess, EXCHANGE.replace(" w ", " b ")), premove("d8 d5"))).toBeNull();
  });
});

describe("premoves of checkers", () => {
  it("name the first landing and play a capture with one path", () => {
    const move = resolvePremove(checkers, read(checkers, "B:Wd4,f4:Bc5"), premove("c5 e3"));
    expect(move?.path.map(formatSquare)).toEqual(["c5", "e3", "g5"]);
  });

  it("are dropped if the capture has two paths", () => {
    const position = read(checkers, "B:Wd4,f4,f2:Bc5");
    expect(checkers.legalMoves(position as never).length).toBe(2);
    expect(resolvePremove(checkers, position, premove("c5 e3"))).toBeNull();
  });

  it("are dropped if another capture is mandatory", () => {
    expect(resolvePremove(checkers, read(checkers, "B:Wd4:Bc5,h8"), premove("h8 g7"))).toBeNull();
  });

  it("include captures that a reply allows", () => {
    expect(offered(checkers, read(checkers, "W:Wc3:Bc5,h8"))).toContain("c5e3");
  });
});

it("offers the first step of every legal answer and plays it if it is unique", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Rules>(checkers, chess),
      fc.array(fc.nat(1_000), { maxLength: 40 }),
      fc.nat(1_000),
      fc.nat(1_000),
      (rules, choices, answerChoice, replyChoice) => {
        let position = rules.start();
        for (const choice of choices) position = playAny(rules, position, choice) ?? position;
        const answered = playAny(rules, position, answerChoice);
        const replies = answered === null ? [] : rules.legalMoves(answered);
        fc.pre(replies.length > 0);
        const { path, promotion } = replies[replyChoice % replies.length]!;
        const step = [path[0]!, path[1]!] as const;
        expect(offered(rules, position)).toContain(`${step.map(formatSquare).join("")}${promotion ?? ""}`);
        const seat = rules.toMove(answered);
        const asked: Premove = promotion === undefined ? { seat, path: step } : { seat, path: step, promotion };
        const isOnly =
          replies.filter(
            (reply) => reply.path[0] === step[0] && reply.path[1] === step[1] && reply.promotion === promotion,
          ).length === 1;
        expect(resolvePremove(rules, answered, asked)?.path).toEqual(isOnly ? path : undefined);
      },
    ),
    { numRuns: 100 },
  );
});

function playAny(rules: Rules, position: unknown, choice: number): unknown | null {
  const moves = rules.legalMoves(position);
  const move = moves[choice % Math.max(1, moves.length)];
  if (move === undefined) return null;
  const played = rules.play(position, move.path, move.promotion);
  return played.ok ? played.value.position : null;
}
