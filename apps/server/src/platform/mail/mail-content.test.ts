import { expect, test } from "vitest";
import { formatMailContent, type MailContent } from "./mail-content.ts";

const CONTENT: MailContent = {
  title: "Verify your email",
  paragraphs: ["Hello ada.", "Press the button."],
  action: { text: "Verify", url: "https://arena.example/verify-email?token=abc&x=1" },
  notes: ["Works once."],
};

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
  const { text, html } = formatMailContent(CONTENT);
  for (const said of [CONTENT.title, ...CONTENT.paragraphs, ...CONTENT.notes, CONTENT.action.url]) {
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
  const { html } = formatMailContent(CONTENT);
  expect(html).not.toMatch(/<img|<link|<script|url\(|@import|@font-face|\bsrc=/i);
  const addresses = [...html.matchAll(/https?:\/\/[^"<\s]+/g)].map(([found]) => found);
  expect(new Set(addresses)).toEqual(new Set(["https://arena.example/verify-email?token=abc&amp;x=1"]));
});

test("is laid out in tables, with a light and a dark theme", () => {
  const { html } = formatMailContent(CONTENT);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain("@media (prefers-color-scheme:dark)");
  expect(html).not.toMatch(/display:\s*(flex|grid)/);
  expect(html.match(/<table/g)).toEqual(html.match(/<table role="presentation"/g)?.map(() => "<table"));
});
