import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { toKoboOut } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { countMembers, lockLimits } from "../../accounts/accounts.ts";
import {
  lockWallet,
  postForfeit,
  postForfeitReturn,
  unmarkCoins,
  unmarkDeposit,
  type Wallet,
} from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { type Effect, transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import type { CaseAct, FairPlayCase, Gift } from "./case.ts";
import { endCase, loadActs, lockCase, saveAct } from "./case-store.ts";
import { decideAnswer, decideClear, decideConfirmation, decideProposal, decideWithdrawal } from "./decide-case.ts";
import { sumCoins, toGainer } from "./flow-edges.ts";
import { type HeldPayments, listHolders, loadForfeit } from "./held-coins.ts";
import { type NoticeDeps, tell, toAnswerNotice, toForfeitNotice, toGiftNotice } from "./notices.ts";

export type StaffAct = "cleared" | "proposed" | "withdrawn" | "forfeited" | "appeal_answered";

/** `unknown_case`: the member does not see it. */
type CaseDenial = "access_denied" | "unknown_case" | "own_matter";

interface CaseEvent {
  readonly act: StaffAct;
  readonly caseId: string;
  readonly detail: string;
  readonly at: Instant;
}

/** Whether a member of staff may act on a case, and the record of the act, in its transaction. */
export interface CasePermit {
  readonly memberId: PlayerId;
  check(tx: Tx, one: FairPlayCase): Promise<Result<null, CaseDenial>>;
  /** Returns the id of the audit event. */
  record(tx: Tx, event: CaseEvent): Promise<bigint>;
}

type Done<Refusal> = Promise<Result<null, CaseDenial | Refusal>>;

interface CaseOrder {
  readonly id: string;
  readonly reason: string;
}

interface ProposalOrder {
  readonly id: string;
  readonly proposalId: bigint;
}

/** What members of staff do about a case. The caller passes a permit. */
export interface StaffActs {
  note(order: CaseOrder, permit: CasePermit): Done<never>;
  /** By one member: the coins leave at once. */
  clear(order: CaseOrder, permit: CasePermit): Done<"case_over" | "forfeit_proposed">;
  /** Moves nothing. */
  propose(order: CaseOrder, permit: CasePermit): Done<NonNullable<ReturnType<typeof decideProposal>>>;
  withdraw(order: ProposalOrder, permit: CasePermit): Done<"case_over" | "proposal_over">;
  /** By another member (ruling 44): the coins go back to those who lost them. */
  confirm(
    order: ProposalOrder,
    permit: CasePermit,
  ): Done<NonNullable<ReturnType<typeof decideConfirmation>> | "nothing_to_forfeit">;
  /** By a third one. An accepted appeal is paid by the platform: the others keep theirs. */
  answer(
    order: CaseOrder & { readonly isAccepted: boolean },
    permit: CasePermit,
  ): Done<NonNullable<ReturnType<typeof decideAnswer>> | "appeal_unpayable">;
}

export interface StaffActsDeps extends NoticeDeps {
  readonly database: Database;
  readonly time: Time;
  readonly payments: HeldPayments;
  readonly rateKobo: () => number;
  readonly sendFrame: (playerId: PlayerId, frame: ServerFrame) => void;
}

interface Turn {
  readonly tx: Tx;
  readonly afterCommit: (effect: Effect) => void;
  readonly one: FairPlayCase;
  readonly acts: readonly CaseAct[];
  readonly at: Instant;
}

export function openStaffActs(deps: StaffActsDeps): StaffActs {
  const { database, time, payments, rateKobo, sendFrame } = deps;

  function sendWallets(wallets: readonly Wallet[]): void {
    for (const { playerId, balance, sequence } of wallets)
      sendFrame(playerId, { type: "wallet", balance: String(balance), sequence });
  }

  async function act<Refusal extends string>(
    id: string,
    permit: CasePermit,
    carryOut: (turn: Turn) => Promise<Refusal | null>,
  ): Done<Refusal> {
    return await transact(database, async (tx, afterCommit) => {
      const one = await lockCase(tx, id);
      if (one === null) return refuse("unknown_case");
      const permitted = await permit.check(tx, one);
      if (!permitted.ok) return permitted;
      const acts = (await loadActs(tx, [id])).get(id) ?? [];
      const refused = await carryOut({ tx, afterCommit, one, acts, at: time.now() });
      return refused === null ? ok(null) : refuse(refused);
    });
  }

  async function endMarks({ tx, one, at }: Turn): Promise<void> {
    const { playerId, paymentId } = one;
    if (paymentId !== null) await unmarkDeposit(tx, { paymentId, playerId });
    else {
      await lockWallet(tx, playerId);
      await unmarkCoins(tx, one.id);
    }
    // Withdrawals that knew the marks are committed now, and are due.
    for (const holderId of await listHolders(tx, one)) await payments.recheckHeld(tx, holderId, at);
  }

  async function tellForfeit({ tx, afterCommit, one, at }: Turn, given: readonly Gift[]) {
    const { playerId } = one;
    const notice = toForfeitNotice(toKoboOut(sumCoins(given), rateKobo()));
    await tell(tx, afterCommit, deps, { playerId, notice, at });
    for (const gift of given)
      await tell(tx, afterCommit, deps, { playerId: gift.playerId, notice: toGiftNotice(gift.coins), at });
  }

  return {
    note: ({ id, reason }, permit) =>
      act<never>(id, permit, async ({ tx, at }) => {
        await saveAct(tx, id, { type: "note", byId: permit.memberId, at, text: reason });
        return null;
      }),

    clear: ({ id, reason }, permit) =>
      act(id, permit, async (turn) => {
        const { tx, one, acts, at } = turn;
        const refused = decideClear(one, acts, at);
        if (refused !== null) return refused;
        await endMarks(turn);
        const auditEventId = await permit.record(tx, { act: "cleared", caseId: id, detail: reason, at });
        await endCase(tx, id, { state: "cleared", at });
        await saveAct(tx, id, { type: "cleared", byId: permit.memberId, at, text: reason, auditEventId });
        return null;
      }),

    propose: ({ id, reason }, permit) =>
      act(id, permit, async ({ tx, one, acts, at }) => {
        const refused = decideProposal(one, acts, { now: at, members: await countMembers(tx) });
        if (refused !== null) return refused;
        const { gifts: given } = await loadForfeit(tx, one, payments, at);
        const auditEventId = await permit.record(tx, { act: "proposed", caseId: id, detail: reason, at });
        await saveAct(tx, id, { type: "proposed", byId: permit.memberId, at, text: reason, given, auditEventId });
        return null;
      }),

    withdraw: ({ id, proposalId }, permit) =>
      act(id, permit, async ({ tx, one, acts, at }) => {
        const refused = decideWithdrawal(one, acts, { now: at, proposalId });
        if (refused !== null) return refused;
        const auditEventId = await permit.record(tx, { act: "withdrawn", caseId: id, detail: "withdrawn", at });
        await saveAct(tx, id, { type: "withdrawn", byId: permit.memberId, at, auditEventId });
        return null;
      }),

    confirm: ({ id, proposalId }, permit) =>
      act(id, permit, async (turn) => {
        const { tx, afterCommit, one, acts, at } = turn;
        const { playerId } = one;
        const refused = decideConfirmation(one, acts, { memberId: permit.memberId, now: at, proposalId });
        if (refused !== null) return refused;
        // Withdrawals wait: none takes any of the coins meanwhile.
        await lockLimits(tx, playerId);
        const { held, gifts } = await loadForfeit(tx, one, payments, at);
        if (gifts.length === 0) return "nothing_to_forfeit";
        const heldIds = held.map(({ paymentId }) => paymentId);
        await payments.returnHeld(tx, afterCommit, playerId, heldIds);
        const { wallets, given } = await postForfeit(tx, { caseId: id, playerId, to: toGainer(one), at });
        // All of them are staked in an open game.
        if (given.length === 0 && held.length === 0) return "nothing_to_forfeit";
        assert(given.length > 0, `case ${id} returned withdrawals and forfeits nothing`);
        await unmarkCoins(tx, id);
        const auditEventId = await permit.record(tx, {
          act: "forfeited",
          caseId: id,
          detail: acts.findLast(isProposal)?.text ?? "",
          at,
        });
        await endCase(tx, id, { state: "forfeited", at });
        await saveAct(tx, id, { type: "forfeited", byId: permit.memberId, at, given, auditEventId });
        afterCommit(() => sendWallets(wallets));
        await tellForfeit(turn, given);
        return null;
      }),

    answer: ({ id, reason, isAccepted }, permit) =>
      act(id, permit, async ({ tx, afterCommit, one, acts, at }) => {
        const refused = decideAnswer(acts, permit.memberId);
        if (refused !== null) return refused;
        const { playerId } = one;
        const coins = sumCoins(acts.find(({ type }) => type === "forfeited")?.given ?? []);
        if (isAccepted) {
          const paid = await postForfeitReturn(tx, { caseId: id, playerId, coins, at });
          if (!paid.ok) return "appeal_unpayable";
          afterCommit(() => sendWallets(paid.value.wallets));
        }
        const detail = `${isAccepted ? "accepted" : "refused"}: ${reason}`;
        const auditEventId = await permit.record(tx, { act: "appeal_answered", caseId: id, detail, at });
        const answered = { type: "appeal_answered", byId: permit.memberId, at, text: reason } as const;
        await saveAct(tx, id, { ...answered, isAccepted, auditEventId });
        await tell(tx, afterCommit, deps, { playerId, notice: toAnswerNotice(isAccepted, reason, coins), at });
        return null;
      }),
  };
}

const isProposal = ({ type }: CaseAct): boolean => type === "proposed";
