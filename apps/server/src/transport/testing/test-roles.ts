import type { SessionView } from "@holo/protocol/views.ts";
import { expect } from "vitest";
import { emailOf, type TestHouse } from "./test-house.ts";
import { OWNER_EMAIL, PASSWORD, send, type TestHttp, type TestPerson } from "./test-http.ts";

/** Everyone whose rights differ, or have to be shown not to. */
export const ROLES_TESTED = [
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
export type RoleTested = (typeof ROLES_TESTED)[number];

/** One person for each role; a visitor is nobody. */
export type PeopleTested = Readonly<Record<RoleTested, TestPerson | null>>;

/** Everyone of `ROLES_TESTED`, made as they come to be in the product: by what they and the house ask for. */
export async function makePeople(http: TestHttp, house: TestHouse): Promise<PeopleTested> {
  const { ceo, ask, makeAdmin, removeAdmin, setVerified } = house;

  async function done(asked: ReturnType<typeof ask>): Promise<void> {
    expect(await asked).toMatchObject({ status: 200 });
  }

  const player = await http.seat();
  await setVerified(player);
  const unverified = await http.seat();
  await done(ask(ceo, "POST", "admin/admins", { email: emailOf(unverified) }));
  const removed = await makeAdmin();
  await removeAdmin(removed);
  const blocked = await http.seat();
  await done(ask(ceo, "POST", "admin/blocks", { playerId: blocked.id, reason: "Plays with an engine" }));
  const excluded = await http.seat();
  await done(ask(excluded, "POST", "self-exclusion", { term: "day", password: PASSWORD }));
  const closing = await seatWithoutCoins(http);
  await done(ask(closing, "POST", "closing", { commandId: "closing-1", kobo: 0, account: null, password: PASSWORD }));
  return {
    visitor: null,
    "who was logged in as the CEO": await logInAndOut(http, ceo),
    player,
    "unverified admin": unverified,
    "removed admin": removed,
    "blocked player": blocked,
    "excluded player": excluded,
    "closing player": closing,
    admin: await makeAdmin(),
    CEO: ceo,
  };
}

async function seatWithoutCoins(http: TestHttp): Promise<TestPerson> {
  const cookie = await http.logIn();
  const answer = await send(http.app, "GET", "/api/session", undefined, { cookie });
  const { player } = (await answer.json()) as SessionView;
  if (player === null) throw new Error("nobody was logged in");
  return { id: player.id, username: player.username, cookie };
}

/** The CEO in another browser, whose session has ended: its cookie is well made and worth nothing. */
async function logInAndOut(http: TestHttp, ceo: TestPerson): Promise<TestPerson> {
  const form = { email: OWNER_EMAIL, password: PASSWORD };
  const answer = await send(http.app, "POST", "/api/login", form);
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  expect((await send(http.app, "POST", "/api/logout", {}, { cookie })).status).toBe(200);
  return { ...ceo, cookie };
}
