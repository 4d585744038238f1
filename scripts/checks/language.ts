/** Finds breaches of the writing rules in comments, documentation, test titles and log messages. */
import path from "node:path";
import ts from "typescript-5";

interface Finding {
  /** From 1. */
  readonly line: number;
  /** What is wrong, with the words that triggered it. */
  readonly text: string;
}

/** Consecutive lines that are read as one text, so that a phrase is found across a line break. */
interface Passage {
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** Longest comment line, in characters and with its indentation. */
const COMMENT_WIDTH_MAX = 100;
const COMMENT_LINES_MAX = 2;

/** Each shape with the replacement that the writer should look for. */
const SHAPES: readonly (readonly [shape: RegExp, advice: string])[] = [
  [
    /\b(?:for|of|to|by|with|from|than|what|where|until|but) who\b/gi,
    "name the person: the player, the caller, the admin",
  ],
  [/(?<=^\W*|[.:;]\s)Who\b(?! (?:may|can)\b|[^.?]*\?)/g, "begin with a subject: the player, the caller, the admin"],
  [/\bwho is none\b/gi, "say who is excluded"],
  [/(?<!\bthere )\b(?:is|are) none\b/gi, "say what is missing"],
  [/\b(?:stands|stood)\b(?!-)/gi, "use a plain verb: is, remains, applies"],
  [/\bnobody\b/gi, "use: no one, no player, not … anyone"],
  [/\b(?:some|any|every)body\b|\bwhoever\b/gi, "name the person, or use: someone, anyone, everyone"],
  [/\b(?:of|in) the house\b|\bthe house(?:'s)?\b/gi, "use: the platform, staff, admins"],
  [/\bof (?:ours|theirs|its own making|our making|our own making)\b/gi, "use: our …, its own …"],
  [/\bmay not make (?:us|it|them)\b/gi, "use: must not cause"],
  [/\bat the door\b/gi, "use: at the boundary, when it is received"],
  [/\bbecom(?:es|e) of\b|\bbecame of\b/gi, "use: what happens to"],
  [/\b(?:comes|goes|came) to it\b/gi, "say what happens"],
  [/\b(?:anew|aught|naught|lest|ere|whence|thereof|henceforth|forthwith|betimes|nought)\b/gi, "use a modern word"],
  [/\bas (?:often|long|much|many) as (?:they|it|he|she|one) (?:please|like)s?\b/gi, "state the limit"],
  [/\bmailbox(?:es)?\b/gi, "use: actor queue, or e-mail address"],
];

/** The faults of `text` by line; none for a file type that is not read. */
export function findLanguageFaults(file: string, text: string): readonly Finding[] {
  const extension = path.extname(file);
  if (extension === ".md") return findInPassages(readMarkdown(text));
  const comments = leaveOutSentences(readComments(file, text), text);
  const passages = joinComments(comments, text);
  const findings = [...findLongLines(comments, text), ...findLongComments(file, passages), ...findInPassages(passages)];
  if (/\.tsx?$/.test(file)) findings.push(...findInPassages(readMessages(file, text)));
  return findings.toSorted((a, b) => a.line - b.line);
}

/** Lines above a test that say what it shows (docs/acceptance.md) may be long. */
function leaveOutSentences(comments: readonly Comment[], text: string): readonly Comment[] {
  let last = -1;
  return comments.filter(({ start, end }) => {
    const isSentence = /^\/\/ \[[A-Z]+-\d\d §/.test(text.slice(start, end));
    const isContinued = last !== -1 && text.slice(last, start).trim() === "" && text.startsWith("// ", start);
    last = isSentence || isContinued ? end : -1;
    return last === -1;
  });
}

function findInPassages(passages: readonly Passage[]): Finding[] {
  return passages.flatMap(({ lines }) => {
    const text = lines.map((line) => line.text.trim()).join("\n");
    const readable = hideQuotes(text).replaceAll("\n", " ");
    return SHAPES.flatMap(([shape, advice]) =>
      [...readable.matchAll(shape)].map(({ index, 0: words }) => {
        const row = lines[text.slice(0, index).split("\n").length - 1];
        return { line: row?.line ?? 1, text: `"${words.trim()}": ${advice}` };
      }),
    );
  });
}

/** Masks code, quotations and link targets, keeping positions. */
function hideQuotes(text: string): string {
  const quoted = /`[^`]*`|“[^”]*”|"[^"]{0,300}"|‘[^’]*’|\]\([^)]*\)|<!--[\s\S]*?-->/g;
  return text.replace(quoted, (words) => words.replaceAll(/[^\n]/g, "·"));
}

interface Comment {
  readonly start: number;
  readonly end: number;
}

function readComments(file: string, text: string): readonly Comment[] {
  switch (path.extname(file)) {
    case ".ts":
    case ".tsx":
    case ".js":
    case ".mjs":
      return readScriptComments(file, text);
    case ".css":
      return readMatches(text, /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(\/\*[\s\S]*?\*\/)/g);
    case ".c":
    case ".h":
    case ".java":
      return readMatches(text, /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(\/\*[\s\S]*?\*\/|\/\/[^\n]*)/g);
    case ".sh":
      return readMatches(text, /"(?:\\.|[^"\\])*"|'[^']*'|(?<![^\s])(#[^\n]*)/g);
    default:
      return [];
  }
}

/** `token` matches strings, and comments as its first group. */
function readMatches(text: string, token: RegExp): readonly Comment[] {
  return [...text.matchAll(token)].flatMap((match) =>
    match[1] === undefined ? [] : [{ start: match.index, end: match.index + match[1].length }],
  );
}

function parseScript(file: string, text: string): ts.SourceFile {
  const kind = file.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  return ts.createSourceFile(file, text, options, false, kind);
}

/** Masks every literal and text of a page, so that the remaining comment marks are comments. */
function readScriptComments(file: string, text: string): readonly Comment[] {
  const source = parseScript(file, text);
  let masked = "";
  let end = 0;
  const visit = (node: ts.Node): void => {
    if (isLiteral(node)) {
      const start = node.kind === ts.SyntaxKind.JsxText ? node.pos : node.getStart(source, false);
      masked += text.slice(end, start) + "·".repeat(node.end - start);
      end = node.end;
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  masked += text.slice(end);
  return readMatches(masked, /(\/\*[\s\S]*?\*\/|\/\/[^\n]*)/g);
}

function isLiteral({ kind }: ts.Node): boolean {
  return (
    kind === ts.SyntaxKind.JsxText ||
    (kind >= ts.SyntaxKind.FirstLiteralToken && kind <= ts.SyntaxKind.LastTemplateToken) ||
    kind === ts.SyntaxKind.StringLiteral
  );
}

function toLine(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function hasCodeBefore(text: string, start: number): boolean {
  return text.slice(text.lastIndexOf("\n", start - 1) + 1, start).trim() !== "";
}

/** A line with code before its comment may be as long as the formatter allows. */
function findLongLines(comments: readonly Comment[], text: string): Finding[] {
  const lines = text.split("\n");
  return comments.flatMap(({ start, end }) => {
    const first = toLine(text, start);
    const last = toLine(text, end);
    return lines.slice(first - 1, last).flatMap((content, offset) => {
      const isLong = content.length > COMMENT_WIDTH_MAX && !/\S{80}/.test(content);
      if (!isLong || (offset === 0 && hasCodeBefore(text, start))) return [];
      return [{ line: first + offset, text: `a comment line of ${content.length} characters` }];
    });
  });
}

/** The JSDoc tags of plain JavaScript do not count: they are its types. */
function findLongComments(file: string, passages: readonly Passage[]): Finding[] {
  return passages.flatMap(({ lines }) => {
    const texts = lines.filter(({ text }) => text.trim() !== "" && !text.startsWith("!"));
    const tag = /\.m?js$/.test(file) ? texts.findIndex(({ text }) => /^\s*@/.test(text)) : -1;
    const count = tag === -1 ? texts.length : tag;
    return count > COMMENT_LINES_MAX ? [{ line: lines[0]!.line, text: `a comment of ${count} lines` }] : [];
  });
}

/** Line comments on lines of their own, below one another, are one passage. */
function joinComments(comments: readonly Comment[], text: string): readonly Passage[] {
  const passages: { lines: { line: number; text: string }[] }[] = [];
  for (const { start, end } of comments) {
    const first = toLine(text, start);
    const lines = text
      .slice(start, end)
      .split("\n")
      .map((content, offset) => ({
        line: first + offset,
        text: content.replace(/^\s*(?:\/\/+|\/\*+|\*+\/?|#)|\*\/$/g, ""),
      }));
    const previous = passages.at(-1);
    const isLineComment = /^(?:\/\/|#)/.test(text.slice(start, end)) && !hasCodeBefore(text, start);
    const isContinued = isLineComment && previous?.lines.at(-1)?.line === first - 1;
    if (isContinued) previous.lines.push(...lines);
    else passages.push({ lines });
  }
  return passages;
}

/** Paragraphs, rows of tables and list items, without blocks of code. */
function readMarkdown(text: string): readonly Passage[] {
  const passages: { lines: { line: number; text: string }[] }[] = [];
  let isFenced = false;
  let isNew = true;
  for (const [index, content] of text.split("\n").entries()) {
    if (/^\s*```/.test(content)) isFenced = !isFenced;
    const isCode = isFenced || /^ {4}/.test(content) || /^\s*```/.test(content);
    if (isCode || content.trim() === "") {
      isNew = true;
      continue;
    }
    if (isNew || /^\s*(?:[|#>]|[-*] |\d+\. )/.test(content)) passages.push({ lines: [] });
    passages.at(-1)?.lines.push({ line: index + 1, text: content });
    isNew = /^\s*[|#]/.test(content);
  }
  return passages;
}

/** The titles of tests, also of their `each`, and the messages of logs. */
function readMessages(file: string, text: string): readonly Passage[] {
  const source = parseScript(file, text);
  const messages: Passage[] = [];
  const visit = (node: ts.Node): void => {
    const message = ts.isCallExpression(node) ? findMessage(node) : undefined;
    if (message !== undefined && (ts.isStringLiteralLike(message) || ts.isTemplateExpression(message))) {
      const content = message.getText(source).slice(1, -1);
      messages.push({ lines: [{ line: toLine(text, message.getStart(source)), text: content }] });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return messages;
}

function findMessage({ expression, arguments: given }: ts.CallExpression): ts.Expression | undefined {
  if (isTestFunction(expression)) return given[0];
  return isLogFunction(expression) ? given.at(-1) : undefined;
}

function isLogFunction(callee: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(callee) || !/^(?:debug|info|warn|error|fatal)$/.test(callee.name.text))
    return false;
  const { expression } = callee;
  const log = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ts.isIdentifier(log) || ts.isPrivateIdentifier(log) ? /^#?log$/.test(log.text) : false;
}

function isTestFunction(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return /^(?:it|test|describe)$/.test(callee.text);
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return isTestFunction(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isTestFunction(callee.tag);
}
