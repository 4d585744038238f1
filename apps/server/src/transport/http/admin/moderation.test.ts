import { randomUUID } from "node:crypto";
import type { GameId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { SessionView } from "@holo/protocol/accounts/session.ts";
import type { FoundPlayersView, PlayerFileView, ReportsView } from "@holo/protocol/admin/moderation.ts";
import type { AuditEventsView, AuditEventType } from "@holo/protocol/admin/staff.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { StatementRowView } from "@holo/protocol/payments/wallet.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminInvariants } from "../../../admin/audit.ts";
import { gameInvariants } from "../../../game/audit/audit.ts";
import type { Answer } from "../../../game/game.ts";
import { ledgerInvariants } from "../../../ledger/audit/audit.ts";
import { loadWallet } from "../../../ledger/ledger.ts";
import type { Database } from "../../../platform/database/database.ts";
import { audit } from "../../../platform/database/invariant.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { beginGame, idOf, newId, playOpening, codeOf as refusalOf, resignGame } from "../../testing/test-games.ts";
import { openTestHttp, send, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

const WHOLE = wholeCoins(5_000);
const REASON = "Insults in the chat, more than once";

let database: Database;
let http: TestHttp;
let ceo: TestStaff["ceo"];
let ask: TestStaff["ask"];
let makeAdmin: TestStaff["makeAdmin"];
let sendReport: TestStaff["report"];
let admin: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  ({ ceo, ask, makeAdmin, report: sendReport } = await openTestStaff(http, database));
  admin = await makeAdmin();
});
afterAll(async () => {
  const broken = await audit(database.kysely, [...ledgerInvariants, ...gameInvariants, ...adminInvariants]);
  await http.close();
  await database.close();
  expect(broken).toBeNull();
});

const codeOf = (answer: Answer): string => (answer.type === "done" ? answer.status : refusalOf(answer));

const TERMS = { game: "chess", stake: 1, limitMinutes: 5, feeBps: 740 } as const;

const create = (player: TestPerson): Promise<Answer> =>
  http.at.matches.create({ player, commandId: newId(), ...TERMS });

/** An active game; no other player waits on these terms. */
async function play(white: TestPerson, black: TestPerson): Promise<GameId> {
  const created = await create(white);
  if (created.type !== "done") throw new Error(created.type);
  expect(codeOf(await http.at.matches.join(black, created.gameId, newId()))).toBe("active");
  return created.gameId;
}

async function balanceOf(person: TestPerson): Promise<bigint | undefined> {
  return (await loadWallet(database.kysely, idOf(person)))?.balance;
}

async function sessionOf(person: TestPerson | null): Promise<SessionView> {
  return (await ask<SessionView>(person, "GET", "session")).body;
}

async function lastEvent(): Promise<AuditEventsView["events"][number] | undefined> {
  return (await ask<AuditEventsView>(ceo, "GET", "admin/audit-events")).body.events[0];
}

