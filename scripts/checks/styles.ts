/**
 * Proves that a style sheet has no effect on pages that do not load it: each of its rules needs an
 * element with a class that only components with this sheet render.
 */
import path from "node:path";
import { type Selector, type SelectorComponent, transform } from "lightningcss";
import ts from "typescript-5";

interface Finding {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

interface Module {
  readonly classNames: ReadonlySet<string>;
  /** Beginnings of class names whose rest is computed. */
  readonly prefixes: readonly string[];
  /** Files that are loaded with it. */
  readonly imports: readonly string[];
  /** Files that may be loaded later. */
  readonly laterImports: readonly string[];
}

/** The build gives the outline of a page that page's sheets. */
const OUTLINE = /\/app\/outline\//;

/** The rules without a class of their own, in the sheets among `files` (path to content). */
export function findSharedStyles(files: ReadonlyMap<string, string>): readonly Finding[] {
  const modules = new Map<string, Module>();
  for (const [file, text] of files) if (/\.tsx?$/.test(file)) modules.set(file, readModule(file, text));
  const isLoadedWith = makeLoadOrder(modules);

  const animations = new Set<string>();

  return [...files].flatMap(([sheet, text]) => {
    if (!sheet.endsWith(".css")) return [];
    const { selectors, keyframes } = readSheet(sheet, text);
    const isOwn = (className: string): boolean => {
      const users = [...modules].filter(([, module]) => isRendered(module, className));
      return users.length > 0 && users.every(([file]) => isLoadedWith(file, sheet));
    };
    const repeated = keyframes.filter(({ name }) => animations.has(name));
    for (const { name } of keyframes) animations.add(name);
    return [
      ...selectors
        .filter(({ selector }) => !needsClass(selector, isOwn))
        .map(({ selector, line }) => ({ file: sheet, line, text: describe(selector) })),
      ...repeated.map(({ name, line }) => ({
        file: sheet,
        line,
        text: `The animation ${name} has another sheet's name.`,
      })),
    ];
  });
}

function describe(selector: Selector): string {
  const names = listClasses(selector).map((name) => `.${name}`);
  const subject = names.length === 0 ? "A rule without a class" : `A rule for ${names.join(" ")}`;
  return `${subject} also matches elsewhere: name a class that only components with this sheet use.`;
}

function listClasses(selector: Selector): string[] {
  return selector.flatMap((part) => (part.type === "class" ? [part.name] : listInner(part).flatMap(listClasses)));
}

/** Whether the selector matches only where an element has such a class. */
function needsClass(selector: Selector, isOwn: (className: string) => boolean): boolean {
  return selector.some((part) => {
    if (part.type === "nesting") return true;
    if (part.type === "class") return isOwn(part.name);
    const isRequired = part.type === "pseudo-class" && ["is", "where", "has"].includes(part.kind);
    const inner = isRequired ? listInner(part) : [];
    return inner.length > 0 && inner.every((one) => needsClass(one, isOwn));
  });
}

function listInner(part: SelectorComponent): readonly Selector[] {
  return part.type === "pseudo-class" && "selectors" in part ? ((part.selectors ?? []) as Selector[]) : [];
}

interface Sheet {
  readonly selectors: readonly { readonly selector: Selector; readonly line: number }[];
  readonly keyframes: readonly { readonly name: string; readonly line: number }[];
}

function readSheet(file: string, text: string): Sheet {
  const selectors: { readonly selector: Selector; readonly line: number }[] = [];
  const keyframes: { readonly name: string; readonly line: number }[] = [];
  transform({
    filename: file,
    code: Buffer.from(text),
    visitor: {
      Rule: {
        style({ value }) {
          for (const selector of value.selectors) selectors.push({ selector, line: value.loc.line + 1 });
        },
        keyframes({ value }) {
          keyframes.push({ name: value.name.value, line: value.loc.line + 1 });
        },
      },
    },
  });
  return { selectors, keyframes };
}

function isRendered({ classNames, prefixes }: Module, className: string): boolean {
  return classNames.has(className) || prefixes.some((prefix) => className.startsWith(prefix));
}

/** Tells whether a file is used only while a sheet is loaded: with it or before it. */
function makeLoadOrder(modules: ReadonlyMap<string, Module>): (file: string, sheet: string) => boolean {
  const importers = new Map<string, string[]>();
  const together = new Map<string, ReadonlySet<string>>();
  for (const [file, { imports, laterImports }] of modules) {
    for (const to of [...imports, ...laterImports]) importers.set(to, [...(importers.get(to) ?? []), file]);
    const seen = new Set([file]);
    for (const one of seen) for (const to of modules.get(one)?.imports ?? []) seen.add(to);
    together.set(file, seen);
  }
  const isLoadedWith = (file: string, sheet: string, passed: Set<string>): boolean => {
    if (OUTLINE.test(file) || passed.has(file) || together.get(file)?.has(sheet) === true) return true;
    passed.add(file);
    const before = importers.get(file) ?? [];
    return before.length > 0 && before.every((importer) => isLoadedWith(importer, sheet, passed));
  };
  return (file, sheet) => isLoadedWith(file, sheet, new Set());
}

function readModule(file: string, text: string): Module {
  const classNames = new Set<string>();
  const prefixes: string[] = [];
  const imports: string[] = [];
  const laterImports: string[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  visit(source, false);
  return { classNames, prefixes, imports, laterImports };

  function visit(node: ts.Node, isClass: boolean): void {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const isType = ts.isImportDeclaration(node) ? node.importClause?.isTypeOnly === true : node.isTypeOnly;
      if (!isType) addImport(imports, node.moduleSpecifier);
      return;
    }
    if (ts.isLiteralTypeNode(node)) return;
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      addImport(laterImports, node.arguments[0]);
      return;
    }
    // What is only compared is no class name.
    const isCompared = ts.isBinaryExpression(node) && /^[!=]==$/.test(node.operatorToken.getText());
    const inClass = !isCompared && (isClass || beginsClassName(node));
    if (ts.isStringLiteralLike(node)) addNames(node.text, inClass);
    else if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) addParts(node, inClass);
    ts.forEachChild(node, (child) => visit(child, inClass));
  }

  function addImport(list: string[], specifier: ts.Node | undefined): void {
    if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return;
    list.push(path.posix.join(path.posix.dirname(file), specifier.text));
  }

  /** Outside of class names, words with a hyphen count too: a name may pass through a variable. */
  function addNames(names: string, isClass: boolean): void {
    if (!/^[a-z0-9 -]+$/.test(names)) return;
    for (const name of names.split(" ")) if (name !== "" && (isClass || name.includes("-"))) classNames.add(name);
  }

  function addParts(part: ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail, isClass: boolean): void {
    const names = part.text.split(" ");
    if (!ts.isTemplateHead(part)) names.shift();
    const prefix = ts.isTemplateTail(part) ? undefined : names.pop();
    if (isClass && prefix !== undefined && prefix !== "") prefixes.push(prefix);
    addNames(names.join(" "), isClass);
  }
}

function beginsClassName(node: ts.Node): boolean {
  const isNamed = ts.isJsxAttribute(node) || ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node);
  if (isNamed) return /class(?:Name|es)?$/i.test(node.name.getText());
  return ts.isCallExpression(node) && /classes$/i.test(node.expression.getText());
}
