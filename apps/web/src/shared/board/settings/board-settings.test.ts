import { describe, expect, it } from "vitest";
import {
  BOARD_THEMES,
  createBoardSettings,
  DEFAULT_BOARD_SETTINGS,
  MOVE_SPEEDS,
  PIECE_SETS,
  parseBoardSettings,
} from "./board-settings.ts";

function setUp(kept: string | null = null) {
  const device = { kept, theme: "forest" };
  const store = createBoardSettings({
    load: () => device.kept,
    save: (text) => {
      device.kept = text;
    },
    show: (theme) => {
      device.theme = theme;
    },
  });
  return { device, store };
}

describe("board settings", () => {
  it("default to everything off except vibration and coordinates [GAME-16]", () => {
    expect(parseBoardSettings(null)).toEqual(DEFAULT_BOARD_SETTINGS);
    const { vibration, coordinates, ...others } = DEFAULT_BOARD_SETTINGS;
    expect([vibration, coordinates]).toEqual([true, true]);
    expect(Object.values(others)).not.toContain(true);
    const off = parseBoardSettings(JSON.stringify({ vibration: false, coordinates: false }));
    expect([off.vibration, off.coordinates]).toEqual([false, false]);
  });

  it.each([
    ["theme", BOARD_THEMES],
    ["pieces", PIECE_SETS],
    ["speed", MOVE_SPEEDS],
  ] as const)("keep each known value of %s, and the first for others [GAME-45]", (name, values) => {
    for (const value of values) expect(parseBoardSettings(JSON.stringify({ [name]: value }))[name]).toBe(value);
    for (const value of ["", "Forest", 1, null, ["kola"], { theme: "kola" }]) {
      expect(parseBoardSettings(JSON.stringify({ [name]: value }))[name]).toBe(values[0]);
    }
  });

  it("ignore unknown stored values", () => {
    const kept = JSON.stringify({ premove: true, moveField: "yes", theme: "pink", coordinates: 0, more: 1 });
    expect(parseBoardSettings(kept)).toEqual({ ...DEFAULT_BOARD_SETTINGS, premove: true });
  });

  it.each(["", "{", "null", "7", '"kola"'])("are the defaults if %j is stored", (kept) => {
    expect(parseBoardSettings(kept)).toEqual(DEFAULT_BOARD_SETTINGS);
  });

  it("are stored, applied at once and announced to listeners", () => {
    const { device, store } = setUp();
    const told: boolean[] = [];
    const stop = store.subscribe(() => told.push(store.current().premove));
    store.save({ premove: true, theme: "kola" });
    expect(device.theme).toBe("kola");
    expect(setUp(device.kept).store.current()).toEqual({ ...DEFAULT_BOARD_SETTINGS, premove: true, theme: "kola" });
    stop();
    store.save({ premove: false });
    expect(told).toEqual([true]);
  });

  it("follow a change by another page", () => {
    const { device, store } = setUp();
    device.kept = JSON.stringify({ theme: "kola" });
    store.reload();
    expect(store.current().theme).toBe("kola");
    expect(device.theme).toBe("kola");
  });
});
