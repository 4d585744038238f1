import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callApi, onCodeRequired, onLoginRequired } from "./api.ts";

const LONG_MS = 10 * 60_000;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  onCodeRequired(async () => false);
  onLoginRequired(() => undefined);
});

it("reports that a call requires a login, and no other refusal [SITE-43]", async () => {
  let reported = 0;
  onLoginRequired(() => {
    reported += 1;
  });
  const refuseWith = (code: string) =>
    vi.stubGlobal("fetch", async () => Response.json({ code, title: "Error", text: "" }, { status: 401 }));
  for (const code of ["login_required", "deposit_login_required"]) {
    refuseWith(code);
    await callApi("banks", {});
  }
  expect(reported).toBe(2);
  refuseWith("wrong_credentials");
  await callApi("banks", {});
  expect(reported).toBe(2);
});

it("answers that the server is unreachable if the dialog for the code cannot be loaded [ERR-45]", async () => {
  const refusal = { code: "second_factor_required", title: "Enter your code", text: "" };
  vi.stubGlobal("fetch", async () => Response.json(refusal, { status: 401 }));
  onCodeRequired(() => Promise.reject(new TypeError("Failed to fetch dynamically imported module")));
  expect(await callApi("endAllSessions", { body: {} })).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
});

describe("a request without an answer", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", hang);
  });

  function hang(_path: string, { signal }: RequestInit): Promise<Response> {
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      if (signal?.aborted === true) reject(signal.reason);
    });
  }

  async function observe(answer: Promise<unknown>, ms: number): Promise<unknown> {
    const outcome = Promise.race([answer.catch((fault) => fault), sleep(ms)]);
    await vi.advanceTimersByTimeAsync(ms);
    return await outcome;
  }

  function sleep(ms: number): Promise<"waits"> {
    return new Promise((resolve) => setTimeout(resolve, ms, "waits"));
  }

  // [ERR-45 §8] A request without an answer within 35 seconds, or whose dialog cannot be loaded,
  // shows 'We couldn't reach Holo Arena. Please try again.'. The comparison with the provider may take longer.
  it("becomes a missing connection after a while, also if the body is late [ERR-45]", async () => {
    const unreachable = { ok: false, refusal: { code: "unavailable", title: "No connection" } };
    expect(await observe(callApi("banks", {}), 34_000)).toBe("waits");
    expect(await observe(callApi("banks", {}), 36_000)).toMatchObject(unreachable);
    vi.stubGlobal("fetch", async (_path: string, { signal }: RequestInit) => {
      const body = new ReadableStream({
        start: (stream) => signal?.addEventListener("abort", () => stream.error(signal.reason)),
      });
      return new Response(body);
    });
    expect(await observe(callApi("banks", {}), 36_000)).toMatchObject(unreachable);
  });

  it("waits longer for the comparison with the provider, which reads many pages", async () => {
    expect(await observe(callApi("reconcile", { body: {} }), LONG_MS)).toBe("waits");
  });

  it("throws what its caller aborted it with, before or after it began", async () => {
    const leaving = new AbortController();
    const late = callApi("banks", {}, leaving.signal);
    leaving.abort("left the page");
    expect(await observe(late, 0)).toBe("left the page");
    expect(await observe(callApi("banks", {}, leaving.signal), 0)).toBe("left the page");
  });
});
