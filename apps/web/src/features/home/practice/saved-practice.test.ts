import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { describe, expect, it } from "vitest";
import { newPractice, playPly } from "./practice-game.ts";
import { FIRST_CHOICES, parseAddress, parseSaved, replay, toSaved } from "./saved-practice.ts";

const SAVED = { game: "checkers", player: 2, level: 3, start: null, moves: [{ path: [42, 35] }] };

describe("a saved practice game", () => {
  // [PRAC-05 §2] A practice game survives a reload, with its choices. What cannot be read is not played.
  it("is read as it was written, with promotions and a position that was set up [PRAC-05]", () => {
    const start = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    const begun = replay(chess, { game: "chess", player: 1, level: 5, start, moves: [] })!;
    const promoted = playPly(begun, [8, 0], "r");
    const text = JSON.stringify(toSaved(promoted, 5));
    expect(replay(chess, parseSaved(text)!)).toEqual(promoted);
    expect(parseSaved(text)).toMatchObject({ game: "chess", player: 1, level: 5, start });
    expect(parseSaved(JSON.stringify(SAVED))).toEqual(SAVED);
    expect(replay(checkers, parseSaved(JSON.stringify(SAVED))!)?.plies).toHaveLength(1);
  });

  it("is ignored if it is none [PRAC-05]", () => {
    const broken = [
      { game: "go" },
      { player: 3 },
      { level: 6 },
      { level: "3" },
      { start: 1 },
      { moves: "c3-d4" },
      { moves: [{ path: [42] }] },
      { moves: [{ path: [42, 64] }] },
      { moves: [{ path: [42, 35], promotion: "k" }] },
      { moves: [null] },
    ];
    for (const change of broken) expect(parseSaved(JSON.stringify({ ...SAVED, ...change }))).toBeNull();
    for (const text of [null, "", "null", "[]", "{", "3"]) expect(parseSaved(text)).toBeNull();
  });

  it("is not played with illegal moves, moves after the end or an invalid position [PRAC-05]", () => {
    const changes = [
      { moves: [{ path: [42, 34] }] },
      { start: "nonsense" },
      { start: "W:Wc3:Bd4", moves: [{ path: [42, 28] }, { path: [28, 21] }] },
    ];
    for (const change of changes) {
      expect(replay(checkers, parseSaved(JSON.stringify({ ...SAVED, ...change }))!)).toBeNull();
    }
  });
});

describe("an address with a practice game", () => {
  const usual = { game: "chess", player: 2, level: 4 } as const;

  // [PRAC-06 §2] An address can carry a position to practise from. One that cannot be set up starts a new game, and
  // says so.
  it("names game, position, side and level, each optional [PRAC-06]", () => {
    const fen = "W:Wc3:Bd4";
    const parts = new URLSearchParams({ game: "checkers", fen, as: "black", level: "5" });
    expect(parseAddress(`${parts}`, usual)).toEqual({
      game: "checkers",
      player: 2,
      level: 5,
      start: fen,
      moves: [],
      isRefused: false,
    });
    expect(parseAddress("?game=checkers", usual)).toMatchObject({ game: "checkers", player: 2, level: 4, start: null });
    expect(parseAddress("as=white", usual)).toMatchObject({ game: "chess", player: 1, isRefused: false });
    for (const search of ["", "?", "?utm_source=mail"]) expect(parseAddress(search, FIRST_CHOICES)).toBeNull();
  });

  it("is refused with an unknown game, side or level, and plays the usual ones [PRAC-06]", () => {
    for (const search of ["game=go", "as=red", "level=6", "level=x", "level="]) {
      expect(parseAddress(search, usual)).toMatchObject({ ...usual, isRefused: true });
    }
    expect(replay(checkers, parseAddress("game=checkers&fen=nonsense", usual)!)).toBeNull();
    expect(newPractice(checkers).start).toBeNull();
  });
});
