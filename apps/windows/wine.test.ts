/**
 * Runs program and setup under wine with stand-ins for WebView2, Edge and the browser, which record
 * their calls. The behaviour of a real engine is not tested.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { run } from "../../scripts/native/run.ts";
import { COMPILER, compileProgram, packSetup, WARNINGS } from "./build.ts";
import { type Desktop, openDesktop } from "./testing/desktop.ts";

const ORIGIN = "https://arena.example";
const PROGRAM = "C:\\host\\Holo Arena.exe";
const RUNTIME_KEY =
  "HKEY_LOCAL_MACHINE\\Software\\Wow6432Node\\Microsoft\\EdgeUpdate\\ClientState\\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}";
const EDGE_KEY = "HKEY_LOCAL_MACHINE\\Software\\Microsoft\\Windows\\CurrentVersion\\App Paths\\msedge.exe";
const UNINSTALL_KEY = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\HoloArena";
/** The interval in which at most one address opens outside. */
const OUTSIDE_PAUSE = "pause 1200";

let builds = "";
let desktop: Desktop;

const inDrive = (...names: readonly string[]) => path.join(desktop.drive, ...names);
const inMemory = (...names: readonly string[]) => path.join(desktop.localData, "Holo Arena", ...names);
const readLines = (file: string) => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : []);
const readEngine = () => readLines(inDrive("runtime", "EBWebView", "x64", "engine.log"));
const readBrowser = () => readLines(inDrive("browser", "browser.exe.log"));
const readEdge = () => readLines(inDrive("edge", "msedge.exe.log"));

async function act(...lines: readonly string[]): Promise<readonly string[]> {
  writeScript(...lines, "close");
  expect((await desktop.run(PROGRAM)).code).toBe(0);
  const told = readEngine();
  expect(told.at(-1)).toBe("controller closed");
  return told;
}

function writeScript(...lines: readonly string[]) {
  writeFileSync(inDrive("runtime", "EBWebView", "x64", "engine.txt"), lines.map((line) => `${line}\n`).join(""));
}

/** Installs the stand-ins where the host looks for WebView2 and Edge. */
async function installEngines() {
  await desktop.register({ [EDGE_KEY]: { "": "C:\\edge\\msedge.exe" }, [RUNTIME_KEY]: { EBWebView: "C:\\runtime" } });
}

/** Waits for a program that continues after its parent has ended. */
async function until<Found>(look: () => Found | undefined | false): Promise<Found> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 100) {
    const found = look();
    if (found) return found;
    await sleep(100);
  }
  throw new Error("It did not come.");
}

beforeAll(async () => {
  builds = mkdtempSync(path.join(tmpdir(), "holo-wine-builds-"));
  const toBuild = (name: string) => path.join(builds, name);
  compileProgram({ origin: ORIGIN, version: "1.2.3" }, builds, toBuild("host.exe"));
  compileProgram({ origin: ORIGIN, version: "1.2.4" }, builds, toBuild("newer.exe"));
  packSetup("1.2.3", toBuild("host.exe"), toBuild("install.exe"));
  packSetup("1.2.4", toBuild("newer.exe"), toBuild("upgrade.exe"));
  const standIn = [...WARNINGS, "-O1", "-s", "-static"];
  const options = { cwd: path.join(import.meta.dirname, "testing") };
  run(COMPILER, [...standIn, "-mwindows", "recorder.c", "-o", toBuild("recorder.exe")], options);
  run(COMPILER, [...standIn, "-shared", "engine.c", "-o", toBuild("engine.dll"), "-lole32"], options);
  desktop = await openDesktop();
  for (const name of ["host", "browser", "edge", "runtime/EBWebView/x64"])
    mkdirSync(inDrive(name), { recursive: true });
  copyFileSync(toBuild("host.exe"), inDrive("host", "Holo Arena.exe"));
  for (const name of ["install.exe", "upgrade.exe"]) copyFileSync(toBuild(name), inDrive(name));
  copyFileSync(toBuild("recorder.exe"), inDrive("browser", "browser.exe"));
  copyFileSync(toBuild("recorder.exe"), inDrive("edge", "msedge.exe"));
  copyFileSync(toBuild("engine.dll"), inDrive("runtime", "EBWebView", "x64", "EmbeddedBrowserWebView.dll"));
  const opened = (scheme: string) => `HKEY_LOCAL_MACHINE\\Software\\Classes\\${scheme}\\shell\\open\\command`;
  const browser = { "": '"C:\\browser\\browser.exe" "%1"' };
  await desktop.register({ [opened("http")]: browser, [opened("https")]: browser, [opened("mailto")]: browser });
}, 600_000);

