/** Android's public members with their API levels, from published type declarations. */
import { readFileSync } from "node:fs";
import { fetchFromNpm, type NpmFile } from "../npm-file.ts";

/** NativeScript's types of the platform (Apache 2.0), generated from android.jar. */
const PLATFORM: NpmFile = {
  package: "@nativescript/types-android@9.1.1",
  integrity: "sha512-PGaTum9tyqyyza3QT21Z7WrRR1+nM7ITsq9EJiaShLArThJI0PD1ZuDO5IoUUvSQ+gTKU2nLiVMnFbU4s3FeeQ==",
  file: "lib/android/android-platform-21-37-merged.d.ts",
  sha256: "86e69628596decea377d1daad033b3a4f82664d3bee6da2bb656230bca031f9b",
};

export interface AndroidClass {
  readonly isInterface: boolean;
  readonly parent: string;
  /** The API level that introduced it, at least 21. */
  readonly level: number;
  /** The same, by the signature of `toSignature`. */
  readonly members: ReadonlyMap<string, number>;
}

const LEVEL_MIN = 21;
const OPENED = /^(?:declare|export) module ([\w.]+) \{$/;
const CLASS = /^export (?:abstract )?class (\w+)(?:<.*?>)? +extends ([\w.]+)/;
const METHOD = /^(?:public|protected) (?:static )?(?:abstract )?(\w+)\((.*)\): (.+);$/;
const CONSTRUCTOR = /^(?:public|protected) constructor\(([^{]*)\);$/;
const FIELD = /^(?:public|protected) (?:static )?(\w+): (.+);$/;

export async function readAndroid(): Promise<ReadonlyMap<string, AndroidClass>> {
  const lines = readFileSync(await fetchFromNpm(PLATFORM), "utf8").split("\n");
  const classes = new Map<
    string,
    { isInterface: boolean; parent: string; level: number; members: Map<string, number> }
  >();
  /** The open modules and classes, outermost first; other braces have no name. */
  const open: string[] = [];
  let level = LEVEL_MIN;
  for (const line of lines.map((text) => text.trim())) {
    const name = open.filter((part) => part !== "").join(".");
    const own = classes.get(name);
    const [, className, parent] = CLASS.exec(line) ?? [];
    if (line.startsWith("/**") || line.startsWith("*")) {
      level = Number(/@since (\d+)/.exec(line)?.[1] ?? level);
      if (own && line.includes("interface with the provided implementation")) own.isInterface = true;
      continue;
    }
    if (className !== undefined && parent !== undefined) {
      classes.set(`${name}.${className}`, { isInterface: false, parent, level, members: new Map() });
    }
    if (line.endsWith("{")) open.push(OPENED.exec(line)?.[1] ?? className ?? "");
    else if (line.startsWith("}")) open.pop();
    else if (own && open.at(-1) !== "") addMember(own.members, line, level);
    level = LEVEL_MIN;
  }
  return classes;
}

function addMember(members: Map<string, number>, line: string, level: number): void {
  const [, parameters] = CONSTRUCTOR.exec(line) ?? [];
  if (parameters !== undefined) members.set(toSignature("constructor", splitTypes(parameters), ""), level);
  const [, method, given, returned] = METHOD.exec(line) ?? [];
  if (method !== undefined) members.set(toSignature(method, splitTypes(given ?? ""), returned ?? ""), level);
  const [, field, type] = FIELD.exec(line) ?? [];
  if (field !== undefined) members.set(`${field}: ${type}`, level);
}

/** `types` is in TypeScript's notation. */
export function toSignature(name: string, types: readonly string[], returned: string): string {
  return `${name}(${types.map(plain).join(", ")}): ${plain(returned)}`;
}

function plain(type: string): string {
  return type.replace(" | null", "").replace(/^T$/, "any").replace(/<.*>/, "").trim();
}

function splitTypes(parameters: string): readonly string[] {
  const withoutGenerics = parameters.replace(/<[^()]*?>(?=[,) |]|$)/g, "");
  if (withoutGenerics === "") return [];
  return withoutGenerics.split(", ").map((parameter) => parameter.slice(parameter.indexOf(": ") + 2));
}

/** @returns the level of `signature` in `name` or its parents; undefined if missing */
export function findLevel(
  android: ReadonlyMap<string, AndroidClass>,
  name: string,
  signature: string,
): number | undefined {
  const own = android.get(name);
  if (own === undefined) return undefined;
  const level = own.members.get(signature) ?? findLevel(android, own.parent, signature);
  return level === undefined ? undefined : Math.max(level, own.level);
}
