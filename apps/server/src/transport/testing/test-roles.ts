import type { SessionView } from "@holo/protocol/accounts/session.ts";
import { expect } from "vitest";
import { OWNER_EMAIL, PASSWORD, send, type TestHttp, type TestPerson } from "./test-http.ts";
import { emailOf, type TestStaff } from "./test-staff.ts";

export const TEST_ROLES = [
  "visitor",
  "who was logged in as the CEO",
  "player",
  "unverified admin",
  "removed admin",
  "blocked player",
  "excluded player",
  "closing player",
  "admin",
  "CEO",
] as const;
export type TestRole = (typeof TEST_ROLES)[number];

export type TestPeople = Readonly<Record<TestRole, TestPerson | null>>;

/**
 * One person per role of `ROLES_TESTED`, created through the product's own requests. `meet` runs
 * for each logged-in person before their role or state changes.
 */
export async function makeTestPeople(
  http: TestHttp,
  staff: TestStaff,
  meet: (role: TestRole, person: TestPerson) => Promise<void> = async () => undefined,
): Promise<TestPeople> {
  const { ceo, ask, makeAdmin, removeAdmin, setVerified } = staff;

  async function done(asked: ReturnType<typeof ask>): Promise<void> {
    expect(await asked).toMatchObject({ status: 200 });
  }

  async function met(role: TestRole, person: TestPerson): Promise<TestPerson> {
    await meet(role, person);
    return person;
  }

  const player = await met("player", await http.addPlayer());
  await setVerified(player);
  const unverified = await met("unverified admin", await http.addPlayer());
  await done(ask(ceo, "POST", "admin/admins", { email: emailOf(unverified), password: PASSWORD }));
  const removed = await met("removed admin", await makeAdmin());
  await removeAdmin(removed);
  const blocked = await met("blocked player", await http.addPlayer());
  await done(ask(ceo, "POST", "admin/bans", { playerId: blocked.id, reason: "Plays with an engine" }));
  const excluded = await met("excluded player", await http.addPlayer());
  await done(ask(excluded, "POST", "self-exclusion", { term: "day", coversFreeGames: true, password: PASSWORD }));
  const closing = await met("closing player", await seatWithoutCoins(http));
  await done(
    ask(closing, "POST", "closing", { commandId: "closing-1", kobo: 0, feeKobo: 0, account: null, password: PASSWORD }),
  );
  // Another session, so that the CEO's remains. The cookie is valid in form but its session has
  // ended.
  const ended = await met("who was logged in as the CEO", { ...ceo, cookie: await logInAgain(http, OWNER_EMAIL) });
  expect((await send(http.app, "POST", "/api/logout", {}, { cookie: ended.cookie })).status).toBe(200);
  return {
    visitor: null,
    "who was logged in as the CEO": ended,
    player,
    "unverified admin": unverified,
    "removed admin": removed,
    "blocked player": blocked,
    "excluded player": excluded,
    "closing player": closing,
    admin: await met("admin", await makeAdmin()),
    CEO: await met("CEO", ceo),
  };
}

async function seatWithoutCoins(http: TestHttp): Promise<TestPerson> {
  const cookie = await http.logIn();
  const answer = await send(http.app, "GET", "/api/session", undefined, { cookie });
  const { player } = (await answer.json()) as SessionView;
  if (player === null) throw new Error("nobody was logged in");
  return { id: player.id, username: player.username, cookie };
}

/** The Cookie header of an additional session of the same account. */
export async function logInAgain(http: TestHttp, email: string, cookie = ""): Promise<string> {
  const answer = await send(http.app, "POST", "/api/login", { email, password: PASSWORD }, { cookie });
  expect(answer.status).toBe(200);
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}
