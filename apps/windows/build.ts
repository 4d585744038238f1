/** The host's program and its setup: C by mingw, a setup by NSIS, signatures by osslsigncode. Nothing of the machine or the hour is in them. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BuildOrder } from "../../scripts/native/host.ts";
import { run } from "../../scripts/native/run.ts";
import { sign } from "./sign.ts";

type Release = Pick<BuildOrder, "origin" | "version">;

const SOURCES = path.join(import.meta.dirname, "src");

/** The thread library named win32 needs no DLL of its own beside the program. */
export const COMPILER = "x86_64-w64-mingw32-gcc-win32";
export const WARNINGS = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"];
/** Small, stack protected; Windows 10 is the first with the calls we make and the last that WebView2 still serves. */
const COMPILING = [
  "-Os",
  "-municode",
  "-DUNICODE",
  "-D_WIN32_WINNT=0x0A00",
  "-fstack-protector-strong",
  "-ffunction-sections",
];
/** Without symbols and without the hour; placed anywhere in memory, data never run. */
const LINKING = [
  ...["-mwindows", "-static", "-s", "-Wl,--gc-sections", "-Wl,--no-insert-timestamp"],
  ...["-Wl,--dynamicbase", "-Wl,--high-entropy-va", "-Wl,--nxcompat"],
  ...["-lole32", "-luuid", "-lshell32", "-lgdi32", "-ladvapi32"],
];

/** @returns the setup that players install, the program alone, and the program unsigned, which is the same for everybody who builds the same */
export async function build(order: BuildOrder): Promise<readonly string[]> {
  const toFile = (kind: string) => path.join(order.outDir, `holo-arena-${order.version}${kind}.exe`);
  const [setup, program, unsigned] = [toFile("-setup"), toFile(""), toFile("-unsigned")];
  const work = mkdtempSync(path.join(tmpdir(), "holo-windows-"));
  try {
    compileProgram(order, work, unsigned);
    sign(unsigned, program, "Holo Arena");
    const packed = path.join(work, "packed.exe");
    packSetup(order.version, program, packed);
    sign(packed, setup, "Holo Arena setup");
  } finally {
    rmSync(work, { recursive: true });
  }
  return [setup, program, unsigned];
}

/** Leaves the unsigned program in `file`; byte for byte the same from the same sources, origin, version and compiler. */
export function compileProgram({ origin, version }: Release, work: string, file: string): void {
  const resources = path.join(work, "resources.o");
  const numbers = [...version.split("."), "0"].join(",");
  const words = [`-DVERSION=\\"${version}\\"`, `-DVERSION_NUMBERS=${numbers}`, "-Ocoff", "holo-arena.rc", resources];
  run("x86_64-w64-mingw32-windres", words, { cwd: SOURCES });
  // Sorted: the order of files on the line is the order of the code in the program.
  const sources = readdirSync(SOURCES)
    .filter((name) => name.endsWith(".c"))
    .sort();
  const given = [`-DORIGIN="${origin}"`, `-DVERSION="${version}"`];
  run(COMPILER, [...WARNINGS, ...COMPILING, ...given, ...sources, resources, "-o", file, ...LINKING], { cwd: SOURCES });
}

/** Leaves a setup of `program` in `file`, unsigned. What it installs is the program as it is given, its signature included. */
export function packSetup(version: string, program: string, file: string): void {
  const given = [`-DVERSION=${version}`, `-DHOST=${program}`, `-DOUT=${file}`];
  // Without an epoch makensis writes the hour of the build into the setup's head.
  run("makensis", ["-V2", "-WX", ...given, "setup.nsi"], { cwd: import.meta.dirname, env: { SOURCE_DATE_EPOCH: "0" } });
}
