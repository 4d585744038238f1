import { describe, expect, it } from "vitest";
import { findLanguageFaults } from "./language.ts";

function findLines(file: string, text: string): readonly number[] {
  return findLanguageFaults(file, text).map(({ line }) => line);
}

describe("the language check", () => {
  it.each([
    "The form for who plays.",
    "Who logs out is told.",
    "It ends. Who waits gets a message.",
    "The offer stands until then.",
    "It stood there.",
    "Nobody can read it.",
    "Whoever asks gets it.",
    "A message of somebody else.",
    "What the house earns.",
    "A server of ours.",
    "A client who is none.",
    "It may not make us ask.",
    "Checked at the door.",
    "What became of the payment.",
    "It is read anew.",
    "Ask as often as they please.",
    "The mailbox of a table.",
  ])("refuses: %s", (sentence) => {
    expect(findLines("a.ts", `// ${sentence}\nconst a = 1;\n`)).toContain(1);
    expect(findLines("a.md", `# Title\n\n${sentence}\n`)).toContain(3);
    expect(findLines("a.test.ts", `it.each([1])(${JSON.stringify(sentence)}, () => {});\n`)).toContain(1);
  });

  it.each([
    "The player who waits gets a message.",
    "Who may call a route?",
    "A stand-in for the provider.",
    "Prints `nobody` and “the house” as they are quoted.",
    "Null if there is none.",
    "Says 'Waiting for opponent'.",
    "See [decisions](docs/the-house.md).",
  ])("accepts: %s", (sentence) => {
    expect(findLanguageFaults("a.ts", `// ${sentence}\n`)).toEqual([]);
    expect(findLanguageFaults("a.md", `${sentence}\n`)).toEqual([]);
  });

  it("finds a phrase across the lines of one comment", () => {
    expect(findLines("a.ts", "/**\n * It is written for\n * who plays.\n */\nlet a;\n")).toEqual([2]);
    expect(findLines("a.ts", "// It is written for\n// who plays.\n")).toEqual([1]);
  });

  it.each([
    ["a.ts", "// one\n// two\n// three\nlet a;\n"],
    ["a.ts", "/**\n * one\n *\n * two\n * @param a three\n */\n"],
    ["a.tsx", "const a = <p>{/* one\n two\n three */}</p>;\n"],
    ["a.js", "/**\n * one\n * two\n * three\n * @returns {string}\n */\n"],
    ["a.css", "/* one\n   two\n   three */\n"],
    ["a.sh", "#!/bin/sh\n# one\n# two\n# three\n"],
  ])("refuses a comment of three lines in %s: %j", (file, text) => {
    expect(findLanguageFaults(file, text)).toEqual([{ line: 1, text: "a comment of 3 lines" }]);
  });

  it.each([
    ["a.ts", "/**\n * one\n * two\n */\nlet a;\n// one\n// two\n\n// one\n"],
    ["a.ts", "let a; // one\nlet b; // two\nlet c; // three\n"],
    ["a.js", "/**\n * one\n * two\n * @param {string} a\n * @returns {string}\n */\n"],
    ["a.js", "/**\n * @typedef {object} A\n * @property {string} b\n * @property {string} c\n */\n"],
    ["a.sh", "#!/bin/sh\n# one\n# two\n"],
  ])("accepts the length of comments in %s: %j", (file, text) => {
    expect(findLanguageFaults(file, text)).toEqual([]);
  });

  it("limits comment lines to 100 characters, but not code before a comment or an address", () => {
    expect(findLines("a.ts", `// ${"ab ".repeat(40)}\n`)).toEqual([1]);
    expect(findLines("a.ts", `/**\n * ${"ab ".repeat(40)}\n */\n`)).toEqual([2]);
    expect(findLines("a.ts", `const a = "${"ab ".repeat(40)}"; // short\n`)).toEqual([]);
    expect(findLines("a.ts", `// https://example.com/${"a".repeat(100)}\n`)).toEqual([]);
  });

  it("reads comments only: no strings, templates, regular expressions or page text", () => {
    const code = [
      'const a = "// nobody";',
      `const b = \`// nobody \${a /* fine */} // nobody\`;`,
      "const c = /\\/\\/ nobody/;",
      "const d = <p>https://nobody // nobody</p>;",
    ].join("\n");
    expect(findLanguageFaults("a.tsx", code)).toEqual([]);
    expect(findLines("a.tsx", `${code}\nconst e = <p>{/* nobody */}</p>;\n`)).toEqual([5]);
  });

  it("reads comments of CSS, C, Java and shell scripts", () => {
    expect(findLines("a.css", 'a::after { content: "/* nobody */"; }\n/* nobody */\n')).toEqual([2]);
    expect(findLines("a.c", 'char *a = "// nobody";\n// nobody\n')).toEqual([2]);
    expect(findLines("A.java", "char a = '\"';\n/* nobody */ int b;\n")).toEqual([2]);
    expect(findLines("a.sh", 'echo "# nobody" $#\nls # nobody\n')).toEqual([2]);
  });

  it("reads log messages, and no other texts", () => {
    const text =
      'this.#log.warn({ err }, "nobody");\noptions.log.error("nobody");\nlog.info("fine");\nshow("nobody");\n';
    expect(findLines("a.ts", text)).toEqual([1, 2]);
  });

  it("leaves out code blocks of documentation", () => {
    expect(findLanguageFaults("a.md", "Text:\n\n    nobody\n\n```\nnobody\n```\n")).toEqual([]);
    expect(findLines("a.md", "| a | nobody |\n|---|---|\n- nobody\n")).toEqual([1, 3]);
  });
});