afterAll(async () => {
  await desktop?.stop();
  rmSync(builds, { recursive: true, force: true });
}, 120_000);

beforeEach(() => {
  for (const log of [
    ["runtime", "EBWebView", "x64", "engine.log"],
    ["browser", "browser.exe.log"],
    ["edge", "msedge.exe.log"],
  ]) {
    rmSync(inDrive(...log), { force: true });
  }
});

describe("the program on a machine without WebView2", () => {
  it("opens the default browser without Edge and names the host in the query", async () => {
    expect((await desktop.run(PROGRAM)).code).toBe(0);
    const [line] = await until(() => readBrowser().length > 0 && readBrowser());
    expect(line).toContain(`"${ORIGIN}/?native=windows&nativeVersion=1.2.3"`);
  });

  it("starts Edge as an app with its own profile", async () => {
    await desktop.register({ [EDGE_KEY]: { "": "C:\\edge\\msedge.exe" } });
    expect((await desktop.run(PROGRAM)).code).toBe(0);
    const [line = ""] = await until(() => readEdge().length > 0 && readEdge());
    expect(line).toContain(`--app=${ORIGIN}/?native=windows&nativeVersion=1.2.3 `);
    expect(line).toMatch(/ --user-data-dir="C:\\users\\[^"]+\\AppData\\Local\\Holo Arena\\Edge"/);
    expect(readBrowser()).toEqual([]);
  });

  it("also does so if the registered runtime is missing", async () => {
    await desktop.register({ [RUNTIME_KEY]: { EBWebView: "C:\\nowhere" } });
    expect((await desktop.run(PROGRAM)).code).toBe(0);
    await until(() => readEdge().length > 0);
  });

  it("also does so if the runtime cannot create a view", async () => {
    await installEngines();
    writeScript("refuse");
    expect((await desktop.run(PROGRAM)).code).toBe(0);
    await until(() => readEdge().length > 0);
    expect(readEngine()).not.toContain(`navigate ${ORIGIN}/`);
  });
});

