import type { PlayerId } from "@holo/kernel/ids.ts";
import { formatNaira } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { PaymentCasesView, PaymentCaseView } from "@holo/protocol/admin/money.ts";
import type { AuditEventType } from "@holo/protocol/admin/staff.ts";
import {
  countMembers,
  findPlayers,
  type LockConfirmed,
  loadRole,
  loadRoles,
  type Role,
} from "../../accounts/accounts.ts";
import {
  type Case,
  type ConfirmationRefusal,
  type CorrectionAct,
  type CorrectionOrder,
  type CorrectionRefusal,
  type DisputeAnswer,
  type DisputeAnswerRefusal,
  type OrphanedBalanceOrder,
  type OrphanedBalanceRefusal,
  type Payments,
  type Permit,
  toPaymentView,
} from "../../payments/payments.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { checkCase, findCaseConflict, type StaffMember } from "../authority.ts";
import { toSingleLine } from "../single-line.ts";

type PermitRefusal = "access_denied" | "own_matter" | "admin_matter";
type PayoutRefusal = "access_denied" | "wrong_password";
type Corrected = PaymentCasesView & { readonly isProposed: boolean };

type SendOrphanedBalanceOrder = Omit<OrphanedBalanceOrder, "verifiedBy"> & { readonly reason: string };
type CorrectOrder = Omit<CorrectionOrder, "memberId" | "kobo"> & { readonly kobo: number };

export interface PaymentCases {
  load(viewer: StaffMember): Promise<PaymentCasesView>;
  /** `findCaseConflict` decides who may. A larger one waits for a second member (ruling 58). */
  correct(
    actor: StaffMember,
    order: CorrectOrder,
  ): Promise<Result<Corrected, "reason_missing" | CorrectionRefusal | PermitRefusal>>;
  confirm(actor: StaffMember, id: string): Promise<Result<Corrected, ConfirmationRefusal | PermitRefusal>>;
  answerDispute(
    actor: StaffMember,
    answer: DisputeAnswer,
  ): Promise<Result<PaymentCasesView, "reason_missing" | DisputeAnswerRefusal | PermitRefusal>>;
  /**
   * Sends a deleted account's orphaned balance to the account last paid, or, by the CEO only, to
   * another, with their confirmed password.
   */
  sendOrphanedBalance(
    actor: StaffMember,
    order: SendOrphanedBalanceOrder,
    lockConfirmed: LockConfirmed | null,
  ): Promise<Result<PaymentCasesView, "reason_missing" | OrphanedBalanceRefusal | PayoutRefusal>>;
}

interface PaymentCasesDeps {
  readonly database: Database;
  readonly time: Time;
  readonly payments: Pick<Payments, "corrections" | "loadCases" | "answerDispute" | "orphanedBalances">;
}

const ACTIONS = {
  credit: "payment_credited",
  debit: "payment_debited",
  refund: "payment_refunded",
  send_again: "payment_sent_again",
  write_off: "payment_written_off",
} as const satisfies Record<CorrectionAct, AuditEventType>;

export function openPaymentCases({ database, time, payments }: PaymentCasesDeps): PaymentCases {
  async function load(viewer: StaffMember): Promise<PaymentCasesView> {
    const [cases, wallets] = await Promise.all([payments.loadCases(), payments.orphanedBalances.list()]);
    const ids = [
      ...cases.flatMap(({ payment, proposal }) => [payment.playerId, ...(proposal ? [proposal.proposedBy] : [])]),
      ...wallets.map(({ playerId }) => playerId),
    ];
    const players = await findPlayers(database.kysely, [...new Set(ids)]);
    const roles = await loadRoles(database.kysely, [...new Set(ids)]);
    const findUsername = (id: PlayerId): string => players.get(id)?.username ?? id;
    return {
      cases: cases.map((one) => toCaseView(viewer, one, findUsername, roles)),
      orphanedBalances: wallets.map(({ playerId, coins, kobo, bankName }) => ({
        playerId,
        username: findUsername(playerId),
        coins: String(coins),
        kobo: Number(kobo),
        bankName,
      })),
    };
  }

  /** The audit event names its proposer's reason; who confirmed it is with the correction. */
  function toPermit(
    actor: StaffMember,
    toEvent: () => { action: AuditEventType; reason: string },
  ): Permit<PermitRefusal> {
    return {
      check: (tx, payment) => checkCase(tx, actor.id, [payment.playerId]),
      async record(tx, { reference }, kobo) {
        const { action, reason } = toEvent();
        const detail = `${formatNaira(kobo)}: ${reason}`;
        return await recordAuditEvent(tx, { playerId: actor.id, action, subject: reference, detail, at: time.now() });
      },
    };
  }

  return {
    load,
    async correct(actor, given) {
      const reason = toSingleLine(given.reason);
      if (reason === "") return refuse("reason_missing");
      const order = { ...given, kobo: BigInt(given.kobo), reason, memberId: actor.id };
      const permit = toPermit(actor, () => ({ action: ACTIONS[given.act], reason }));
      const corrected = await payments.corrections.order(order, permit);
      return corrected.ok ? ok({ isProposed: corrected.value === "proposed", ...(await load(actor)) }) : corrected;
    },
    async confirm(actor, id) {
      const proposal = (await payments.loadCases()).find((one) => one.proposal?.id === id)?.proposal ?? null;
      if (proposal === null) return refuse("unknown_payment");
      const permit = toPermit(actor, () => ({
        action: ACTIONS[proposal.act],
        reason: `confirmed: ${proposal.reason}`,
      }));
      const isOnlyMember = async (tx: Parameters<typeof countMembers>[0]) => (await countMembers(tx)) === 1;
      const confirmed = await payments.corrections.confirm({ id, memberId: actor.id, isOnlyMember }, permit);
      return confirmed.ok ? ok({ isProposed: false, ...(await load(actor)) }) : confirmed;
    },
    async answerDispute(actor, given) {
      const evidence = toSingleLine(given.evidence);
      if (evidence === "") return refuse("reason_missing");
      const permit = toPermit(actor, () => ({ action: "dispute_answered", reason: evidence }));
      const answered = await payments.answerDispute({ ...given, evidence }, permit);
      return answered.ok ? ok(await load(actor)) : answered;
    },
    async sendOrphanedBalance(actor, given, lockConfirmed) {
      const reason = toSingleLine(given.reason);
      if (reason === "") return refuse("reason_missing");
      const sent = await payments.orphanedBalances.send(
        { ...given, verifiedBy: actor.id },
        toPayoutPermit(actor, { isNamed: given.account !== null, lockConfirmed, reason, time }),
      );
      return sent.ok ? ok(await load(actor)) : sent;
    },
  };
}

