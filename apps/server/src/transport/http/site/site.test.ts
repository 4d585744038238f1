import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDiskFiles } from "../../../platform/files/disk-files.ts";
import { openLog } from "../../../platform/log.ts";
import { loadSite } from "./site.ts";

const PAGE = "<!doctype html><title>Holo Arena</title>";
const SCRIPT = "document.title = 'Holo';".repeat(50);

const AHEAD = { "/matches": ["assets/matches-1.js", "assets/matches-2.css"], "/game/:gameId": ["assets/game-3.js"] };

let parent: string;
let folder: string;
let app: Hono;

beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), "holo-site-"));
  folder = path.join(parent, "build");
  await mkdir(path.join(folder, "assets"), { recursive: true });
  await writeFile(path.join(folder, "index.html"), PAGE);
  await writeFile(path.join(folder, "assets/main-3f9a1b2c.js"), SCRIPT);
  await writeFile(path.join(folder, "assets/main-3f9a1b2c.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(path.join(folder, "assets/main-3f9a1b2c.js.gz"), gzipSync(SCRIPT));
  await writeFile(path.join(folder, "favicon.svg"), "<svg/>");
  await writeFile(path.join(folder, "app.webmanifest"), "{}");
  await writeFile(path.join(folder, "ahead.json"), JSON.stringify(AHEAD));
  await mkdir(path.join(folder, "icons"));
  await writeFile(path.join(folder, "icons/icon-192.png"), "png");
  await writeFile(path.join(parent, "holo-outside.txt"), "not for you");
  const site = await loadSite(folder, { hasWorker: true });
  app = new Hono();
  app.get("*", (context) => site.serve(context));
});

afterAll(() => rm(parent, { recursive: true }));

const get = (url: string, headers: Record<string, string> = {}) => app.request(url, { headers });

describe("a hashed asset", () => {
  test("is sent from the same memory to every client", async () => {
    const readFirst = async () => (await get("/assets/main-3f9a1b2c.js")).body?.getReader().read();
    const [one, other] = [await readFirst(), await readFirst()];
    expect(one?.value?.byteLength).toBe(SCRIPT.length);
    expect(other?.value?.buffer).toBe(one?.value?.buffer);
  });

  test("is cached forever", async () => {
    const answer = await get("/assets/main-3f9a1b2c.js");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await answer.text()).toBe(SCRIPT);
  });

  test.each([
    ["gzip, deflate, br", "br"],
    ["gzip;q=1.0, br;q=0.5", "br"],
    ["br;q=0, gzip", "gzip"],
    ["GZIP", "gzip"],
    ["deflate", null],
    ["gzip;q=0", null],
    ["", null],
  ])("is sent for '%s' as %s", async (accepted, coding) => {
    const answer = await get("/assets/main-3f9a1b2c.js", { "accept-encoding": accepted });
    expect(answer.headers.get("content-encoding")).toBe(coding);
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    const body = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get("content-length")).toBe(String(body.length));
    if (coding === "br") expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
    else expect((coding === "gzip" ? gunzipSync(body) : body).toString()).toBe(SCRIPT);
  });
});

test.each([
  ["/app.webmanifest", "application/manifest+json"],
  ["/icons/icon-192.png", "image/png"],
  ["/favicon.svg", "image/svg+xml"],
])("%s is sent as %s", async (url, type) => {
  expect((await get(url)).headers.get("content-type")).toBe(type);
});

