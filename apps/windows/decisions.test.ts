import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../scripts/native/run.ts";
import { WARNINGS } from "./build.ts";

const OURS = "https://arena.example";
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "holo-decisions-"));
  const pure = ["address", "place", "trouble"].map((name) => path.join("src", `${name}.c`));
  // Buffer and integer overflows abort the program here.
  const watched = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
  const words = [...WARNINGS, ...watched, "testing/ask.c", ...pure, "-o", path.join(folder, "ask")];
  run("gcc", words, { cwd: import.meta.dirname });
});

afterAll(() => rmSync(folder, { recursive: true }));

function ask(...words: readonly (string | number)[]): string {
  const { stdout, stderr, status } = spawnSync(path.join(folder, "ask"), {
    input: `${words.join("\t")}\n`,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trimEnd();
}

describe("an address", () => {
  it.each([
    OURS,
    `${OURS}/`,
    `${OURS}/game/12?x=1#y`,
    `${OURS}?x`,
    `${OURS}#x`,
    `${OURS}:443/`,
    `${OURS}:/`,
    "HTTPS://ARENA.EXAMPLE/Game",
    "https://checkout.paystack.com/abc123",
    "https://standard.paystack.co/charge/1",
  ])("of our site or the checkout stays inside: %s", (address) => {
    expect(ask("decide", OURS, address)).toBe("inside");
  });

  it.each([
    `${OURS}.evil/`,
    `${OURS}./`,
    "https://xarena.example/",
    "https://www.arena.example/",
    "https://arena-example/",
    "https://arena_example/",
    "https://evil.example/arena.example",
    `https://evil.example/?${OURS}`,
    `https://evil.example#@arena.example/`,
    `${OURS}:444/`,
    `${OURS}:8080/`,
    "http://arena.example/",
    "http://arena.example:443/",
    "http://checkout.paystack.com/",
    "https://checkout.paystack.com:8443/",
    "https://checkout.paystack.com.evil.example/",
    "https://paystack.com/",
    "https://[::1]/",
    "https://wa.me/2348000000000",
    "mailto:support@arena.example?subject=Hello",
    "MAILTO:a@b.example",
  ])("of another site opens in the system's browser: %s", (address) => {
    expect(ask("decide", OURS, address)).toBe("outside");
  });

  it.each([
    "",
    " ",
    `${OURS}@evil.example/`,
    `${OURS}:443@evil.example/`,
    "https://ada:secret@arena.example/",
    `${OURS}:80801/`,
    `${OURS}:65536/`,
    `${OURS}:0/`,
    `${OURS}:44x/`,
    `${OURS}:-1/`,
    `${OURS}:4 43/`,
    `${OURS}\\@evil.example/`,
    "https:\\\\arena.example/",
    "https:/arena.example/",
    "https:arena.example/",
    "https://",
    "https:///arena.example/",
    "https://.arena.example/",
    "https://arena%2eexample/",
    "https://arena.example%00.evil/",
    "https://аrena.example/",
    "https://[::1/",
    "https://[arena.example]/",
    ` ${OURS}/`,
    `${OURS}/a b`,
    `${OURS}/"onload`,
    `https://${"a".repeat(254)}/`,
    `${OURS}/${"a".repeat(4096)}`,
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "file:///C:/Windows/win.ini",
    "intent://arena.example#Intent;end",
    "ms-settings:privacy",
    "ms-word:ofe|u|https://evil.example/x.docx",
    "search-ms:query=x",
    "data:text/html,hello",
    "blob:https://arena.example/1",
    "about:blank",
    "view-source:https://arena.example/",
    "edge://settings",
    "ftp://arena.example/",
    "ws://arena.example/",
    "httpsx://arena.example/",
    "mailto:",
    'mailto:a@b.example" --evil',
    "//arena.example/",
    "/lobby",
  ])("that is neither is ignored: %j", (address) => {
    expect(ask("decide", OURS, address)).toBe("dropped");
  });

  it("of a development build is compared the same way", () => {
    const ours = "http://localhost:3000";
    expect(ask("decide", ours, "http://localhost:3000/x")).toBe("inside");
    expect(ask("decide", ours, "http://localhost:30000/x")).toBe("outside");
    expect(ask("decide", ours, "http://localhost/x")).toBe("outside");
    expect(ask("decide", ours, "https://localhost:3000/x")).toBe("outside");
    expect(ask("decide", "http://arena.example", "http://arena.example:80/")).toBe("inside");
  });
});

describe("a payment", () => {
  it("stays inside on https pages after the checkout only", () => {
    expect(ask("decide", OURS, "https://acs.bank.example/3ds", "away")).toBe("inside");
    expect(ask("decide", OURS, "http://acs.bank.example/3ds", "away")).toBe("outside");
    expect(ask("decide", OURS, "ms-settings:", "away")).toBe("dropped");
    expect(ask("decide", OURS, "https://acs.bank.example/3ds")).toBe("outside");
  });

  it("begins and ends with the shown page's origin", () => {
    expect(ask("away", OURS, "https://checkout.paystack.com/abc")).toBe("yes");
    expect(ask("away", OURS, `${OURS}/wallet`)).toBe("no");
    expect(ask("away", OURS, "about:blank")).toBe("no");
    expect(ask("away", OURS, "")).toBe("no");
  });

  it("ends at the provider's final address only", () => {
    expect(ask("end", "https://standard.paystack.co/close")).toBe("yes");
    expect(ask("end", "https://standard.paystack.co/close?x")).toBe("no");
    expect(ask("end", "https://standard.paystack.co.evil/close")).toBe("no");
  });

  it("can be retried at the checkout, not on a bank's page", () => {
    expect(ask("checkout", "https://checkout.paystack.com/abc")).toBe("yes");
    expect(ask("checkout", "https://acs.bank.example/3ds")).toBe("no");
  });
});

describe("a frame", () => {
  it.each(["https://acs.bank.example/", "about:srcdoc", "about:blank", "blob:https://a.example/1", "data:text/html,x"])(
    "may show %s",
    (address) => expect(ask("frame", address)).toBe("yes"),
  );

  it.each(["ms-settings:", "intent://x", "file:///C:/", "javascript:alert(1)", "mailto:a@b.example", "https", ""])(
    "may not go to %j",
    (address) => expect(ask("frame", address)).toBe("no"),
  );
});

describe("a download", () => {
  it("is an address below /downloads/ on our origin", () => {
    expect(ask("download", OURS, `${OURS}/downloads/holo-arena-1.2.3-setup.exe`)).toBe("yes");
    for (const other of [`${OURS}/`, OURS, `${OURS}/download`, `${OURS}/x/downloads/`, `${OURS}?/downloads/`]) {
      expect(ask("download", OURS, other)).toBe("no");
    }
    expect(ask("download", OURS, "https://evil.example/downloads/x")).toBe("no");
  });
});

describe("the window position", () => {
  const WORK = [0, 0, 1920, 1040] as const;

  it("is kept while it is visible", () => {
    expect(ask("clamp", 100, 100, 900, 700, ...WORK)).toBe("100 100 900 700");
    expect(ask("clamp", -7, 0, 967, 1047, ...WORK)).toBe("-7 0 967 1047");
  });

  it("moves from a missing monitor and shrinks to a smaller one", () => {
    expect(ask("clamp", 2000, 50, 3200, 900, ...WORK)).toBe("736 50 1936 900");
    expect(ask("clamp", -900, -50, -100, 600, ...WORK)).toBe("-16 0 784 650");
    expect(ask("clamp", -500, -500, 5000, 5000, ...WORK)).toBe("-16 0 1936 1056");
    expect(ask("clamp", 0, 0, 800, 600, -1280, 100, 0, 1100)).toBe("-784 100 16 700");
  });

  it("is centred at the first start, as large as the monitor allows", () => {
    expect(ask("first", ...WORK, 96)).toBe("320 90 1600 950");
    expect(ask("first", 0, 0, 3840, 2080, 192)).toBe("640 180 3200 1900");
    expect(ask("first", 0, 0, 1024, 700, 96)).toBe("0 0 1024 700");
  });

  it("is discarded if its numbers are invalid", () => {
    expect(ask("sound", 0, 0, 800, 600)).toBe("yes");
    for (const place of [
      [0, 0, 0, 0],
      [0, 0, 100, 600],
      [800, 600, 0, 0],
      [0, 0, 2147483647, 600],
      [-2147483648, 0, 800, 600],
    ]) {
      expect(ask("sound", ...place)).toBe("no");
    }
  });
});

describe("a failed navigation", () => {
  it.each([
    [1, "unsafe"],
    [5, "unsafe"],
    [6, "unreachable"],
    [7, "unreachable"],
    [10, "unreachable"],
    [11, "unreachable"],
    [12, "unreachable"],
    [13, "unreachable"],
    [16, "unreachable"],
  ])("with status %i shows our error page: %s", (status, what) => expect(ask("status", status)).toBe(what));

  it.each([[0], [9], [14], [17], [18]])("with status %i leaves the current page", (status) => {
    expect(ask("status", status)).toBe("none");
  });

  const [UNREACHABLE, UNSAFE, STOPPED, WHOLE] = [1, 2, 3, 32768];

  it("shows the error and a link to retry", () => {
    const page = ask("page", UNREACHABLE, 0, `${OURS}/game/12`, WHOLE);
    expect(page).toContain("We can't reach Holo Arena");
    expect(page).toContain(`<a href="${OURS}/game/12" autofocus>Try again</a>`);
    expect(ask("page", UNSAFE, 0, OURS, WHOLE)).toContain("This connection is not safe");
    expect(ask("page", STOPPED, 0, OURS, WHOLE)).toContain("The page stopped");
  });

  it("supports both themes", () => {
    expect(ask("page", UNREACHABLE, 0, OURS, WHOLE)).toContain("color-scheme:dark");
    expect(ask("page", UNREACHABLE, 1, OURS, WHOLE)).toContain("color-scheme:light");
  });

  it("escapes the address", () => {
    const page = ask("page", UNREACHABLE, 0, `${OURS}/?a=1&b="><script>alert(1)</script>`, WHOLE);
    expect(page).toContain(`href="${OURS}/?a=1&amp;b=&quot;>&lt;script>alert(1)&lt;/script>"`);
  });

  it("is never truncated", () => {
    const { length } = ask("page", UNREACHABLE, 0, OURS, WHOLE);
    expect(ask("page", UNREACHABLE, 0, OURS, length)).toBe("too long");
    expect(ask("page", UNREACHABLE, 0, OURS, length + 1)).toHaveLength(length);
    expect(ask("page", UNREACHABLE, 0, `${OURS}/${"&".repeat(4000)}`, WHOLE)).toContain("&amp;&amp;");
  });
});
