import { describe, expect, it } from "vitest";
import { nextSquare, stepSquare } from "./geometry.ts";

const A1 = 56;
const B1 = 57;
const H8 = 7;

describe("keyboard navigation of the board", () => {
  it("follows the arrow on the screen, from either side", () => {
    expect(stepSquare(A1, "ArrowRight", false)).toBe(B1);
    expect(stepSquare(A1, "ArrowUp", false)).toBe(48);
    expect(stepSquare(H8, "ArrowRight", true)).toBe(6);
    expect(stepSquare(H8, "ArrowUp", true)).toBe(15);
  });

  it("stops at the edge", () => {
    expect(stepSquare(A1, "ArrowLeft", false)).toBe(A1);
    expect(stepSquare(A1, "ArrowDown", false)).toBe(A1);
    expect(stepSquare(A1, "ArrowRight", true)).toBe(A1);
  });

  it("jumps to the ends of a row", () => {
    expect(stepSquare(A1, "End", false)).toBe(63);
    expect(stepSquare(A1, "Home", true)).toBe(63);
  });

  it("ignores other keys", () => {
    expect(stepSquare(A1, "a", false)).toBeNull();
  });

  it("cycles through the movable pieces in reading order", () => {
    const movable = new Set([40, 42, 44]);
    expect(nextSquare(movable, 40, false)).toBe(42);
    expect(nextSquare(movable, 44, false)).toBe(40);
    expect(nextSquare(movable, 44, true)).toBe(42);
    expect(nextSquare(movable, 40, true)).toBe(44);
    expect(nextSquare(new Set(), 40, false)).toBeNull();
  });
});
