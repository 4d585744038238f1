import { assert } from "@holo/kernel/assert.ts";

/** The page's night theme and forest board (tokens.css) in sRGB, which the renderer needs. */
export const COLORS = {
  ground: "#062018",
  "surface-2": "#173429",
  line: "#2d473c",
  ink: "#f4f1e5",
  "ink-2": "#ced1c4",
  jade: "#72dba7",
  brass: "#e7c476",
  "foil-1": "#f1e3b0",
  "foil-2": "#b0efcc",
  "foil-3": "#aee6f4",
  "foil-4": "#dcc9f4",
  "foil-5": "#ffcbc8",
  "on-foil": "#041d16",
  "foil-border": "none",
  "sq-light": "#e5e0ca",
  "sq-dark": "#366851",
  frame: "#143227",
  "frame-edge": "#2c4b3e",
  "wd-face": "#f2eddd",
  "wd-rim": "#e3dac3",
  "wd-edge": "#af9c7c",
  "wd-groove": "#b8a787",
  "wd-label": "#142f24",
  "bd-face": "#2f2520",
  "bd-rim": "#41332d",
  "bd-edge": "#110b08",
  "bd-groove": "#735f50",
  "bd-label": "#f2eddd",
  "bd-halo": "#a28e78",
} as const;

/** The page's own drawings, by the ids of their symbols. */
export interface Drawings {
  /** What symbols refer to. */
  readonly definitions: string;
  readonly symbols: ReadonlyMap<string, string>;
}

/** @param sprites SVG texts with symbols in the colours of tokens.css */
export function parseDrawings(sprites: readonly string[]): Drawings {
  const text = sprites.join("\n");
  const symbols = [...text.matchAll(/<symbol id="([\w-]+)".*?<\/symbol>/gs)];
  return {
    definitions: [...text.matchAll(/<defs>.*?<\/defs>/gs)].map(([found]) => toColors(found)).join(""),
    symbols: new Map(symbols.map(([symbol, id]) => [id!, symbol])),
  };
}

/** The symbols of these ids with their colours. */
export function defineSymbols({ definitions, symbols }: Drawings, ids: ReadonlySet<string>): string {
  const drawn = [...ids].map((id) => {
    const symbol = symbols.get(id);
    assert(symbol !== undefined, `there is no drawing of ${id}`);
    return toColors(symbol);
  });
  return `${definitions}<defs>${drawn.join("")}</defs>`;
}

function toColors(svg: string): string {
  return svg.replace(/var\(--([\w-]+)\)/g, (_, name: string) => {
    assert(name in COLORS, `no colour --${name}`);
    return COLORS[name as keyof typeof COLORS];
  });
}