interface PayoutFacts {
  /** Whether the order names an account other than the last one. */
  readonly isNamed: boolean;
  readonly lockConfirmed: LockConfirmed | null;
  readonly reason: string;
  readonly time: Time;
}

function toPayoutPermit(
  actor: StaffMember,
  { isNamed, lockConfirmed, reason, time }: PayoutFacts,
): Permit<PayoutRefusal> {
  return {
    async check(tx) {
      const role = await loadRole(tx, actor.id);
      if (role !== "ceo" && (role !== "admin" || isNamed)) return refuse("access_denied");
      return !isNamed || (await lockConfirmed?.(tx)) === true ? ok(null) : refuse("wrong_password");
    },
    async record(tx, payment, kobo) {
      const { reference } = payment;
      const bankName = payment.kind === "deposit" ? "" : payment.account.bankName;
      const where = isNamed ? `another account at ${bankName}` : `where they were paid last, at ${bankName}`;
      const detail = `${formatNaira(kobo)} to ${where}: ${reason}`;
      const action = "orphaned_balance_sent";
      return await recordAuditEvent(tx, { playerId: actor.id, action, subject: reference, detail, at: time.now() });
    },
  };
}

function toNumber(kobo: bigint | null | undefined): number | null {
  return kobo === null || kobo === undefined ? null : Number(kobo);
}

function toFactView({ number, at, fact, auditEventId }: Case["facts"][number]): PaymentCaseView["facts"][number] {
  const { type } = fact;
  const named = fact as { outcome?: string; stage?: string; why?: string | null; cause?: string };
  const sums = fact as { kobo?: bigint; keptKobo?: bigint; backKobo?: bigint };
  return {
    number,
    at,
    type,
    outcome: named.outcome ?? named.stage ?? named.why ?? named.cause ?? null,
    kobo: toNumber(sums.kobo ?? sums.keptKobo),
    backKobo: toNumber(sums.backKobo),
    isByStaff: auditEventId !== null,
  };
}

function toCaseView(
  viewer: StaffMember,
  { payment, facts, why, residueKobo, disputes, evidence, wallet, corrections, proposal }: Case,
  findUsername: (id: PlayerId) => string,
  roles: ReadonlyMap<PlayerId, Role>,
): PaymentCaseView {
  return {
    payment: toPaymentView(payment),
    playerId: payment.playerId,
    username: findUsername(payment.playerId),
    why,
    facts: facts.map(toFactView),
    residueKobo: toNumber(residueKobo),
    disputes: [...disputes].map(([id, { stage, dueAt }]) => ({
      id,
      stage: stage === "collected" ? "lost" : stage,
      dueAt,
      evidence,
    })),
    walletCoins: String(wallet),
    corrections: corrections.map(({ act, kobo }) => ({ act, kobo: Number(kobo) })),
    proposal: proposal && {
      id: proposal.id,
      act: proposal.act,
      kobo: Number(proposal.kobo),
      reason: proposal.reason,
      username: findUsername(proposal.proposedBy),
      isOwn: proposal.proposedBy === viewer.id,
      at: proposal.proposedAt,
    },
    lastFact: payment.lastFact,
    heldBack: findCaseConflict(viewer, [payment.playerId], roles),
  };
}
