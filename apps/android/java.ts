import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BuildOrder } from "../../scripts/native/host.ts";
import { run } from "../../scripts/native/run.ts";
import { DX, fetchFromNpm } from "./npm-file.ts";

export const ANDROID_DIR = import.meta.dirname;
const JAVA = "7";

/** Returns the content of classes.dex. `generated` is a folder of generated Java. */
export async function compile(
  order: Pick<BuildOrder, "origin" | "version">,
  generated: string,
  work: string,
): Promise<Buffer> {
  const classes = compileApp(order, generated, work);
  const dex = path.join(work, "classes.dex");
  const dx = await fetchFromNpm(DX);
  run("java", ["-cp", dx, "com.android.dx.command.Main", "--dex", `--output=${dex}`, classes]);
  return readFileSync(dex);
}

export function compileApp(order: Pick<BuildOrder, "origin" | "version">, generated: string, work: string): string {
  writeSite(order, generated);
  const standIns = path.join(work, "stand-ins");
  const classes = path.join(work, "classes");
  javac(JAVA, [path.join(ANDROID_DIR, "stand-ins")], [], standIns);
  javac(JAVA, [path.join(ANDROID_DIR, "src"), generated], [standIns], classes);
  return classes;
}

/** Warnings are errors. */
export function javac(
  release: string,
  sources: readonly string[],
  classpath: readonly string[],
  classes: string,
): void {
  mkdirSync(classes, { recursive: true });
  const files = sources.flatMap(listJava);
  const strict = ["-Xlint:all,-options,-serial", "-Werror", "-encoding", "UTF-8", "-proc:none", "-implicit:none"];
  const places = ["-cp", classpath.join(path.delimiter), "-d", classes];
  run("javac", ["--release", release, "-g:source,lines", ...strict, ...places, ...files]);
}

/** Sorted, because the order could change the output. */
function listJava(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".java"))
    .sort()
    .map((name) => path.join(folder, name));
}

function writeSite({ origin, version }: Pick<BuildOrder, "origin" | "version">, generated: string): void {
  const text = `package arena.holo.app;

/** The site this build belongs to. */
final class Site {
  static final String ORIGIN = "${origin}";
  static final String VERSION = "${version}";
  static final boolean IS_DEVELOPMENT = ${origin.startsWith("http:")};

  private Site() {}
}
`;
  const folder = path.join(generated, "arena", "holo", "app");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "Site.java"), text);
}