async function countEvents(action: AuditEventType): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from audit_events where action = ${action}`.execute(database.kysely);
  return rows[0]!.count;
}

describe("maintenance", () => {
  const turn = async (notice: string | null, by = admin, seenAt?: number | null) => {
    const current = (await sessionOf(null)).maintenance?.sinceAt ?? null;
    const sinceAt = seenAt === undefined ? current : seenAt;
    return await ask(by, "POST", "admin/maintenance", { notice, sinceAt });
  };

  test("prevents new games and deposits, and lets started ones continue", async () => {
    const [white, black, late] = [await http.addPlayer(), await http.addPlayer(), await http.addPlayer()];
    const gameId = await play(white, black);
    const waiting = await create(late);
    if (waiting.type !== "done") throw new Error(waiting.type);
    const seeker = await http.addPlayer();

    expect((await turn("  Back at\nnoon. ")).body).toMatchObject({ maintenance: { text: "Back at noon." } });
    expect(http.sentMaintenance.at(-1)).toMatchObject({ text: "Back at noon." });
    for (const person of [null, seeker]) expect((await sessionOf(person)).maintenance?.text).toBe("Back at noon.");
    expect(await lastEvent()).toMatchObject({
      action: "maintenance_begun",
      detail: "Back at noon.",
      username: admin.username,
    });

    expect(codeOf(await create(seeker))).toBe("maintenance");
    expect(codeOf(await http.at.matches.join(seeker, waiting.gameId, newId()))).toBe("maintenance");
    const deposit = { commandId: newId(), kobo: 500_000, payKobo: 500_000, rateKobo: 30_600 };
    expect(await ask(seeker, "POST", "deposits", deposit)).toMatchObject({
      status: 503,
      body: { code: "maintenance", title: "Maintenance" },
    });
    expect(await balanceOf(seeker)).toBe(WHOLE);
    expect(codeOf(await http.at.games.cancel(idOf(late), waiting.gameId, newId()))).toBe("ended");
    expect(codeOf(await http.at.games.cancel(idOf(white), gameId, newId()))).toBe("ended");

    expect((await turn(null)).body).toEqual({ maintenance: null });
    expect(http.sentMaintenance.at(-1)).toBeNull();
    expect(codeOf(await create(seeker))).toBe("waiting");
    await http.at.games.cancel(idOf(seeker), (await http.at.games.loadOpenGame(idOf(seeker)))!.gameId, newId());
  });

  test("applies after a restart", async () => {
    await turn("Back soon.");
    const other = await openTestHttp(database);
    const answer = await send(other.app, "GET", "/api/session");
    expect(((await answer.json()) as SessionView).maintenance?.text).toBe("Back soon.");
    expect(
      codeOf(await other.at.matches.create({ player: await other.addPlayer(), commandId: newId(), ...TERMS })),
    ).toBe("maintenance");
    await other.close();
    await turn(null);
  });

  test("writes no audit event without a change, and requires a reason", async () => {
    const before = [await countEvents("maintenance_begun"), await countEvents("maintenance_ended")];
    expect((await turn(null)).status).toBe(200);
    expect((await turn("\u202e \n")).body.code).toBe("maintenance_text_missing");
    expect([await countEvents("maintenance_begun"), await countEvents("maintenance_ended")]).toEqual(before);
    await Promise.all([turn("Soon."), turn("Soon.", ceo)]);
    expect(await countEvents("maintenance_begun")).toBe(before[0]! + 1);
    await Promise.all([turn("Later."), turn("Much later.", ceo)]);
    const { rows } = await sql<{ text: string }>`
      select text from maintenance_changes order by id desc limit 1`.execute(database.kysely);
    expect((await sessionOf(null)).maintenance?.text).toBe(rows[0]?.text);
    await turn(null);
  });

  // [ADMIN-44 §6 r25] A release ends only the hold of a player's or of all withdrawals that the page showed,
  // unblocking only the block that it showed, and maintenance changes only as the page showed it. Otherwise the page
  // says that there is a new one.
  test("stays as someone else changed it since the page showed it [ADMIN-44]", async () => {
    await turn("Soon.");
    const seenAt = (await sessionOf(null)).maintenance!.sinceAt;
    http.at.time.advance(1_000);
    expect((await turn("The database fails.", ceo)).status).toBe(200);
    for (const notice of [null, "Longer."]) {
      expect((await turn(notice, admin, seenAt)).body.code).toBe("maintenance_changed");
    }
    expect((await sessionOf(null)).maintenance?.text).toBe("The database fails.");
    await turn(null);
    expect((await turn("Longer.", admin, seenAt)).body.code).toBe("maintenance_changed");
    expect((await sessionOf(null)).maintenance).toBeNull();
  });

  test("refuses a rematch that was offered before, for either player", async () => {
    for (const place of [0, 1]) {
      const pair = [await http.addPlayer(), await http.addPlayer()].sort((one, other) => (one.id < other.id ? -1 : 1));
      const [white, black] = [pair[place]!, pair[1 - place]!];
      const game = await beginGame(http.at, { white, black });
      const { gameId } = game;
      await playOpening(http.at, game);
      await resignGame(http.at, game);
      const offered = await http.at.games.offer("offer_rematch", idOf(black), gameId, newId());
      if (offered.type !== "done") throw new Error(offered.type);
      await turn("Soon.");
      const order = { type: "answer_rematch", player: idOf(white), gameId, offer: offered.version } as const;
      const accepted = await http.at.games.answerOffer({ ...order, answer: "accept", commandId: newId() });
      expect(codeOf(accepted)).toBe("maintenance");
      expect(await http.at.games.loadOpenGame(idOf(white))).toBeNull();
      await turn(null);
    }
  });
});

describe("a ban", () => {
  const block = (person: TestPerson, by = admin, reason = REASON) =>
    ask(by, "POST", "admin/bans", { playerId: person.id, reason });
  const loadBanId = async ({ id }: TestPerson) =>
    (await ask<PlayerFileView>(ceo, "GET", `admin/players/${id}`)).body.banId ?? "1";
  const unblock = async (person: TestPerson, by = admin, banId?: string) =>
    await ask(by, "POST", "admin/bans/end", {
      playerId: person.id,
      banId: banId ?? (await loadBanId(person)),
      reason: "It was somebody else",
    });

  test("cancels the waiting game, prevents playing and depositing, and takes no coins", async () => {
    const person = await http.addPlayer();
    expect(codeOf(await create(person))).toBe("waiting");
    expect((await block(person)).status).toBe(200);
    expect(await http.at.games.loadOpenGame(idOf(person))).toBeNull();
    expect(await balanceOf(person)).toBe(WHOLE);
    expect(codeOf(await create(person))).toBe("banned");
    const deposit = { commandId: newId(), kobo: 500_000, payKobo: 500_000, rateKobo: 30_600 };
    expect(await ask(person, "POST", "deposits", deposit)).toMatchObject({
      status: 403,
      body: { code: "banned" },
    });

    expect((await sessionOf(person)).limits?.bannedFor).toBe(REASON);
    expect(http.at.playerFrames).toContainEqual({
      playerId: person.id,
      frame: { type: "limits", limits: expect.objectContaining({ bannedFor: REASON }) },
    });
    const mail = http.mails.findLast(({ to }) => to === `${person.username}@example.com`);
    expect(mail).toMatchObject({ kind: "account_block", subject: "Your account is blocked" });
    expect(mail?.text).toContain(REASON);
    expect(await lastEvent()).toMatchObject({
      action: "player_banned",
      subject: person.id,
      detail: `${person.username}: ${REASON}`,
      username: admin.username,
    });
    // A ban does not prevent withdrawals; the missing parts are everyone's requirements.
    const wish = {
      commandId: newId(),
      kobo: 500_000,
      feeKobo: 0,
      rateKobo: 30_600,
      accountNumber: "0123456789",
      bankCode: "057",
    };
    expect((await ask(person, "POST", "withdrawals", wish)).body.code).toBe("account_not_verified");

    expect((await unblock(person, ceo)).status).toBe(200);
    expect((await sessionOf(person)).limits?.bannedFor).toBeNull();
    expect(codeOf(await create(person))).toBe("waiting");
    await http.at.games.cancelWaiting(idOf(person));
  });

  test("lets an active game finish without chat", async () => {
    const [white, black] = [await http.addPlayer(), await http.addPlayer()];
    const gameId = await play(white, black);
    await block(white);
    expect(await http.at.games.loadOpenGame(idOf(white))).toMatchObject({ gameId, status: "active" });
    const word = (player: TestPerson) =>
      http.at.games.chat({ player: idOf(player), commandId: newId(), gameId, text: "good luck" });
    expect(codeOf(await word(white))).toBe("banned");
    expect(codeOf(await word(black))).toBe("active");
    const path = [52, 36];
    const moved = await new Promise<Answer>((answer) =>
      http.at.games.move({ player: idOf(white), commandId: newId(), gameId, atVersion: 2, path, lagMs: 0 }, answer),
    );
    expect(codeOf(moved)).toBe("active");
    await http.at.games.cancel(idOf(black), gameId, newId());
    expect(await balanceOf(white)).toBe(WHOLE);
  });

  test("requires a reason and another person, and happens once for simultaneous requests", async () => {
    const person = await http.addPlayer();
    expect((await block(person, admin, " \n ")).body.code).toBe("reason_missing");
    expect((await block(admin)).body.code).toBe("own_matter");
    expect((await unblock(admin)).body.code).toBe("own_matter");
    expect((await ask(admin, "POST", "admin/bans", { playerId: newId(), reason: REASON })).body.code).toBe(
      "unknown_player",
    );
    const before = await countEvents("player_banned");
    const answers = await Promise.all([block(person), block(person, ceo)]);
    expect(answers.map(({ body }) => body.code ?? "done").sort()).toEqual(["block_unchanged", "done"]);
    expect(await countEvents("player_banned")).toBe(before + 1);
    expect((await unblock(person)).status).toBe(200);
    expect((await unblock(person)).body.code).toBe("block_unchanged");
  });

  test("is lifted only if the page showed it [ADMIN-44]", async () => {
    const person = await http.addPlayer();
    await block(person);
    const seen = await loadBanId(person);
    expect((await unblock(person, ceo)).status).toBe(200);
    await block(person, ceo, "For another reason");
    expect((await unblock(person, admin, seen)).body).toMatchObject({
      code: "ban_changed",
      text: expect.stringContaining("reload the page"),
    });
    expect((await sessionOf(person)).limits?.bannedFor).toBe("For another reason");
    expect((await unblock(person)).status).toBe(200);
  });

  test("at the moment of joining leaves either a seat or a refusal, and loses no coins", async () => {
    for (let round = 0; round < 8; round += 1) {
      const [creator, person] = [await http.addPlayer(), await http.addPlayer()];
      const created = await create(creator);
      if (created.type !== "done") throw new Error(created.type);
      const [joined] = await Promise.all([http.at.matches.join(person, created.gameId, newId()), block(person)]);
      expect(["active", "banned"]).toContain(codeOf(joined));
      const openGame = await http.at.games.loadOpenGame(idOf(person));
      expect(openGame !== null).toBe(codeOf(joined) === "active");
      await http.at.games.cancel(idOf(creator), created.gameId, newId());
      expect([await balanceOf(creator), await balanceOf(person)]).toEqual([WHOLE, WHOLE]);
    }
  });
});

describe("a broken game", () => {
  const cancel = (gameId: GameId, by = admin, reason = "The board froze for both") =>
    ask(by, "POST", "admin/games/cancel", { gameId, reason });

  async function begin() {
    return await beginGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  }

  test("is cancelled with a reason in the log, refunds both buy-ins once and notifies both players", async () => {
    const game = await begin();
    const { white, black, gameId } = game;
    await playOpening(http.at, game);
    expect((await cancel(gameId)).body).toEqual({});
    for (const player of [white, black]) {
      expect(await balanceOf(player)).toBe(WHOLE);
      expect(await http.at.games.loadOpenGame(idOf(player))).toBeNull();
      expect(http.at.playerFrames).toContainEqual({
        playerId: player.id,
        frame: { type: "notice", title: "Game Cancelled", text: expect.stringContaining("The board froze for both") },
      });
    }
    const { rows } = await sql<{ readonly record: string }>`
      select record from game_log where game_id = ${gameId} order by version desc limit 1`.execute(database.kysely);
    expect(JSON.parse(rows[0]!.record)).toMatchObject({
      by: 0,
      events: [{ type: "cancelled", reason: "staff", seat: null, note: "The board froze for both" }],
    });
    expect(await lastEvent()).toMatchObject({
      action: "game_cancelled",
      subject: gameId,
      detail: `${white.username} against ${black.username}: The board froze for both`,
    });
    expect((await cancel(gameId)).body.code).toBe("game_over");
    expect(await balanceOf(white)).toBe(WHOLE);
  });

  test("is found by its id in any notation", async () => {
    const { white, gameId } = await begin();
    expect((await cancel(gameId.toUpperCase() as GameId)).body).toEqual({});
    expect(await balanceOf(white)).toBe(WHOLE);
  });

  test("does not count towards a cool-down", async () => {
    const [white, black] = [await http.addPlayer(), await http.addPlayer()];
    for (let game = 0; game < 4; game += 1) {
      const { gameId } = await beginGame(http.at, { white, black });
      expect((await cancel(gameId)).status).toBe(200);
    }
    expect(await http.at.matches.loadCoolDownEndAt(idOf(white))).toBeNull();
    expect(await http.at.matches.loadCoolDownEndAt(idOf(black))).toBeNull();
  });

  test("cannot be cancelled by its players, while it waits, or by a former admin", async () => {
    const own = await beginGame(http.at, { white: admin, black: await http.addPlayer() });
    expect((await cancel(own.gameId)).body.code).toBe("own_matter");
    expect((await cancel(own.gameId, admin, " ")).body.code).toBe("reason_missing");
    expect(await http.at.games.loadOpenGame(idOf(admin))).toMatchObject({ gameId: own.gameId });
    expect((await cancel(own.gameId, ceo)).status).toBe(200);
    const waiting = await create(await http.addPlayer());
    if (waiting.type !== "done") throw new Error(waiting.type);
    expect((await cancel(waiting.gameId)).body.code).toBe("not_started");
    expect((await cancel(randomUUID() as GameId)).body.code).toBe("unknown_game");
  });

  test("ends once if it ends or is cancelled simultaneously", async () => {
    for (let round = 0; round < 6; round += 1) {
      const game = await begin();
      const { white, black, gameId } = game;
      await playOpening(http.at, game);
      const before = await countEvents("game_cancelled");
      const [resigned, ...cancelled] = await Promise.all([
        http.at.games.resign(idOf(white), gameId, newId()),
        cancel(gameId),
        cancel(gameId, ceo),
      ]);
      const done = cancelled.filter(({ status }) => status === 200).length;
      expect(done + (resigned.type === "done" ? 1 : 0)).toBe(1);
      expect(await countEvents("game_cancelled")).toBe(before + done);
      expect((await balanceOf(white)) === WHOLE && (await balanceOf(black)) === WHOLE).toBe(done === 1);
    }
  });
});

// [ERR-40 §8] If the server does not know whether a game was cancelled by staff, it says so and asks to look at the
// game in a minute.
test("says to staff that the outcome of a cancellation is unknown [ERR-40]", async () => {
  const stopping = await openTestHttp(database);
  const players = { white: await stopping.addPlayer(), black: await stopping.addPlayer() };
  const { gameId } = await beginGame(stopping.at, players);
  // The server stops: it takes no more commands.
  stopping.at.games.stopAccepting();
  await stopping.at.games.close();
  const order = { gameId, reason: "The board froze for both" };
  const answer = await send(stopping.app, "POST", "/api/admin/games/cancel", order, { cookie: ceo.cookie });
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: "cancellation_unknown" }]);
  await stopping.close();
  expect((await ask(ceo, "POST", "admin/games/cancel", order)).status).toBe(200);
});

describe("a report", () => {
  const list = async (state: "open" | "closed", after?: string) =>
    (
      await ask<ReportsView>(
        admin,
        "GET",
        `admin/reports?state=${state}${after === undefined ? "" : `&after=${after}`}`,
      )
    ).body;
  const end = (id: string, by = admin, note = "The moves are an engine's") =>
    ask(by, "POST", "admin/reports/end", { id, outcome: "acted", note });

  const report = (reporter: TestPerson, other: TestPerson, gameId: GameId): Promise<string> =>
    sendReport(reporter, {
      gameId,
      playerId: other.id,
      reason: "cheating",
      text: "Every move takes three seconds",
    });

  async function playOut(white: TestPerson, black: TestPerson) {
    const game = await beginGame(http.at, { white, black });
    await playOpening(http.at, game);
    await http.at.games.chat({ player: idOf(black), commandId: newId(), gameId: game.gameId, text: "well played" });
    await resignGame(http.at, game);
    return game.gameId;
  }

  test("is listed with game and chat, closed once, and answered to its reporter", async () => {
    const [white, black] = [await http.addPlayer(), await http.addPlayer()];
    const gameId = await playOut(white, black);
    const id = await report(white, black, gameId);
    expect((await list("open")).reports.find((listed) => listed.id === id)).toMatchObject({
      reporter: { username: white.username },
      player: { username: black.username },
      match: { id: gameId, status: "completed" },
      reason: "cheating",
      text: "Every move takes three seconds",
      ended: null,
    });
    const chat = await ask<{ messages: unknown[] }>(admin, "GET", `admin/games/${gameId}/chat`);
    expect(chat.body.messages).toMatchObject([{ username: black.username, text: "well played" }]);

    expect((await end(id, admin, "  ")).body.code).toBe("reason_missing");
    const answers = await Promise.all([end(id), end(id, ceo)]);
    expect(answers.map(({ body }) => body.code ?? "done").sort()).toEqual(["done", "report_ended"]);
    expect((await list("open")).reports.some((listed) => listed.id === id)).toBe(false);
    expect((await list("closed")).reports[0]).toMatchObject({
      id,
      ended: { outcome: "acted", note: "The moves are an engine's", by: expect.any(String) },
    });
    const words = "We've looked into it and taken action.";
    expect(http.at.playerFrames).toContainEqual({
      playerId: white.id,
      frame: { type: "notice", title: "Your report has been answered", text: words },
    });
    const mail = http.mails.findLast(({ kind }) => kind === "report_answered");
    expect(mail?.to).toBe(`${white.username}@example.com`);
    expect(mail?.text).toContain(words);
    // Notes are visible to admins only.
    expect(mail?.text).not.toContain("engine");
    expect(await lastEvent()).toMatchObject({ action: "report_ended", subject: id });
  });

  test("cannot be closed by a person involved", async () => {
    const other = await http.addPlayer();
    const gameId = await playOut(admin, other);
    const [told, about] = [await report(admin, other, gameId), await report(other, admin, gameId)];
    for (const id of [told, about]) {
      expect((await end(id)).body.code).toBe("own_matter");
      expect((await end(id, ceo)).status).toBe(200);
    }
    expect((await end(randomUUID())).body.code).toBe("unknown_report");
  });

  test("is paged", async () => {
    const [white, black] = [await http.addPlayer(), await http.addPlayer()];
    const gameId = await playOut(white, black);
    const first = await report(white, black, gameId);
    await sql`
      insert into reports (id, reporter_id, game_id, reason, text, created_at)
      select gen_random_uuid(), 'stranger-' || place, game_id, 'fault', '', created_at + place * interval '1 minute'
      from reports, generate_series(1, 25) place where id = ${first}`.execute(database.kysely);
    for (const state of ["open", "closed"] as const) {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await list(state, after);
        seen.push(...page.reports.map(({ id }) => id));
        after = page.next ?? undefined;
      } while (after !== undefined);
      const { rows } = await sql<{ id: string }>`
        select id from reports where state = ${state} and player_id is distinct from ${admin.id}
        order by created_at, id`.execute(database.kysely);
      const wanted = rows.map(({ id }) => id);
      expect(seen).toEqual(state === "open" ? wanted : wanted.reverse());
    }
  });
});

describe("a player's file", () => {
  const find = async (text: string, after = "") =>
    (
      await ask<FoundPlayersView>(
        admin,
        "GET",
        `admin/players?${new URLSearchParams({ text, ...(after && { after }) })}`,
      )
    ).body;

  test("is found by name, address or id, without LIKE wildcards, in pages", async () => {
    const person = await http.addPlayer();
    for (const text of [person.username.toUpperCase(), ` ${person.username}@EXAMPLE.com `, person.id]) {
      expect((await find(text)).players.map(({ id }) => id)).toEqual([person.id]);
    }
    for (const text of ["%", "_%_", "", "' or 1=1"]) expect((await find(text)).players).toEqual([]);
    while ((await find("@example.com")).next === null) await http.addPlayer();
    const seen: string[] = [];
    for (let after = ""; ; ) {
      const { players, next } = await find("@example.com", after);
      seen.push(...players.map(({ id }) => id));
      if (next === null) break;
      after = next;
    }
    const { rows } = await sql<{ id: string }>`
      select player.id from players player join profiles profile on profile.id = player.id
      where player.email like '%@example.com' order by lower(profile.username)`.execute(database.kysely);
    expect(seen).toEqual(rows.map(({ id }) => id));
  });

  test("is found first and opened by id, even if other addresses contain it", async () => {
    const hidden = await http.addPlayer();
    for (let others = 0; others < 21; others += 1) {
      const { id } = await http.addPlayer();
      const email = `${hidden.id}.${others}@example.org`;
      await sql`update players set email = ${email} where id = ${id}`.execute(database.kysely);
      await sql`update profiles set username = ${`AAA-${others}`} where id = ${id}`.execute(database.kysely);
    }
    const first = await find(hidden.id);
    expect(first.players[0]?.id).toBe(hidden.id);
    const rest = await find(hidden.id, first.next ?? "");
    expect([...first.players, ...rest.players].filter(({ id }) => id === hidden.id)).toHaveLength(1);
    const file = await ask<PlayerFileView>(admin, "GET", `admin/players/${hidden.id}`);
    expect(file.body).toMatchObject({ player: { id: hidden.id } });
  });

  test("shows the player's data without password and session tokens", async () => {
    const [white, black] = [await http.addPlayer(), await http.addPlayer()];
    const first = await beginGame(http.at, { white, black });
    await playOpening(http.at, first);
    await resignGame(http.at, first);
    await ask(black, "POST", "reports", { gameId: first.gameId, playerId: white.id, reason: "stalling", text: "" });
    const { gameId } = await beginGame(http.at, { white, black });
    const answer = await send(http.app, "GET", `/api/admin/players/${white.id}`, undefined, { cookie: admin.cookie });
    const text = await answer.text();
    const file = JSON.parse(text) as PlayerFileView;
    expect(file).toMatchObject({
      player: { id: white.id, email: `${white.username}@example.com`, isVerified: false, isBanned: false, role: null },
      balance: String(await balanceOf(white)),
      openGame: { gameId, status: "active" },
      limits: { bannedFor: null, excludedUntil: null },
      payments: [],
      sessions: [{ startedAt: expect.any(Number) }],
      reports: [{ reason: "stalling", reporter: { username: black.username }, match: { id: first.gameId } }],
    });
    const { rows } = await sql<{ readonly secret: string }>`
      select token as secret from sessions where player_id = ${white.id}
      union all select hash from passwords where player_id = ${white.id}`.execute(database.kysely);
    expect(rows.length).toBe(2);
    for (const { secret } of rows) expect(text).not.toContain(secret);

    const games = await ask<{ matches: MatchView[] }>(admin, "GET", `admin/players/${white.id}/games`);
    expect(games.body.matches.map(({ id }) => id)).toEqual([gameId, first.gameId]);
    const before = games.body.matches[0]!.createdAt;
    const older = await ask<{ matches: MatchView[] }>(admin, "GET", `admin/players/${white.id}/games?before=${before}`);
    expect(older.body.matches.map(({ id }) => id)).toEqual([first.gameId]);
    const entries = await ask<{ rows: StatementRowView[] }>(admin, "GET", `admin/players/${white.id}/entries`);
    expect(entries.body.rows.map(({ kind }) => kind)).toEqual(["stake", "stake", "opening"]);
    const last = entries.body.rows[0]!.id;
    const rest = await ask<{ rows: StatementRowView[] }>(
      admin,
      "GET",
      `admin/players/${white.id}/entries?before=${last}`,
    );
    expect(rest.body.rows.length).toBe(2);
    expect((await ask(admin, "GET", `admin/players/${newId()}`)).body.code).toBe("unknown_player");
    await http.at.games.cancel(idOf(white), gameId, newId());
  });
});
