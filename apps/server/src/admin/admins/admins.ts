import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { AdminsView } from "@holo/protocol/admin/staff.ts";
import {
  findAccountByEmail,
  type LockConfirmed,
  loadAdmins,
  loadOwner,
  loadRole,
  lockAdmins,
  type Player,
  parseEmail,
  removeAdmin,
  saveAdmin,
  saveOwner,
} from "../../accounts/accounts.ts";
import type { Database, Queries, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { formatMailContent } from "../../platform/mail/mail-content.ts";
import type { NewMail, QueueMail } from "../../platform/mail/outbox.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";

/** The acting admin. Permissions are looked up again in the transaction of the action. */
export type Actor = Player & { readonly email: string };

type AddRefusal = "bad_admin_email" | "access_denied" | "wrong_password" | "admin_listed" | "admins_full";
type RemoveRefusal = "access_denied" | "unknown_admin" | "own_matter" | "admin_matter";

/** The addresses that make their owners admins (ruling 25). */
export interface Admins {
  load(): Promise<AdminsView>;
  /**
   * Lists an address and mails every admin and the owner once. Refusals in the order of
   * `AddRefusal`.
   */
  add(actor: Actor, email: string, lockConfirmed: LockConfirmed): Promise<Result<AdminsView, AddRefusal>>;
  /**
   * Removes an address; its owner loses the role with the next request. Only the CEO removes a
   * verified one, and admins never their own. Refusals in the order of `RemoveRefusal`.
   */
  remove(actor: Actor, id: string): Promise<Result<AdminsView, RemoveRefusal>>;
}

interface AdminsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly onRoleChanged: (playerId: PlayerId) => void;
}

const ADMINS_MAX = 50;

/** Saves the configured owner address and logs a change, before any role is looked up. */
export async function applyOwnerEmail(database: Database, time: Time, email: string): Promise<void> {
  await transact(database, async (tx) => {
    const at = time.now();
    const before = await loadOwner(tx);
    if (!(await saveOwner(tx, email, at))) return;
    const detail = before === null ? "The first owner" : `Before: ${before.email}`;
    await recordAuditEvent(tx, { playerId: null, action: "owner_set", subject: email, detail, at });
  });
}

export function openAdmins({ database, time, publicUrl, queueMail, onRoleChanged }: AdminsDeps): Admins {
  async function announceRole(tx: Tx, email: string, afterCommit: (effect: () => void) => void) {
    const account = await findAccountByEmail(tx, email);
    if (account !== null) afterCommit(() => onRoleChanged(account.playerId));
    return account;
  }

  return {
    load: () => loadList(database.kysely),

    async add(actor, text, lockConfirmed) {
      const email = parseEmail(text);
      if (email === null) return refuse("bad_admin_email");
      return await transact(database, async (tx, afterCommit) => {
        await lockAdmins(tx);
        if ((await loadRole(tx, actor.id)) === null) return refuse("access_denied");
        if (!(await lockConfirmed(tx))) return refuse("wrong_password");
        const { owner, admins } = await loadList(tx);
        const listed = [owner.email, ...admins.map((admin) => admin.email)];
        if (listed.includes(email)) return refuse("admin_listed");
        if (admins.length >= ADMINS_MAX) return refuse("admins_full");
        const at = time.now();
        await saveAdmin(tx, { email, addedBy: actor.id, at });
        await recordAuditEvent(tx, { playerId: actor.id, action: "admin_added", subject: email, detail: "", at });
        const account = await announceRole(tx, email, afterCommit);
        const username = account?.isVerified === true ? account.username : null;
        for (const to of new Set([...listed, email])) {
          await queueMail(tx, toNewAdminMail({ to, added: email, username, addedBy: actor.username, publicUrl, at }));
        }
        return ok(await loadList(tx));
      });
    },

    async remove(actor, id) {
      return await transact(database, async (tx, afterCommit) => {
        await lockAdmins(tx);
        const role = await loadRole(tx, actor.id);
        if (role === null) return refuse("access_denied");
        const admin = (await loadAdmins(tx)).find((listed) => listed.id === id);
        if (admin === undefined) return refuse("unknown_admin");
        if (admin.email === actor.email) return refuse("own_matter");
        if (admin.isVerified && role !== "ceo") return refuse("admin_matter");
        await removeAdmin(tx, id);
        const at = time.now();
        await recordAuditEvent(tx, {
          playerId: actor.id,
          action: "admin_removed",
          subject: admin.email,
          detail: "",
          at,
        });
        await announceRole(tx, admin.email, afterCommit);
        return ok(await loadList(tx));
      });
    },
  };
}

async function loadList(queries: Queries): Promise<AdminsView> {
  const [owner, admins] = [await loadOwner(queries), await loadAdmins(queries)];
  assert(owner !== null, "the owner's address is kept at each start");
  return { owner, admins };
}

const MAIL_LIFE_MS = 3 * 24 * 60 * MINUTE_MS;

/** Mails staff that an address was listed (ruling 25), so that no admin is added unnoticed. */
function toNewAdminMail(order: {
  readonly to: string;
  readonly added: string;
  /** The account that has verified this address; null if there is none. */
  readonly username: string | null;
  readonly addedBy: string;
  readonly publicUrl: string;
  readonly at: Instant;
}): NewMail {
  const { to, added, username, addedBy, publicUrl, at } = order;
  const content = formatMailContent({
    title: "An admin was added",
    paragraphs: [
      `${addedBy} added ${added} to the admins of Holo Arena.`,
      username === null
        ? "Its owner is an admin as soon as they have an account with this address and have verified it."
        : `The account ${username} has this address and is now an admin.`,
    ],
    action: { text: "See all admins", url: `${publicUrl}/admin/revenue` },
    notes: [
      "The owner and all admins get this email. If this is a mistake, remove the address now. Once its owner is an admin, only the CEO can remove it.",
    ],
  });
  const mail = { kind: "new_admin", accountId: null, to, subject: "An admin was added" } as const;
  return { ...mail, ...content, expiresAt: addMs(at, MAIL_LIFE_MS) };
}
