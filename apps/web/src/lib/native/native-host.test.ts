import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { stubClosedStorage, stubStorage } from "../testing/stub-storage.ts";
import { currentNativeHost, detectNativeHost, type HostSignals, toNativeHost } from "./native-host.ts";

const BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";
const NONE: HostSignals = { userAgent: BROWSER, search: "" };
const WINDOWS = { platform: "windows", version: "1.2.3" };

describe("a native host is recognised", () => {
  it("by its user agent", () => {
    const userAgent = `${BROWSER} HoloNative/1.2.3 (windows)`;
    expect(toNativeHost({ ...NONE, userAgent })).toEqual({ ...WINDOWS, isFallback: false });
    const phone = "HoloNative/2.0.10 (android) Mozilla/5.0";
    expect(toNativeHost({ ...NONE, userAgent: phone })).toEqual({
      platform: "android",
      version: "2.0.10",
      isFallback: false,
    });
  });

  it("by the query after a fallback to a browser [APP-03]", () => {
    const search = "?tab=1&native=windows&nativeVersion=1.2.3";
    expect(toNativeHost({ ...NONE, search })).toEqual({ ...WINDOWS, isFallback: true });
  });

  it("by the user agent first, then the query", () => {
    const search = "?native=android&nativeVersion=0.0.1";
    const userAgent = `${BROWSER} HoloNative/1.2.3 (windows)`;
    expect(toNativeHost({ userAgent, search })).toEqual({ ...WINDOWS, isFallback: false });
  });
});

test.each([
  "",
  "HoloNative/1.2.3",
  "HoloNative/1.2 (windows)",
  "HoloNative/1.2.3 (linux)",
  "HoloNative/1.2.3/4 (windows)",
  "HoloNative/x (windows)",
  "HoloNative/1.2.3 (windows)evil",
  "NotHoloNative/1.2.3 (windows)",
  "HoloNative 1.2.3 (windows)",
])("ignores the user agent %j", (userAgent) => {
  expect(toNativeHost({ ...NONE, userAgent })).toBe(null);
});

test.each([
  "?native=windows",
  "?nativeVersion=1.2.3",
  "?native=windows&nativeVersion=1.2.3.4",
  "?native=windows&nativeVersion=1.2.3<b>",
  "?native=WINDOWS&nativeVersion=1.2.3",
  "?native=constructor&nativeVersion=1.2.3",
])("ignores the query %j", (search) => {
  expect(toNativeHost({ ...NONE, search })).toBe(null);
});

describe("the address after a fallback", () => {
  const replaced: string[] = [];
  let kept: Map<string, string>;

  function load(search: string, hash = "") {
    replaced.length = 0;
    vi.stubGlobal("location", { pathname: "/matches", search, hash });
    detectNativeHost();
  }

  beforeEach(() => {
    vi.stubGlobal("navigator", { userAgent: BROWSER });
    vi.stubGlobal("history", { state: null, replaceState: (_: unknown, __: string, to: string) => replaced.push(to) });
    kept = stubStorage("sessionStorage");
  });
  afterEach(() => vi.unstubAllGlobals());

  it("loses only the host's parameters, which are kept for the tab", () => {
    load("?native=windows&nativeVersion=1.2.3&q=ada%20b", "#top");
    expect(replaced).toEqual(["/matches?q=ada+b#top"]);
    expect(currentNativeHost()).toEqual({ ...WINDOWS, isFallback: true });
    load("");
    expect(replaced).toEqual([]);
    expect(currentNativeHost()).toEqual({ ...WINDOWS, isFallback: true });
    kept.clear();
    load("");
    expect(currentNativeHost()).toBe(null);
  });

  it("loses malformed values too, which are ignored", () => {
    load("?native=windows&nativeVersion=1.2.3");
    load("?native=toaster&nativeVersion=9");
    expect(replaced).toEqual(["/matches"]);
    expect(currentNativeHost()).toEqual({ ...WINDOWS, isFallback: true });
  });

  it("works without storage", () => {
    stubClosedStorage("sessionStorage");
    load("?native=windows&nativeVersion=1.2.3");
    expect(currentNativeHost()).toEqual({ ...WINDOWS, isFallback: true });
    load("");
    expect(currentNativeHost()).toBe(null);
  });
});
