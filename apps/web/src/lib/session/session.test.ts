import { toPlayerId } from "@holo/kernel/ids.ts";
import { gameIdOf } from "@holo/kernel/testing/test-ids.ts";
import { PROFILE_DEFAULTS } from "@holo/protocol/accounts/profile.ts";
import type { SessionView } from "@holo/protocol/accounts/session.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { stubDevice } from "../testing/stub-device.ts";

const AMAKA = {
  id: toPlayerId("p-amaka1"),
  username: "AmakaPlays",
  email: "amaka@example.com",
  ...PROFILE_DEFAULTS,
  emailVerified: true,
};
const VISITOR: SessionView = {
  player: null,
  role: null,
  balance: "0",
  openGame: null,
  settings: { rateKobo: 30_600, feeBps: 740 },
  pausedUntil: null,
  limits: null,
  maintenance: null,
};
const PLAYER: SessionView = { ...VISITOR, player: AMAKA, balance: "100000000" };

class Server {
  readonly asked: string[] = [];
  readonly #waiting: ((response: Response) => void)[] = [];

  readonly fetch = (path: string, init: RequestInit): Promise<Response> => {
    this.asked.push(`${init.method} ${path}`);
    return new Promise((resolve) => this.#waiting.push(resolve));
  };

  async answer(content: unknown, status = 200): Promise<void> {
    this.#waiting.shift()?.(Response.json(content, { status }));
    await new Promise((resolve) => setTimeout(resolve));
  }
}

let server: Server;
let session: typeof import("./session.ts");

beforeEach(async () => {
  server = new Server();
  vi.stubGlobal("fetch", server.fetch);
  stubDevice();
  vi.resetModules();
  session = await import("./session.ts");
});

async function load(view: SessionView): Promise<void> {
  const loaded = session.loadSession();
  await server.answer(view);
  await loaded;
}

function wallet(balance: string, sequence: number): ServerFrame {
  return { type: "wallet", balance, sequence };
}

const NONE = { value: null, next: null };
const LIMITS = {
  depositDay: NONE,
  depositWeek: NONE,
  depositMonth: NONE,
  stake: { value: 2, next: null },
  session: NONE,
  excludedUntil: null,
  excludedFromFreeUntil: null,
  closingAt: null,
  bannedFor: null,
  moneyHold: null,
  withdrawalsHeldFor: null,
};
const OPEN = { gameId: gameIdOf("g1"), status: "active" } as const;

describe("the session", () => {
  // [CREATE-11 §2 r17] After too many cancelled or missed games, Create Match and the fee dialog are disabled and
  // show the wait before they are pressed.
  it("asks again once the own game has ended, since a cool-down may have begun [CREATE-11]", async () => {
    await load({ ...PLAYER, openGame: OPEN });
    session.receiveSessionFrame({ type: "open_game", openGame: null, sequence: 1 });
    expect(server.asked).toEqual(["GET /api/session", "GET /api/session"]);
    await server.answer({ ...PLAYER, pausedUntil: 5 });
    expect(session.currentSession()).toMatchObject({ openGame: null, pausedUntil: 5 });
    session.receiveSessionFrame({ type: "open_game", openGame: null, sequence: 2 });
    expect(server.asked).toHaveLength(2);
  });

  it("is unknown until the server has answered", async () => {
    expect(session.currentSession()).toBeNull();
    await load(PLAYER);
    expect(session.currentSession()?.player?.username).toBe("AmakaPlays");
    expect(session.currentSession()?.balance).toBe(100_000_000n);
  });

  // [ERR-35 §8] If the list of banks is unavailable the last known one is used. A person of unknown role is not
  // treated as an admin, and the page does not guess the session before the server answers.
  it("stays unknown if the server is unreachable [ERR-35]", async () => {
    const loaded = session.loadSession();
    await server.answer("no JSON of ours", 502);
    expect(await loaded).toBe(false);
    expect(session.currentSession()).toBeNull();
  });

  it("applies pushed balances in order only [HEAD-05]", async () => {
    await load(PLAYER);
    session.receiveSessionFrame(wallet("90000000", 2));
    session.receiveSessionFrame(wallet("95000000", 1));
    expect(session.currentSession()?.balance).toBe(90_000_000n);
  });

  it("prefers a push over an older answer", async () => {
    await load(PLAYER);
    const loaded = session.loadSession();
    session.receiveSessionFrame(wallet("80000000", 1));
    session.receiveSessionFrame({ type: "open_game", openGame: OPEN, sequence: 1 });
    session.receiveSessionFrame({ type: "limits", limits: LIMITS });
    await server.answer(PLAYER);
    await loaded;
    expect(session.currentSession()?.limits).toEqual(LIMITS);
    expect(session.currentSession()?.balance).toBe(80_000_000n);
    expect(session.currentSession()?.openGame).toEqual(OPEN);
  });

  it("applies a new exchange rate or fee at once, for visitors too", async () => {
    await load(VISITOR);
    const settings = { rateKobo: 31_000, feeBps: 800 };
    const loaded = session.loadSession();
    session.receiveSessionFrame({ type: "settings", ...settings });
    expect(session.currentSession()?.settings).toEqual(settings);
    await server.answer(VISITOR);
    await loaded;
    expect(session.currentSession()?.settings).toEqual(settings);
    await load(VISITOR);
    expect(session.currentSession()?.settings).toEqual(VISITOR.settings);
  });

  it("applies the start and end of maintenance over an older answer", async () => {
    await load(VISITOR);
    const maintenance = { text: "Back soon.", sinceAt: 1 };
    const loaded = session.loadSession();
    session.receiveSessionFrame({ type: "maintenance", maintenance });
    expect(session.currentSession()?.maintenance).toEqual(maintenance);
    await server.answer(VISITOR);
    await loaded;
    expect(session.currentSession()?.maintenance).toEqual(maintenance);
    session.receiveSessionFrame({ type: "maintenance", maintenance: null });
    expect(session.currentSession()?.maintenance).toBeNull();
  });

  it("reloads after a role change", async () => {
    await load(PLAYER);
    session.receiveSessionFrame({ type: "role_changed" });
    await server.answer({ ...PLAYER, role: "admin" });
    expect(session.currentSession()?.role).toBe("admin");
  });

  it("prefers an answer over a push from before its request", async () => {
    await load(PLAYER);
    session.receiveSessionFrame(wallet("80000000", 1));
    await load({ ...PLAYER, balance: "70000000" });
    expect(session.currentSession()?.balance).toBe(70_000_000n);
  });

  it("reloads on a new connection and restarts its sequence", async () => {
    await load(PLAYER);
    session.receiveSessionFrame(wallet("80000000", 7));
    session.receiveSessionFrame({ type: "hello", protocol: 1, player: AMAKA, serverNow: 0 });
    await server.answer({ ...PLAYER, balance: "60000000" });
    session.receiveSessionFrame(wallet("50000000", 1));
    expect(server.asked).toEqual(["GET /api/session", "GET /api/session"]);
    expect(session.currentSession()?.balance).toBe(50_000_000n);
  });

  it("keeps the answer to the later of two requests, whichever arrives last [HEAD-05]", async () => {
    await load(PLAYER);
    const waiting: ((response: Response) => void)[] = [];
    vi.stubGlobal("fetch", () => new Promise((resolve) => waiting.push(resolve)));
    const loads = [session.loadSession(), session.loadSession()];
    const openGame = { gameId: gameIdOf("g1"), status: "active" } as const;
    waiting[1]?.(Response.json({ ...PLAYER, balance: "60000000", openGame }));
    await loads[1];
    waiting[0]?.(Response.json(PLAYER));
    expect(await Promise.all(loads)).toEqual([true, true]);
    expect(session.currentSession()).toMatchObject({ balance: 60_000_000n, openGame });
  });

  it("asks again after a request on a new connection failed, until one is answered [HEAD-05]", async () => {
    await load(PLAYER);
    vi.useFakeTimers();
    const statuses = [502, 429, 200];
    const asked: number[] = [];
    const openGame = { gameId: gameIdOf("g1"), status: "active" } as const;
    vi.stubGlobal("fetch", async () => {
      asked.push(Date.now());
      return Response.json({ ...PLAYER, openGame }, { status: statuses[asked.length - 1] ?? 200 });
    });
    session.receiveSessionFrame({ type: "hello", protocol: 1, player: AMAKA, serverNow: 0 });
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect(asked.map((at) => at - asked[0]!)).toEqual([0, 500, 1_500]);
    expect(session.currentSession()?.openGame).toEqual(openGame);
  });

  it("still asks again if another request fails meanwhile [HEAD-05]", async () => {
    await load(PLAYER);
    vi.useFakeTimers();
    let isReached = false;
    vi.stubGlobal("fetch", async () => Response.json({ ...PLAYER, balance: "7" }, { status: isReached ? 200 : 502 }));
    session.receiveSessionFrame({ type: "hello", protocol: 1, player: AMAKA, serverNow: 0 });
    await session.loadSession();
    isReached = true;
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect(session.currentSession()?.balance).toBe(7n);
  });

  it("drops an answer from before a login", async () => {
    await load(VISITOR);
    const late = session.loadSession();
    const login = session.login({ email: "amaka@example.com", password: "kola-nut" });
    await server.answer(VISITOR);
    await server.answer(PLAYER);
    await Promise.all([late, login]);
    expect(session.currentSession()?.player?.id).toBe(AMAKA.id);
  });

  it("is a visitor's after logout", async () => {
    await load(PLAYER);
    const logout = session.logout();
    await server.answer(VISITOR);
    expect((await logout).ok).toBe(true);
    expect(session.currentSession()?.player).toBeNull();
  });

  it("holds loads that start during a logout, and drops those of removed pages", async () => {
    const { fetchApi } = await import("../api/api.ts");
    await load(PLAYER);
    const logout = session.logout();
    const removed = new AbortController();
    const dropped = fetchApi("matches", { query: { mine: "true" } }, removed.signal).catch(() => "dropped");
    const kept = fetchApi("leaderboard", { query: {} });
    removed.abort();
    await server.answer(VISITOR);
    await logout;
    expect(await dropped).toBe("dropped");
    await expect.poll(() => server.asked.length).toBe(3);
    expect(server.asked[2]).not.toContain("matches");
    await server.answer({});
    await kept;
  });

  it("is unchanged after a refused login", async () => {
    await load(VISITOR);
    const login = session.login({ email: "amaka@example.com", password: "wrong" });
    await server.answer({ code: "invalid_credentials", title: "Login failed", text: "no" }, 401);
    expect(await login).toEqual({
      ok: false,
      refusal: { code: "invalid_credentials", title: "Login failed", text: "no" },
    });
    expect(session.currentSession()?.player).toBeNull();
  });
});

describe("a setting", () => {
  it("is applied at once", async () => {
    await load(PLAYER);
    const saved = session.saveSettings({ soundEnabled: false });
    expect(session.currentSession()?.player?.soundEnabled).toBe(false);
    await server.answer({ ...AMAKA, soundEnabled: false });
    await saved;
    expect(session.currentSession()?.player?.soundEnabled).toBe(false);
  });

  it("survives an answer from before the change", async () => {
    await load(PLAYER);
    const loaded = session.loadSession();
    const saved = session.saveSettings({ soundEnabled: false });
    await server.answer(PLAYER);
    await loaded;
    expect(session.currentSession()?.player?.soundEnabled).toBe(false);
    await server.answer({ ...AMAKA, soundEnabled: false });
    await saved;
    await load({ ...PLAYER, player: { ...AMAKA, soundEnabled: true } });
    expect(session.currentSession()?.player?.soundEnabled).toBe(true);
  });

  it("is reverted if the server refuses it", async () => {
    await load(PLAYER);
    const saved = session.saveSettings({ soundEnabled: false });
    await server.answer({ code: "something_went_wrong", title: "Error", text: "" }, 500);
    await saved;
    expect(session.currentSession()?.player?.soundEnabled).toBe(true);
  });
});
