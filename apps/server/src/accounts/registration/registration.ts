import { type PlayerId, toPlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { toTurnSource } from "../../platform/fair-turns.ts";
import { randomUUID } from "../../platform/runtime.ts";
import type { AccountPartDeps, Client } from "../account-part-deps.ts";
import { saveAccount } from "../accounts-store.ts";
import { queueAccountNotice } from "../email/account-notices.ts";
import { findAccountByEmail } from "../email/email-links-store.ts";
import { queueVerificationMail } from "../email/verification.ts";
import { hashPassword } from "../password/password-hash.ts";
import { savePasswordHash } from "../password/password-store.ts";
import { isUsernameTaken, lockRegistration, saveProfile } from "../profiles/profiles-store.ts";
import { toRegistrationBlockMail } from "./registration-block-mail.ts";
import { type FormRefusal, parseRegistration, type RegistrationForm } from "./registration-form.ts";

type RegisterRefusal = FormRefusal | "too_many_requests" | "username_taken";

interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly passwordHash: string;
}

export interface Registration {
  /**
   * Creates account, wallet and verification mail in one transaction, without a session. The owner
   * of a taken or blocked address is mailed instead, with the same answer (ruling 24).
   */
  register(form: RegistrationForm, client: Pick<Client, "address" | "cookie">): Promise<Result<null, RegisterRefusal>>;
  /** Creates an account without any checks and mails. Returns its id. */
  createAccount(tx: Tx, account: NewAccount): Promise<PlayerId>;
}

export function openRegistration(deps: AccountPartDeps): Registration {
  const { database, time, tableTime, registrationBlocks, rateLimiters, publicUrl, queueMail } = deps;

  async function createAccount(tx: Tx, account: NewAccount): Promise<PlayerId> {
    const [id, at] = [toPlayerId(randomUUID()), time.now()];
    await saveAccount(tx, { id, ...account }, at);
    await savePasswordHash(tx, id, account.passwordHash, at);
    await saveProfile(tx, { id, username: account.username }, at);
    await deps.onPlayerCreated(tx, id, at);
    return id;
  }

  async function mailOwner(tx: Tx, email: string): Promise<boolean> {
    const at = time.now();
    const owner = await findAccountByEmail(tx, email);
    const limiterKey = registrationBlocks.toKey(email);
    if (owner !== null) {
      if (await rateLimiters.thirdPartyNotices.tryAcquire(limiterKey, tx)) {
        await queueAccountNotice(tx, owner, { type: "known_address" }, at, deps);
      }
      return true;
    }
    // After the account lookup: an account removed concurrently was either found or has blocked its
    // address by now.
    const block = await registrationBlocks.find(tx, email, null, tableTime.now());
    if (block === null) return false;
    if (await rateLimiters.thirdPartyNotices.tryAcquire(limiterKey, tx)) {
      await queueMail(tx, toRegistrationBlockMail({ email, block, publicUrl, at }));
    }
    return true;
  }

  return {
    createAccount,

    async register(form, { address, cookie }) {
      const parsed = parseRegistration(form);
      if (!parsed.ok) return parsed;
      const { username, email, password } = parsed.value;
      if (!(await rateLimiters.registrations.tryAcquire(address))) return refuse("too_many_requests");
      const hashed = await deps.hashing.ofStrangers.run(toTurnSource(address), () => hashPassword(password));
      if (!hashed.ok) return hashed;
      return await transact(database, async (tx) => {
        await lockRegistration(tx);
        if (await isUsernameTaken(tx, username)) return refuse("username_taken");
        if (await mailOwner(tx, email)) return ok(null);
        const playerId = await createAccount(tx, { username, email, emailVerified: false, passwordHash: hashed.value });
        // A browser without a cookie gets one at its first login.
        const deviceHash = deps.devices.readHash(cookie);
        if (deviceHash !== null) await deps.traces.record(tx, playerId, "device", deviceHash, tableTime.now());
        await deps.traces.record(tx, playerId, "network", address, tableTime.now());
        await queueVerificationMail(tx, { playerId, username, email }, time.now(), deps);
        return ok(null);
      });
    },
  };
}
