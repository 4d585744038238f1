import { describe, expect, it } from "vitest";
import {
  choosePage,
  decideHandling,
  isOfBuild,
  isPageAnswer,
  listOldCaches,
  mayTakeOver,
  toCacheName,
  toNoticePath,
  toPushed,
  toRoutes,
} from "./worker-decisions.ts";

const ORIGIN = "https://play.example.com";
const CACHED = new Set(["/assets/index-1a2b.js", "/assets/home-3c4d.css"]);

function handle(path: string, { method = "GET", mode = "cors" } = {}) {
  return decideHandling({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN, CACHED);
}

describe("the service worker answers", () => {
  it.each([
    "/",
    "/matches",
    "/game/4bc73ade-55e3-44bc-9d7f-03c22ad9c8b6",
    "/wallet?deposit=1",
    "/admin/revenue",
    "/apiary",
  ])("a navigation to %s", (path) => {
    expect(handle(path, { mode: "navigate" })).toBe("page");
  });

  it.each([
    "/api/session",
    "/api/statement.csv",
    "/api",
    "/socket",
    "/downloads/windows",
    "/downloads/holo-arena.apk",
    "/metrics",
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/sw.js",
    "/robots.txt",
    "/app.webmanifest",
    "/icons/icon-192.png",
    "/assets/index-1a2b.js",
    "https://checkout.example.com/",
    "https://play.example.com:8443/",
  ])("never a navigation to %s", (path) => {
    expect(handle(path, { mode: "navigate" })).toBe("none");
  });

  it("a file of its own build, and no other", () => {
    expect(handle("/assets/index-1a2b.js")).toBe("cached");
    expect(handle("/assets/home-3c4d.css", { mode: "no-cors" })).toBe("cached");
    for (const path of [
      "/assets/index-9z9z.js",
      "/assets/",
      "/favicon.svg",
      "https://cdn.example.com/assets/index-1a2b.js",
    ])
      expect(handle(path), path).toBe("none");
  });

  it("no request of the page to the server, in any mode", () => {
    for (const path of ["/api/session", "/api/matches?mine=true", "/socket", "/downloads/windows", "/metrics", "/"])
      for (const mode of ["cors", "same-origin", "no-cors"]) expect(handle(path, { mode }), path).toBe("none");
  });

  it("no other method than GET", () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "HEAD"]) {
      expect(handle("/", { method, mode: "navigate" }), method).toBe("none");
      expect(handle("/assets/index-1a2b.js", { method }), method).toBe("none");
    }
  });

  it("with the server's own answer, even a refusal, but not with a proxy's from 502 on", () => {
    for (const status of [200, 304, 404, 429, 500]) expect(isPageAnswer(status), String(status)).toBe(true);
    // Cloudflare has 520 to 530 where the server does not answer it.
    for (const status of [502, 503, 504, 520, 522, 530]) expect(isPageAnswer(status), String(status)).toBe(false);
  });
});

it("starts for navigations only, where the browser has static routing", () => {
  const [first, ...others] = toRoutes("new");
  expect(first).toEqual({ condition: { requestMode: "navigate" }, source: "fetch-event" });
  expect(others.map(({ source }) => source)).toEqual([{ cacheName: toCacheName("new") }, "network"]);
});

describe("a pressed notice", () => {
  const table = "/game/4bc73ade-55e3-44bc-9d7f-03c22ad9c8b6";
  const pages = [{ path: "/wallet" }, { path: table }];

  it("focuses the page of its table, else any page, else opens one [PROF-08]", () => {
    expect(choosePage(pages, table)).toBe(pages[1]);
    expect(choosePage(pages.slice(0, 1), table)).toBe(pages[0]);
    expect(choosePage([], table)).toBeNull();
  });

  it("leads nowhere else than to a path of this site", () => {
    expect(toNoticePath({ path: table })).toBe(table);
    for (const data of [null, undefined, "x", {}, { path: 1 }, { path: "//elsewhere.example" }, { path: "https://x" }])
      expect(toNoticePath(data)).toBeNull();
  });
});

describe("a newer service worker", () => {
  const table = "/game/4bc73ade-55e3-44bc-9d7f-03c22ad9c8b6";

  it("waits while any page is at a table, or does not say where it is", () => {
    expect(mayTakeOver(["/", table])).toBe(false);
    expect(mayTakeOver(["/", null])).toBe(false);
  });

  it("takes over where no page is at a table", () => {
    expect(mayTakeOver([])).toBe(true);
    expect(mayTakeOver(["/", "/matches", "/login"])).toBe(true);
  });

  it("deletes the caches of other builds, and no foreign cache", () => {
    const names = [toCacheName("old"), toCacheName("new"), toCacheName("older"), "somebody-elses"];
    expect(listOldCaches(names, "new")).toEqual([toCacheName("old"), toCacheName("older")]);
    expect(listOldCaches([], "new")).toEqual([]);
  });

  it("does not cache a page of another build", () => {
    const page = '<script type="module" crossorigin src="/assets/index-1a2b.js"></script>';
    expect(isOfBuild(page, "/assets/index-1a2b.js")).toBe(true);
    expect(isOfBuild(page, "/assets/index-9z9z.js")).toBe(false);
    expect(isOfBuild("<h1>Welcome to the network of this hotel</h1>", "/assets/index-1a2b.js")).toBe(false);
  });
});

it("a pushed message needs all that a notice shows, and a path of the site", () => {
  const pushed = { title: "Your turn", body: "Hurry.", tag: "game-1", path: "/game/1" };
  expect(toPushed(JSON.stringify(pushed))).toEqual(pushed);
  for (const wrong of ["", "null", "[]", '"text"', "{", JSON.stringify({ ...pushed, title: 1 })]) {
    expect(toPushed(wrong)).toBeNull();
  }
  expect(toPushed(JSON.stringify({ ...pushed, path: "https://evil.example/" }))).toBeNull();
  expect(toPushed(JSON.stringify({ ...pushed, path: "//evil.example" }))).toBeNull();
});