test("revalidates other files and does not resend an unchanged one", async () => {
  for (const url of ["/", "/favicon.svg", "/app.webmanifest", "/icons/icon-192.png"]) {
    const answer = await get(url);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    const again = await get(url, { "if-none-match": answer.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  }
});

test.each(["/", "/login", "/matches", "/game/4bc73ade-55e3-44bc-9d7f-03c22ad9c8b6", "/matches?search=x"])(
  "%s is a screen of the page",
  async (url) => {
    const answer = await get(url);
    expect([answer.status, await answer.text()]).toEqual([200, PAGE]);
  },
);

test("a screen with an outline has a page of its own, which is served nowhere else [SITE-11]", async () => {
  const built = await mkdtemp(path.join(tmpdir(), "holo-site-"));
  await mkdir(path.join(built, "pages/game"), { recursive: true });
  const pages = { "index.html": "frame", "pages/home.html": "home", "pages/game/gameId.html": "<head></head>table" };
  for (const [name, content] of Object.entries(pages)) await writeFile(path.join(built, name), content);
  const site = await loadSite(built, { hasWorker: true });
  await rm(built, { recursive: true });
  const ask = (url: string) => new Hono().get("*", (context) => site.serve(context, async () => "<tags>")).request(url);
  const read = async (url: string) => await (await ask(url)).text();

  expect(await read("/")).toBe("home");
  expect(await read("/game/4bc73ade-55e3-44bc-9d7f-03c22ad9c8b6")).toBe("<head><tags></head>table");
  for (const url of ["/index.html", "/wallet", "/nowhere"]) expect(await read(url), url).toBe("frame");
  for (const url of ["/pages/home.html", "/pages/game/gameId.html"]) {
    const answer = await ask(url);
    expect([answer.status, await answer.text()], url).toEqual([404, "frame"]);
  }
});

test.each([
  "/nothing",
  "/game",
  "/game/1",
  "/assets/gone-1234.js",
  "/login/x",
  "/index.html.br",
  "/%2e%2e/holo-outside.txt",
  "/..%2fholo-outside.txt",
])("%s is answered with the page and 404 [SITE-02]", async (url) => {
  const answer = await get(url);
  expect([answer.status, await answer.text()]).toEqual([404, PAGE]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

test("Each screen of the specification has its address and is shown at that address [SITE-01 §2]", async () => {
  const routes = await readFile(new URL("../../../../../web/src/app/routing/routes.tsx", import.meta.url), "utf8");
  const paths = [...routes.matchAll(/path: "([^"]+)"/g)].map(([, found]) =>
    found!
      .replace(/:(?:gameId|id)/, randomUUID())
      .replace(":token", "x".repeat(43))
      .replace(":name", "ada_1"),
  );
  expect(paths.length).toBeGreaterThan(5);
  for (const page of paths) {
    expect((await get(page)).status, page).toBe(200);
    expect((await get(page === "/" ? page : `${page}/`)).status, page).toBe(200);
  }
  expect((await get("/nowhere")).status).toBe(404);
});

const GAME_LINK = "</assets/game-3.js>; rel=modulepreload; crossorigin";
test.each([
  [
    "/matches",
    "</assets/matches-1.js>; rel=modulepreload; crossorigin, </assets/matches-2.css>; rel=preload; as=style; crossorigin",
  ],
  ["/game/4bc73ade-55e3-44bc-9d7f-03c22ad9c8b6", GAME_LINK],
  ["/game/4bc73ade-55e3-44bc-9d7f-03c22ad9c8b6/", GAME_LINK],
  ["/login", null],
  ["/nowhere", null],
])("%s names its chunks in a Link header, also for a cached page", async (url, link) => {
  const answer = await get(url);
  expect(answer.headers.get("link")).toBe(link);
  const again = await get(url, { "if-none-match": answer.headers.get("etag") ?? "" });
  expect(again.headers.get("link")).toBe(link);
});

describe("tags for a shared link", () => {
  const GAME = "/game/4bc73ade-55e3-44bc-9d7f-03c22ad9c8b6";
  const HEAD = "<!doctype html><head><title>Holo Arena</title></head>";
  const TAGS = '<meta property="og:title" content="$& ada">';
  let site: Awaited<ReturnType<typeof loadSite>>;
  beforeAll(async () => {
    const built = await mkdtemp(path.join(tmpdir(), "holo-site-"));
    await writeFile(path.join(built, "index.html"), HEAD);
    site = await loadSite(built, { hasWorker: true });
    await rm(built, { recursive: true });
  });
  const ask = (url: string, headers: Record<string, string> = {}, tags: string | null = TAGS) => {
    const shared = new Hono();
    shared.get("*", (context) => site.serve(context, async () => tags));
    return shared.request(url, { headers });
  };

  // [MATCH-25 §2 r42] A shared link of an invitation or a game has a preview with title, description and picture. A
  // finished game offers 'Share'.
  test("stand in the head of a game and of an invitation, and of no other page [MATCH-25]", async () => {
    const withTags = HEAD.replace("</head>", () => `${TAGS}</head>`);
    for (const url of [GAME, `/invite/${"x".repeat(43)}`]) expect(await (await ask(url)).text()).toBe(withTags);
    for (const url of ["/", "/matches", "/invite/x"]) expect(await (await ask(url)).text()).toBe(HEAD);
    expect(await (await ask(GAME, {}, null)).text()).toBe(HEAD);
  });

  test("are compressed and revalidated like the page", async () => {
    const answer = await ask(GAME, { "accept-encoding": "gzip, br" });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()).toContain(TAGS);
    const known = { "accept-encoding": "gzip, br", "if-none-match": answer.headers.get("etag") ?? "" };
    expect((await ask(GAME, known)).status).toBe(304);
    expect((await ask(GAME, known, "<meta>")).status).toBe(200);
  });
});

test("does not serve the list of chunks", async () => {
  expect((await get("/ahead.json")).status).toBe(404);
});

describe("the service worker", () => {
  const BUILT = "self.addEventListener('fetch', () => undefined);";
  const REMOVER = "self.registration.unregister();";

  async function ask(files: Readonly<Record<string, string>>, hasWorker: boolean): Promise<Response> {
    const built = await mkdtemp(path.join(tmpdir(), "holo-site-"));
    for (const [name, content] of Object.entries({ "index.html": PAGE, ...files }))
      await writeFile(path.join(built, name), content);
    const site = await loadSite(built, { hasWorker });
    await rm(built, { recursive: true });
    return await new Hono().get("*", (context) => site.serve(context)).request("/sw.js");
  }

  test("is revalidated each time", async () => {
    const answer = await ask({ "sw.js": BUILT, "sw-off.js": REMOVER }, true);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await answer.text()).toBe(BUILT);
  });

  test("removes itself if it is disabled or the build has none", async () => {
    expect(await (await ask({ "sw.js": BUILT, "sw-off.js": REMOVER }, false)).text()).toBe(REMOVER);
    expect(await (await ask({ "sw-off.js": REMOVER }, true)).text()).toBe(REMOVER);
  });
});

// [SITE-08 §2] A page that is open during a release continues to work with the files of its own build.
test("serves the hashed files of an earlier or another server's build, and no other path of it [SITE-08 SERVERS-21]", async () => {
  const store = await mkdtemp(path.join(tmpdir(), "holo-site-store-"));
  const kept = { files: openDiskFiles(store), time: { monotonicMs: () => 0 }, log: openLog("silent") };
  await (await loadSite(folder, { hasWorker: true, kept })).kept;
  const next = await mkdtemp(path.join(tmpdir(), "holo-site-"));
  await mkdir(path.join(next, "assets"));
  await writeFile(path.join(next, "index.html"), "the next page");
  await writeFile(path.join(next, "assets/main-00000002.js"), "2");
  const site = await loadSite(next, { hasWorker: true, kept });
  const released = new Hono().get("*", (context) => site.serve(context));

  const part = await released.request("/assets/main-3f9a1b2c.js", { headers: { "accept-encoding": "br" } });
  expect(part.status).toBe(200);
  expect(part.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(part.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(brotliDecompressSync(Buffer.from(await part.arrayBuffer())).toString()).toBe(SCRIPT);
  expect(await (await released.request("/")).text()).toBe("the next page");
  expect(await (await released.request("/assets/main-00000002.js")).text()).toBe("2");
  for (const gone of ["/favicon.svg", "/icons/icon-192.png", "/assets/gone-1234abcd.js"])
    expect((await released.request(gone)).status, gone).toBe(404);
  await site.kept;
  for (const made of [store, next]) await rm(made, { recursive: true });
});

test("serves no page without a build", async () => {
  const empty = await loadSite(path.join(folder, "nowhere"), { hasWorker: true });
  const bare = new Hono().get("*", (context) => empty.serve(context));
  expect((await bare.request("/")).status).toBe(404);
});
