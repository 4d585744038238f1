/** What Android really has, as a public description of its classes lists it, from 5.0 to today with the API level each member came with. */
import { readFileSync } from "node:fs";
import { fetchFromNpm, type NpmFile } from "../npm-file.ts";

/** NativeScript's types of the whole platform (Apache 2.0), written from Google's own android.jar. */
const PLATFORM: NpmFile = {
  package: "@nativescript/types-android@9.1.1",
  integrity: "sha512-PGaTum9tyqyyza3QT21Z7WrRR1+nM7ITsq9EJiaShLArThJI0PD1ZuDO5IoUUvSQ+gTKU2nLiVMnFbU4s3FeeQ==",
  file: "lib/android/android-platform-21-37-merged.d.ts",
  sha256: "86e69628596decea377d1daad033b3a4f82664d3bee6da2bb656230bca031f9b",
};

export interface AndroidClass {
  readonly isInterface: boolean;
  readonly parent: string;
  /** The API level it came with; 21 where it is older than that. */
  readonly level: number;
  /** Likewise, by the signature of `toSignature`. */
  readonly members: ReadonlyMap<string, number>;
}

const LEVEL_MIN = 21;
const OPENED = /^(?:declare|export) module ([\w.]+) \{$/;
const CLASS = /^export (?:abstract )?class (\w+)(?:<.*?>)? +extends ([\w.]+)/;
const METHOD = /^(?:public|protected) (?:static )?(?:abstract )?(\w+)\((.*)\): (.+);$/;
const CONSTRUCTOR = /^(?:public|protected) constructor\(([^{]*)\);$/;
const FIELD = /^(?:public|protected) (?:static )?(\w+): (.+);$/;

/** @returns every class by its full name */
export async function readAndroid(): Promise<ReadonlyMap<string, AndroidClass>> {
  const lines = readFileSync(await fetchFromNpm(PLATFORM), "utf8").split("\n");
  const classes = new Map<
    string,
    { isInterface: boolean; parent: string; level: number; members: Map<string, number> }
  >();
  /** The modules and classes that are open, outermost first; what else opens a brace has no name. */
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

/** @param types as TypeScript writes them */
export function toSignature(name: string, types: readonly string[], returned: string): string {
  return `${name}(${types.map(plain).join(", ")}): ${plain(returned)}`;
}

/** A type variable says nothing here, and neither does what may be null. */
function plain(type: string): string {
  return type.replace(" | null", "").replace(/^T$/, "any").replace(/<.*>/, "").trim();
}

/** `a: string, b: number` by its types alone. */
function splitTypes(parameters: string): readonly string[] {
  const withoutGenerics = parameters.replace(/<[^()]*?>(?=[,) |]|$)/g, "");
  if (withoutGenerics === "") return [];
  return withoutGenerics.split(", ").map((parameter) => parameter.slice(parameter.indexOf(": ") + 2));
}

/** @returns the level at which `signature` came to `name` or what it extends; undefined where it is not there at all */
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