describe("the view", () => {
  beforeAll(installEngines);

  it("keeps its profile in the user's folder, announces its version once, and exposes nothing to pages", async () => {
    const told = await act();
    expect(told[0]).toMatch(/^environment 1 0 C:\\users\\.+\\AppData\\Local\\Holo Arena\\WebView2 plain$/);
    expect(told).toContain("settings agent Mozilla/5.0 (stand-in) Edg/120.0 HoloNative/1.2.3 (windows)");
    // Messages, host objects, developer tools, status bar.
    for (const slot of [6, 16, 12, 10]) expect(told).toContain(`settings ${slot} 0`);
    expect(told).toContain(`navigate ${ORIGIN}/`);
    expect(told.filter((line) => line.startsWith("unexpected"))).toEqual([]);
  });

  it("fills the window and follows its size", async () => {
    const told = await act("move 40 50 900 700", "tell");
    const sizes = told.filter((line) => line.startsWith("controller bounds"));
    expect(sizes.at(-1)).not.toBe(sizes[0]);
    expect(told).toContain("window 40 50 940 750 normal shown");
  });

  it("opens our origin and the checkout, opens other sites outside, and ignores the rest", async () => {
    const told = await act(
      `source ${ORIGIN}/`,
      `starting ${ORIGIN}/game/12`,
      "starting https://checkout.paystack.com/abc",
      `starting ${ORIGIN}.evil/`,
      OUTSIDE_PAUSE,
      "starting mailto:support@arena.example",
      OUTSIDE_PAUSE,
      `starting ${ORIGIN}@evil.example/`,
      `starting ${ORIGIN}:80801/`,
      "starting javascript:alert(1)",
      "starting file:///C:/Windows/win.ini",
      "starting intent://x",
      "starting ms-settings:privacy",
      "starting data:text/html,hello",
      "starting about:blank",
      "pause 500",
    );
    const allowed = told.filter((line) => /^starting .* allowed$/.test(line));
    expect(allowed).toEqual([
      `starting ${ORIGIN}/game/12 allowed`,
      "starting https://checkout.paystack.com/abc allowed",
    ]);
    await until(() => readBrowser().length === 2);
    expect(readBrowser().map((line) => line.split('" "')[1])).toEqual([
      `${ORIGIN}.evil/"`,
      'mailto:support@arena.example"',
    ]);
  });

  it("limits windows that a page opens", async () => {
    await act("storm https://evil.example/", "pause 500");
    await until(() => readBrowser().length > 0);
    await sleep(4000);
    // At most one a second, of ten requests.
    expect(readBrowser().length).toBeLessThan(10);
  });

  it("opens no second window: our pages use the first, others open outside", async () => {
    const told = await act(
      `new-window ${ORIGIN}/downloads/holo-arena-1.2.4-setup.exe`,
      "new-window ms-calc:",
      "new-window javascript:alert(1)",
      "new-window https://wa.me/234",
      "pause 500",
    );
    expect(told.filter((line) => line.startsWith("new-window"))).toHaveLength(4);
    expect(told.filter((line) => line.endsWith("left to the engine"))).toEqual([]);
    expect(told).toContain(`navigate ${ORIGIN}/downloads/holo-arena-1.2.4-setup.exe`);
    await until(() => readBrowser().length > 0);
    expect(readBrowser().join()).toContain("https://wa.me/234");
  });

  it("starts no program for frames or schemes, and grants only notifications", async () => {
    const told = await act(
      "frame https://acs.bank.example/3ds",
      "frame ms-settings:",
      "frame intent://x",
      "launching mailto:a@b.example",
      `permission 4 ${ORIGIN}/`,
      `permission 2 ${ORIGIN}/`,
      "permission 4 https://checkout.paystack.com/",
    );
    expect(told).toEqual(
      expect.arrayContaining([
        "frame https://acs.bank.example/3ds allowed",
        "frame ms-settings: cancelled",
        "frame intent://x cancelled",
        "launching mailto:a@b.example cancelled",
        `permission 4 ${ORIGIN}/ left to the player`,
        `permission 2 ${ORIGIN}/ denied`,
        "permission 4 https://checkout.paystack.com/ denied",
      ]),
    );
    expect(readBrowser()).toEqual([]);
  });

  it("follows a payment over the bank's pages, shows their host, and returns to the wallet", async () => {
    const told = await act(
      "source https://checkout.paystack.com/abc",
      "titled Pay",
      "tell",
      "starting https://acs.bank.example/3ds",
      "starting http://acs.bank.example/3ds",
      "source https://acs.bank.example/3ds",
      "starting https://standard.paystack.co/close",
      "pause 300",
    );
    expect(told).toContain("title checkout.paystack.com - Holo Arena");
    expect(told).toContain("starting https://acs.bank.example/3ds allowed");
    expect(told).toContain("starting http://acs.bank.example/3ds cancelled");
    expect(told).toContain("starting https://standard.paystack.co/close cancelled");
    expect(told).toContain(`navigate ${ORIGIN}/wallet`);
    // Only our pages are asked.
    expect(told.filter((line) => line.startsWith("script"))).toEqual([]);
  });

  it("shows our error page with a retry link after a failure, and accepts no other such page", async () => {
    const told = await act(
      `source ${ORIGIN}/`,
      `starting ${ORIGIN}/game/12`,
      "completed 14",
      "completed 9",
      "completed 11",
      "starting data:text/html;charset=utf-8;base64,AAAA",
      "starting data:text/html;charset=utf-8;base64,BBBB",
      "completed 2",
      "starting data:text/html;charset=utf-8;base64,CCCC",
      "died 1",
    );
    const pages = told.filter((line) => line.startsWith("page"));
    expect(pages.map((page) => /<h1>(.*?)<\/h1>/.exec(page)?.[1])).toEqual([
      "We can't reach Holo Arena",
      "This connection is not safe",
      "The page stopped",
    ]);
    for (const page of pages) expect(page).toContain(`href="${ORIGIN}/game/12"`);
    expect(told.filter((line) => line.endsWith("AAAA allowed") || line.endsWith("CCCC allowed"))).toHaveLength(2);
    expect(told).toContain("starting data:text/html;charset=utf-8;base64,BBBB cancelled");
  });

  it("falls back to Edge if the engine crashes repeatedly", async () => {
    writeScript("died 0");
    expect((await desktop.run(PROGRAM)).code).toBe(0);
    await until(() => readEdge().length > 0);
  });
});

