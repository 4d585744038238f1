import type { PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import type { NewMail } from "../../platform/mail/outbox.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { makeTestTime, type TestTime } from "../../platform/testing/test-time.ts";
import { type Accounts, type Client, DEVELOPMENT_RATE_LIMITS } from "../accounts.ts";
import { openTestAccounts, PUBLIC_URL } from "./test-accounts.ts";

export const OLD = "correct horse";
export const NEW = "battery staple";
export const client: Client = { address: "192.0.2.1", userAgent: "test", cookie: undefined };

export interface Device {
  readonly cookie: string;
  readonly token: string;
}

export interface Person {
  readonly id: PlayerId;
  readonly email: string;
  readonly device: Device;
}

/** Accounts on a separate database, with the steps that players take. */
export class OwnAccounts {
  readonly time: TestTime = makeTestTime(toInstant(Date.now()));
  database!: Database;
  accounts!: Accounts;
  mails: NewMail[] = [];
  ended: PlayerId[] = [];
  #count = 0;

  constructor() {
    beforeAll(async () => {
      this.database = await createTestDatabase();
    });
    afterAll(() => this.database.close());
    beforeEach(() => {
      this.accounts = this.open();
      this.mails = [];
      this.ended = [];
    });
  }

  open(rateLimits = DEVELOPMENT_RATE_LIMITS): Accounts {
    const { database, time } = this;
    return openTestAccounts({
      database,
      time,
      rateLimits,
      queueMail: async (_tx, mail) => void this.mails.push(mail),
      onSessionsEnded: (playerId) => void this.ended.push(playerId),
    });
  }

  logIn = async (email: string, password = OLD, userAgent = "test"): Promise<Device | string> => {
    const answer = await this.accounts.login({ email, password }, { ...client, userAgent });
    if (!answer.ok) return answer.refusal;
    return { cookie: answer.value.setCookies[0]?.split(";")[0] ?? "", token: answer.value.session.token };
  };

  enter = async (): Promise<Person> => {
    this.#count += 1;
    const username = `person${this.#count}`;
    const email = `${username}@example.com`;
    const registered = await this.accounts.register({ username, email, password: OLD }, client);
    if (!registered.ok) throw new Error(registered.refusal);
    const device = await this.logIn(email);
    if (typeof device === "string") throw new Error(device);
    const session = await this.accounts.findSession(device.cookie);
    this.mails = [];
    return { id: session!.player.id, email, device };
  };

  another = async ({ email }: Person): Promise<Device> => {
    const device = await this.logIn(email);
    if (typeof device === "string") throw new Error(device);
    this.mails.length = 0;
    return device;
  };

  isAlive = async ({ cookie }: Device): Promise<boolean> => (await this.accounts.findSession(cookie)) !== null;
  isKnown = async (email: string, password: string): Promise<boolean> =>
    typeof (await this.logIn(email, password)) !== "string";

  readToken = (kind: string): string => {
    const mail = this.mails.findLast((one) => one.kind === kind);
    const found = new RegExp(`^${PUBLIC_URL}/(reset-password|verify-email)\\?token=([A-Za-z0-9_-]{43})$`, "m").exec(
      mail?.text ?? "",
    );
    if (found?.[2] === undefined) throw new Error(`there is no link in a mail of ${kind}`);
    return found[2];
  };
}

export const done = { ok: true, value: null };
export const refused = (refusal: string) => ({ ok: false, refusal });
