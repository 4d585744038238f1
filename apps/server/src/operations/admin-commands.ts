import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { queueUnlimitedNotice } from "../accounts/email/account-notices.ts";
import { type AccountEmail, lockAccount } from "../accounts/email/email-links-store.ts";
import { loadOwner } from "../accounts/roles/roles-store.ts";
import { loadSecondFactorRow, removeSecondFactor } from "../accounts/second-factor/second-factor-store.ts";
import { loadSessions, removeSessions } from "../accounts/sessions/sessions-store.ts";
import { recordAuditEvent } from "../admin/admin.ts";
import type { Config } from "../config.ts";
import { question, savePayoutHold } from "../payments/payments.ts";
import { forgetSecret } from "../platform/auth-secret.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import type { Log } from "../platform/log.ts";
import { makeQueueMail } from "../platform/mail/outbox.ts";
import { loadClockOffsetMs } from "../platform/time/time.ts";
import { rebuildRatings } from "../players/players.ts";
import { formatCount } from "./format-count.ts";
import { loadSecret, openArenaDatabase, Refused } from "./storage.ts";

interface AdminContext {
  readonly database: Database;
  readonly log: Log;
  readonly config: Config;
  readonly at: Instant;
  readonly print: (line: string) => void;
}

interface AdminCommand {
  readonly usage: string;
  readonly effect: string;
  /** Whether the command needs `--because`, which the audit event keeps. */
  readonly needsReason: boolean;
  /** Whether it is about one player, payment or webhook. Default: true. */
  readonly hasSubject?: boolean;
  run(context: AdminContext, subject: string, reason: string): Promise<void>;
}

const REASON_LENGTH_MAX = 300;
const CONTROL = /\p{Cc}/u;

async function findPlayer({ kysely }: Database, name: string): Promise<PlayerId> {
  const { rows } = await sql<{ readonly id: PlayerId }>`
    select player.id from players player join profiles profile on profile.id = player.id
    where player.id = ${name} or lower(profile.username) = lower(${name}) or player.email = lower(${name})`.execute(
    kysely,
  );
  if (rows.length > 1) throw new Refused(`${name} names several players: use the address or the id`);
  const [found] = rows;
  if (found === undefined) throw new Refused(`there is no player ${name}: name one by username, address or id`);
  return found.id;
}

/** Locks the account, so that two concurrent runs of a command act once. */
async function change<Value>(
  { database }: AdminContext,
  playerId: PlayerId,
  work: (tx: Tx, account: AccountEmail) => Promise<Value>,
): Promise<Value> {
  return await transact(database, async (tx) => {
    const account = await lockAccount(tx, playerId);
    if (account === null) throw new Refused("the account was deleted meanwhile");
    return await work(tx, account);
  });
}

const verifyOwner: AdminCommand = {
  usage: "verify-owner ADDRESS --because TEXT",
  effect: "verifies the address of the CEO's account without a mail",
  needsReason: true,
  async run(context, subject, detail) {
    const { database, at, print } = context;
    const address = subject.toLowerCase();
    const owner = await loadOwner(database.kysely);
    if (owner?.email !== address) {
      throw new Refused(
        `${address} is not the owner's address (${owner?.email ?? "none"}): set OWNER_EMAIL and start the server`,
      );
    }
    const playerId = await findPlayer(database, address).catch(() => {
      throw new Refused(`${address} has no account yet: register with it on the page, then repeat this command`);
    });
    const isChanged = await change(context, playerId, async (tx, account) => {
      if (account.isVerified) return false;
      if (account.email !== address) throw new Refused("the account's address changed meanwhile");
      await sql`update players set email_verified = true where id = ${playerId}`.execute(tx);
      await recordAuditEvent(tx, { playerId: null, action: "owner_verified", subject: playerId, detail, at });
      return true;
    });
    print(isChanged ? `${address} is verified: its account is the CEO's now` : `${address} was verified already`);
  },
};

const sessions: AdminCommand = {
  usage: "sessions PLAYER",
  effect: "lists where a player is logged in",
  needsReason: false,
  async run({ database, at, print }, subject) {
    const found = await loadSessions(database.kysely, await findPlayer(database, subject), "", at);
    for (const { startedAt, seenAt, address, userAgent } of found) {
      const [started, seen] = [startedAt, seenAt].map((instant) => new Date(instant).toISOString());
      print(`since ${started}, last used ${seen}, from ${address ?? "an unknown address"}: ${userAgent || "unknown"}`);
    }
    print(formatCount(found.length, "session"));
  },
};

const endSessions: AdminCommand = {
  usage: "end-sessions PLAYER --because TEXT",
  effect: "logs a player out everywhere",
  needsReason: true,
  async run(context, subject, detail) {
    const { database, at, print } = context;
    const playerId = await findPlayer(database, subject);
    const count = await change(context, playerId, async (tx) => {
      const live = await loadSessions(tx, playerId, "", at);
      if (live.length === 0) return 0;
      await removeSessions(tx, playerId, null);
      await recordAuditEvent(tx, { playerId: null, action: "sessions_ended", subject: playerId, detail, at });
      return live.length;
    });
    const ended = `${formatCount(count, "session")} ended; open pages notice within half a minute`;
    print(count === 0 ? "there was no session" : ended);
  },
};