describe("the window", () => {
  beforeAll(installEngines);

  it("has the page's title and theme, and starts with the last theme", async () => {
    rmSync(inMemory("window.ini"), { force: true });
    const [night, day] = [0x182006ff, 0xe8f1f3ff | 0];
    const first = await act(`source ${ORIGIN}/`, "theme day", "titled Lobby - Holo Arena", "tell");
    expect(first).toContain(`controller 27 ${night}`);
    expect(first).toContain("title Lobby - Holo Arena");
    const second = await act(`source ${ORIGIN}/`, "completed 11", "theme night", "titled Lobby");
    expect(second).toContain(`controller 27 ${day}`);
    expect(second.find((line) => line.startsWith("page"))).toContain("color-scheme:light");
    expect(await act()).toContain(`controller 27 ${night}`);
  });

  it("reopens at its last position", async () => {
    await act("move 60 70 800 640");
    expect(await act("tell")).toContain("window 60 70 860 710 normal shown");
  });

  it("reopens maximised and keeps its normal position", async () => {
    await act("move 60 70 800 640", "show 3", "pause 300");
    const told = await act("pause 300", "tell", "show 9", "pause 300", "tell");
    const states = told.filter((line) => line.startsWith("window"));
    expect(states[0]).toMatch(/maximised shown$/);
    expect(states[1]).toBe("window 60 70 860 710 normal shown");
  });

  it("moves onto a screen from a missing monitor or an invalid file", async () => {
    const write = (lines: readonly string[]) =>
      writeFileSync(inMemory("window.ini"), `[window]\r\n${lines.join("\r\n")}\r\n`);
    write(["left=5000", "top=-3000", "right=5800", "bottom=-2360"]);
    expect(await act("tell")).toContain("window 496 0 1296 640 normal shown");
    write(["left=junk", "top=99999999999", "right=-1", "bottom=", "maximised=7", "day=x"]);
    expect(await act("tell")).toContain("window 0 82 1280 942 normal shown");
  });

  it("has one instance: a second start activates it and ends", async () => {
    writeScript("show 6", "await-restored", "tell", "close");
    const first = desktop.run(PROGRAM);
    await until(() => readEngine().includes("controller 4 0"));
    expect((await desktop.run(PROGRAM)).code).toBe(0);
    expect((await first).code).toBe(0);
    expect(readEngine().filter((line) => line.startsWith("environment 1"))).toHaveLength(1);
    expect(readEngine().find((line) => line.startsWith("window"))).toMatch(/normal shown$/);
  });
});

describe("the setup program", () => {
  beforeAll(installEngines);

  const inInstalled = (name: string) => path.join(desktop.localData, "Programs", "Holo Arena", name);
  const findShortcut = () =>
    path.join(desktop.localData, "..", "Roaming", "Microsoft", "Windows", "Start Menu", "Programs", "Holo Arena.lnk");
  const query = async () => (await desktop.run("reg.exe", "query", UNINSTALL_KEY)).output;

  it("installs for one user without questions and registers with Windows", async () => {
    expect((await desktop.run("C:\\install.exe", "/S")).code).toBe(0);
    expect(readFileSync(inInstalled("Holo Arena.exe"))).toEqual(readFileSync(path.join(builds, "host.exe")));
    expect(existsSync(inInstalled("Uninstall.exe"))).toBe(true);
    expect(statSync(findShortcut()).size).toBeGreaterThan(0);
    expect(await query()).toMatch(/DisplayVersion\s+REG_SZ\s+1\.2\.3/);
  });

  it("installs over a running host after asking it to close", async () => {
    writeScript(`source ${ORIGIN}/`);
    const running = desktop.run(inInstalledPath("Holo Arena.exe"));
    await until(() => readEngine().includes(`navigate ${ORIGIN}/`));
    expect((await desktop.run("C:\\upgrade.exe", "/S")).code).toBe(0);
    expect((await running).code).toBe(0);
    expect(readEngine()).toContain("controller closed");
    expect(readFileSync(inInstalled("Holo Arena.exe"))).toEqual(readFileSync(path.join(builds, "newer.exe")));
    expect(await query()).toMatch(/DisplayVersion\s+REG_SZ\s+1\.2\.4/);
  });

  it("changes nothing and reports it if the program does not close", async () => {
    // A program without a window that runs for twenty seconds.
    copyFileSync(inDrive("windows", "system32", "ping.exe"), inInstalled("Holo Arena.exe"));
    const busy = desktop.run(inInstalledPath("Holo Arena.exe"), "-n", "20", "127.0.0.1");
    const upgrade = await desktop.run("C:\\upgrade.exe", "/S");
    expect(upgrade.code).toBe(3);
    expect(readFileSync(inInstalled("Holo Arena.exe"))).toEqual(
      readFileSync(inDrive("windows", "system32", "ping.exe")),
    );
    expect((await busy).code).toBe(0);
  });

  it("uninstalls everything except the player's session", async () => {
    expect(existsSync(inMemory("window.ini"))).toBe(true);
    // Without _? it continues as a copy and cannot be waited for.
    expect((await desktop.run(inInstalledPath("Uninstall.exe"), "/S")).code).toBe(0);
    await until(() => !existsSync(inInstalled("Uninstall.exe")) && !existsSync(inInstalled("")));
    expect(existsSync(findShortcut())).toBe(false);
    expect(await query()).not.toContain("DisplayVersion");
    expect(existsSync(inMemory("window.ini"))).toBe(true);
  });

  function inInstalledPath(name: string): string {
    return `C:\\${path.relative(desktop.drive, inInstalled(name)).replaceAll("/", "\\")}`;
  }
});
