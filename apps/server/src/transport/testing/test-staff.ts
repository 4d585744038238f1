import type { GameId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import { expect } from "vitest";
import type { Database, Tx } from "../../platform/database/database.ts";
import { whilePasswordChanges } from "./changed-password.ts";
import { OWNER_EMAIL, PASSWORD, send, type TestHttp, type TestPerson } from "./test-http.ts";

interface TestAnswer<View> {
  readonly status: number;
  readonly body: View & { readonly code?: string };
}

interface NewReport {
  readonly gameId: GameId;
  readonly playerId: string;
  readonly reason: string;
  readonly text: string;
}

export interface TestStaff {
  readonly ceo: TestPerson;
  ask<View>(person: TestPerson | null, method: "GET" | "POST", path: string, body?: unknown): Promise<TestAnswer<View>>;
  setVerified(person: TestPerson): Promise<void>;
  report(reporter: TestPerson, report: NewReport): Promise<string>;
  makeAdmin(): Promise<TestPerson>;
  removeAdmin(person: TestPerson): Promise<void>;
  /**
   * Sends the CEO's request, which waits for `lock` after its password was confirmed, and changes
   * the password meanwhile. Changes it back afterwards.
   */
  whilePasswordChanges<Answer>(lock: (tx: Tx) => Promise<unknown>, request: () => Promise<Answer>): Promise<Answer>;
}

export function emailOf({ username }: TestPerson): string {
  return `${username}@example.com`;
}

export async function openTestStaff(http: TestHttp, database: Database): Promise<TestStaff> {
  async function ask<View>(
    person: TestPerson | null,
    method: "GET" | "POST",
    path: string,
    body?: unknown,
  ): Promise<TestAnswer<View>> {
    const headers = person === null ? {} : { cookie: person.cookie };
    const answer = await send(http.app, method, `/api/${path}`, body, headers);
    return { status: answer.status, body: (await answer.json()) as View & { readonly code?: string } };
  }

  async function setVerified({ id }: TestPerson): Promise<void> {
    await sql`update players set email_verified = true where id = ${id}`.execute(database.kysely);
  }

  const ceo = await http.addPlayer();
  await sql`update players set email = ${OWNER_EMAIL} where id = ${ceo.id}`.execute(database.kysely);
  await setVerified(ceo);

  return {
    ceo,
    ask,
    setVerified,
    async report(reporter, report) {
      expect((await ask(reporter, "POST", "reports", report)).status).toBe(200);
      const { rows } = await sql<{ readonly id: string }>`
        select id from reports where reporter_id = ${reporter.id} and game_id = ${report.gameId} and player_id = ${report.playerId}`.execute(
        database.kysely,
      );
      return rows[0]!.id;
    },
    async makeAdmin() {
      const admin = await http.addPlayer();
      await setVerified(admin);
      expect((await ask(ceo, "POST", "admin/admins", { email: emailOf(admin), password: PASSWORD })).status).toBe(200);
      return admin;
    },
    async removeAdmin(person) {
      const { body } = await ask<{ admins: { id: string; email: string }[] }>(ceo, "GET", "admin/admins");
      const id = body.admins.find(({ email }) => email === emailOf(person))?.id;
      expect((await ask(ceo, "POST", "admin/admins/remove", { id })).status).toBe(200);
    },
    async whilePasswordChanges(lock, request) {
      const change = async (password: string, newPassword: string) =>
        expect((await ask(ceo, "POST", "account/password", { password, newPassword })).status).toBe(200);
      const other = "battery staple";
      const answer = await whilePasswordChanges(database, lock, () => change(PASSWORD, other), request);
      await change(other, PASSWORD);
      return answer;
    },
  };
}
