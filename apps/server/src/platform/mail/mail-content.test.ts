import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { formatMailContent, MAIL_COLORS, type MailContent } from "./mail-content.ts";

const LETTER: MailContent = {
  title: "Verify your email",
  paragraphs: ["Hello ada.", "Press the button."],
  action: { text: "Verify", url: "https://arena.example/verify-email?token=abc&x=1" },
  notes: ["Works once."],
};

/** The visible text of an HTML document. */
function toReadable(html: string): string {
  const body = html.slice(html.indexOf("<body"));
  const text = body.replace(/<[^>]+>/g, " ").replaceAll("&nbsp;", " ");
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity).replace(/\s+/g, " ");
}
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

test("formats the same content as text and HTML", () => {
  const { text, html } = formatMailContent(LETTER);
  for (const said of [LETTER.title, ...LETTER.paragraphs, ...LETTER.notes, LETTER.action.url]) {
    expect(text).toContain(said);
    expect(toReadable(html)).toContain(said);
  }
  expect(html).toContain('href="https://arena.example/verify-email?token=abc&amp;x=1"');
});

test("escapes all texts", () => {
  const hostile = `</p><img src=x onerror="alert('1')">&`;
  const { html, text } = formatMailContent({
    title: hostile,
    paragraphs: [hostile],
    action: { text: hostile, url: `https://arena.example/"><b>` },
    notes: [hostile],
  });
  expect(html).not.toMatch(/<img|<b>|<\/p><|onerror="/);
  expect(toReadable(html).split(hostile)).toHaveLength(5);
  expect(text).toContain(hostile);
});

test("loads no resources and contains no tracking", () => {
  const { html } = formatMailContent(LETTER);
  expect(html).not.toMatch(/<img|<link|<script|url\(|@import|@font-face|\bsrc=/i);
  const addresses = [...html.matchAll(/https?:\/\/[^"<\s]+/g)].map(([found]) => found);
  expect(new Set(addresses)).toEqual(new Set(["https://arena.example/verify-email?token=abc&amp;x=1"]));
});

test("is laid out in tables, with a light and a dark theme", () => {
  const { html } = formatMailContent(LETTER);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain("@media (prefers-color-scheme:dark)");
  expect(html).not.toMatch(/display:\s*(flex|grid)/);
  expect(html.match(/<table/g)).toEqual(html.match(/<table role="presentation"/g)?.map(() => "<table"));
});

type Channels = readonly [number, number, number];

/** Björn Ottosson's matrices from OKLCH to linear sRGB. */
function toLinear(lightness: number, chroma: number, hue: number): Channels {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function toHex(channels: Channels): string {
  const digits = channels.map((linear) => {
    const bounded = Math.min(1, Math.max(0, linear));
    const value = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${digits.join("")}`;
}

test("uses the colours of the design tokens", async () => {
  const css = await readFile(new URL("../../../../web/src/ui/theme/tokens.css", import.meta.url), "utf8");
  const dayAt = css.indexOf(':root[data-theme="day"]');
  const boardsAt = css.indexOf(':root[data-board="forest"]');
  const token = (part: string, name: string): string => {
    const found = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(part);
    if (found === null) throw new Error(`there is no token ${name}`);
    return toHex(toLinear(Number(found[1]), Number(found[2]), Number(found[3])));
  };
  const toPalette = (part: string) => ({
    ground: token(part, "ground"),
    surface: token(part, "surface-1"),
    line: token(part, "line"),
    ink: token(part, "ink"),
    inkSoft: token(part, "ink-2"),
    link: token(part, "ice"),
  });
  const [night, day, boards] = [css.slice(0, dayAt), css.slice(dayAt, boardsAt), css.slice(boardsAt)];
  expect(MAIL_COLORS).toEqual({
    day: toPalette(day),
    night: toPalette(night),
    foil: [1, 2, 3, 4, 5].map((hue) => token(night, `foil-${hue}`)),
    onFoil: token(night, "on-foil"),
    foilBorder: token(day, "foil-border"),
    squares: [token(boards, "sq-light"), token(boards, "sq-dark")],
  });
});