const endSecondFactor: AdminCommand = {
  usage: "end-second-factor PLAYER --because TEXT",
  effect: "switches login codes off if phone and recovery codes are lost; verify the person first",
  needsReason: true,
  async run(context, subject, detail) {
    const { database, config, at, print } = context;
    const playerId = await findPlayer(database, subject);
    const queueMail = makeQueueMail(await loadSecret(database, config), { now: () => at });
    const isChanged = await change(context, playerId, async (tx, account) => {
      if ((await loadSecondFactorRow(tx, playerId)) === null) return false;
      await removeSecondFactor(tx, playerId);
      await recordAuditEvent(tx, { playerId: null, action: "second_factor_removed", subject: playerId, detail, at });
      await queueUnlimitedNotice(tx, account, { type: "second_factor_off" }, at, {
        publicUrl: config.publicUrl,
        queueMail,
      });
      return true;
    });
    print(isChanged ? "login codes are off; a mail tells the player" : "login codes were off already");
  },
};

const askProvider: AdminCommand = {
  usage: "ask REFERENCE --because TEXT",
  effect: "has the provider asked about a payment, as its webhook would",
  needsReason: true,
  async run({ database, at, print }, subject, detail) {
    await transact(database, async (tx) => {
      if (!(await question(tx, subject, at))) throw new Refused("there is no such payment");
      await recordAuditEvent(tx, { playerId: null, action: "payment_asked", subject, detail, at });
    });
    print("a server asks within a second");
  },
};

const holdPayouts: AdminCommand = {
  usage: "hold-payouts --because TEXT",
  effect: "sends no withdrawal until the records were compared with the provider's; after a restore by other tools",
  needsReason: true,
  hasSubject: false,
  async run({ database, at, print }, _subject, detail) {
    await transact(database, async (tx) => {
      const event = { playerId: null, action: "payouts_held", subject: "operator", detail, at } as const;
      await savePayoutHold(tx, { cause: "operator", at, auditEventId: await recordAuditEvent(tx, event) });
    });
    print("no withdrawal is sent until the records were compared, or staff release the hold");
  },
};

const forget: AdminCommand = {
  usage: "forget-secret --because TEXT",
  effect: "lets the next server to start take a new AUTH_SECRET; stop all servers before",
  needsReason: true,
  hasSubject: false,
  async run({ database, at, print }, _subject, detail) {
    const isChanged = await transact(database, async (tx) => {
      if (!(await forgetSecret(tx))) return false;
      await recordAuditEvent(tx, { playerId: null, action: "secret_forgotten", subject: "operator", detail, at });
      return true;
    });
    print(isChanged ? "the next server to start determines the secret" : "no secret was known");
  },
};

const rebuild: AdminCommand = {
  usage: "rebuild-ratings --because TEXT",
  effect: "computes all ratings again from the logs of the games; also while servers run",
  needsReason: true,
  hasSubject: false,
  async run({ database, at, print }, _subject, detail) {
    const { games, corrected } = await transact(database, async (tx) => {
      const rebuilt = await rebuildRatings(tx);
      if (rebuilt.corrected > 0) {
        await recordAuditEvent(tx, { playerId: null, action: "ratings_rebuilt", subject: "operator", detail, at });
      }
      return rebuilt;
    });
    const outcome = corrected === 0 ? "every rating was right" : `${formatCount(corrected, "row")} corrected`;
    print(`${formatCount(games, "game")} rated again: ${outcome}`);
  },
};

const SECRETS = /secret|token/i;

/** A URL without its user and password; other values unchanged. */
function hide(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value === "object" && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hide(key, inner)]));
  }
  if (typeof value !== "string") return value;
  if (SECRETS.test(name) || name === "accessKeyId") return "(set)";
  if (!URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.username === "" && url.password === "" && url.search === "") return value;
  return `${url.protocol}//(set)@${url.host}${url.pathname}`;
}

const COMMANDS: Readonly<Record<string, AdminCommand>> = {
  "verify-owner": verifyOwner,
  sessions,
  "end-sessions": endSessions,
  "end-second-factor": endSecondFactor,
  ask: askProvider,
  "hold-payouts": holdPayouts,
  "forget-secret": forget,
  "rebuild-ratings": rebuild,
};

function formatUsage(): string {
  const listed = Object.values(COMMANDS).map(({ usage, effect }) => `  ${usage}: ${effect}`);
  return `the commands are\n  config: prints the configuration in effect, without secrets\n${listed.join("\n")}`;
}

interface AdminOrder {
  readonly command: AdminCommand;
  readonly subject: string;
  readonly reason: string;
}

function parseOrder([name = "", ...given]: readonly string[]): AdminOrder {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new Refused(formatUsage());
  const [subject, option, reason, ...rest] = command.hasSubject === false ? ["everybody", ...given] : given;
  const isComplete = subject !== undefined && subject !== "" && !subject.startsWith("-") && rest.length === 0;
  const isReasonFitting = command.needsReason ? option === "--because" && reason !== undefined : option === undefined;
  if (!isComplete || !isReasonFitting) throw new Refused(`use: ${command.usage}`);
  const text = reason?.trim() ?? "";
  if (command.needsReason && (text.length < 5 || text.length > REASON_LENGTH_MAX || CONTROL.test(text))) {
    throw new Refused(
      `--because must be one line of 5 to ${REASON_LENGTH_MAX} characters: who asked, and how you know`,
    );
  }
  return { command, subject, reason: text };
}

/** Runs one command of the operator. What it changes is an audit event of the same transaction. */
export async function runAdminCommand(
  args: readonly string[],
  config: Config,
  { log, print }: { readonly log: Log; readonly print: (line: string) => void },
): Promise<void> {
  if (args[0] === "config" && args.length === 1) {
    print(JSON.stringify(hide("config", config), null, 2));
    return;
  }
  const { command, subject, reason } = parseOrder(args);
  const { database, close } = await openArenaDatabase(config, log);
  try {
    const at = toInstant(Math.floor(Date.now() + (await loadClockOffsetMs(database))));
    await command.run({ database, config, log, at, print }, subject, reason);
  } finally {
    await close();
  }
}
