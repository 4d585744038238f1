import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BuildOrder } from "../../scripts/native/host.ts";
import { run } from "../../scripts/native/run.ts";
import { sign } from "./sign.ts";

type Release = Pick<BuildOrder, "origin" | "version">;

const SOURCES = path.join(import.meta.dirname, "src");

/** The win32 thread model needs no extra DLL. */
export const COMPILER = "x86_64-w64-mingw32-gcc-win32";
export const WARNINGS = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"];
/** Small, with stack protection; Windows 10 is the minimum of our calls and of WebView2. */
const COMPILING = [
  "-Os",
  "-municode",
  "-DUNICODE",
  "-D_WIN32_WINNT=0x0A00",
  "-fstack-protector-strong",
  "-ffunction-sections",
];
/** No symbols, no timestamp; ASLR and DEP. */
const LINKING = [
  ...["-mwindows", "-static", "-s", "-Wl,--gc-sections", "-Wl,--no-insert-timestamp"],
  ...["-Wl,--dynamicbase", "-Wl,--high-entropy-va", "-Wl,--nxcompat"],
  ...["-lole32", "-luuid", "-lshell32", "-lgdi32", "-ladvapi32"],
];

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

export function compileProgram({ origin, version }: Release, work: string, file: string): void {
  const resources = path.join(work, "resources.o");
  const numbers = [...version.split("."), "0"].join(",");
  const words = [`-DVERSION=\\"${version}\\"`, `-DVERSION_NUMBERS=${numbers}`, "-Ocoff", "holo-arena.rc", resources];
  run("x86_64-w64-mingw32-windres", words, { cwd: SOURCES });
  // Sorted, because the order of files is the order of code.
  const sources = readdirSync(SOURCES)
    .filter((name) => name.endsWith(".c"))
    .sort();
  const given = [`-DORIGIN="${origin}"`, `-DVERSION="${version}"`];
  run(COMPILER, [...WARNINGS, ...COMPILING, ...given, ...sources, resources, "-o", file, ...LINKING], { cwd: SOURCES });
}

/** Writes an unsigned setup to `file`. It installs `program` as it is, with its signature. */
export function packSetup(version: string, program: string, file: string): void {
  const given = [`-DVERSION=${version}`, `-DHOST=${program}`, `-DOUT=${file}`];
  // Without an epoch makensis stores the build time in the header.
  run("makensis", ["-V2", "-WX", ...given, "setup.nsi"], { cwd: import.meta.dirname, env: { SOURCE_DATE_EPOCH: "0" } });
}
