import { run } from "../../../scripts/native/run.ts";
import { toSignature } from "./android-api.ts";

export interface JavaClass {
  readonly name: string;
  readonly isInterface: boolean;
  readonly signatures: readonly string[];
}

const WORDS: Readonly<Record<string, string>> = {
  "java.lang.String": "string",
  "java.lang.CharSequence": "string",
  "java.lang.Object": "any",
  int: "number",
  long: "number",
  boolean: "boolean",
  void: "void",
};

export function listMembers(classFiles: readonly string[]): readonly JavaClass[] {
  const text = run("javap", ["-protected", "-constants", ...classFiles]);
  return text
    .split(/^Compiled from .*$/m)
    .filter((part) => part.trim() !== "")
    .map(toClass);
}

function toClass(text: string): JavaClass {
  const [head = "", ...lines] = text.trim().split("\n");
  const [, kind, name = ""] = /(class|interface) ([\w.$]+)/.exec(head) ?? [];
  const members = lines.map((line) => line.trim()).filter((line) => line.endsWith(";") && line !== "static {};");
  return {
    name: name.replaceAll("$", "."),
    isInterface: kind === "interface",
    signatures: members.map((line) => toMember(line, name)),
  };
}

function toMember(line: string, owner: string): string {
  const [, variable, bound = ""] = /<(\w) extends ([\w.]+)>/.exec(line) ?? [];
  const declared = line.replace(/^(?:(?:public|protected|static|final|abstract) )*(?:<.*?> )?/, "");
  const bare = variable === undefined ? declared : declared.replace(`${variable} `, `${bound} `);
  const [, type = "", name = "", value] = /^(\S+) (\w+)(?: = (.*))?;$/.exec(bare) ?? [];
  if (name !== "") return `${name}: ${value ?? toWord(type)}`;
  const [, returned = "", called = "", parameters = ""] = /^(?:(\S+) )?([\w.$]+)\((.*)\);$/.exec(bare) ?? [];
  const types = parameters === "" ? [] : parameters.replace(/<.*?>/g, "").split(", ").map(toWord);
  return called === owner
    ? toSignature("constructor", types, "")
    : toSignature(called, types, toWord(returned.replace(/<.*>/, "")));
}

function toWord(type: string): string {
  if (type.endsWith("[]")) return "androidNative.Array";
  return WORDS[type] ?? type.replaceAll("$", ".");
}

/** Android's methods and fields in bytecode, as `class signature`. */
export function listUses(dex: string): readonly string[] {
  const uses = [
    ...run("dexdump", ["-d", dex]).matchAll(/, L(android\/[\w/$]+);\.([\w<>]+):(\S+) \/\/ (method|field)@/g),
  ];
  return [
    ...new Set(uses.map(([, owner = "", name = "", type = "", kind]) => toUse(owner, name, type, kind === "field"))),
  ];
}

function toUse(owner: string, name: string, type: string, isField: boolean): string {
  const className = owner.replaceAll("/", ".").replaceAll("$", ".");
  if (isField) return `${className} ${name}: ${toTypes(type)[0]}`;
  const [, parameters = "", returned = ""] = /^\((.*)\)(.*)$/.exec(type) ?? [];
  const isConstructor = name === "<init>";
  const returnedWord = isConstructor ? "" : (toTypes(returned)[0] ?? "");
  return `${className} ${toSignature(isConstructor ? "constructor" : name, toTypes(parameters), returnedWord)}`;
}

const LETTERS: Readonly<Record<string, string>> = { I: "int", J: "long", Z: "boolean", V: "void" };

/** `descriptor` has types in bytecode notation. */
function toTypes(descriptor: string): readonly string[] {
  return [...descriptor.matchAll(/(\[?)(?:L([^;]+);|([A-Z]))/g)].map(([, isArray, className, letter]) =>
    toWord((className?.replaceAll("/", ".") ?? LETTERS[letter ?? ""] ?? "") + (isArray ? "[]" : "")),
  );
}
