import { assertNever } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { formatNaira } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReviewEnd, ReviewsView } from "@holo/protocol/admin/money.ts";
import {
  findPlayers,
  type LockConfirmed,
  loadRole,
  loadRoles,
  type Player,
  type Role,
} from "../../accounts/accounts.ts";
import {
  type OrphanedBalanceOrder,
  type OrphanedBalanceRefusal,
  type Payments,
  type Permit,
  type ReviewRefusal,
  toStaffPaymentView,
} from "../../payments/payments.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { checkCase, findCaseConflict, type StaffMember } from "../authority.ts";
import { toSingleLine } from "../single-line.ts";

type ReviewOutcomeRefusal = "reason_missing" | ReviewRefusal | PermitRefusal;
type PermitRefusal = "access_denied" | "own_matter" | "admin_matter";

type PayoutRefusal = "access_denied" | "wrong_password";

interface ReviewOrder {
  readonly reference: string;
  readonly end: ReviewEnd;
  /** The amount shown to the admin, for outcomes that post it. */
  readonly kobo: number | null;
  readonly reason: string;
}

type SendOrphanedBalanceOrder = Omit<OrphanedBalanceOrder, "verifiedBy"> & {
  readonly reason: string;
};

export interface PaymentReviews {
  load(viewer: StaffMember): Promise<ReviewsView>;
  /**
   * Ends a review once; a second attempt finds it ended. `findCaseConflict` decides who may.
   * Refusals come in the order of `ReviewOutcomeRefusal`.
   */
  end(actor: StaffMember, order: ReviewOrder): Promise<Result<ReviewsView, ReviewOutcomeRefusal>>;
  /**
   * Sends a deleted account's orphaned balance to the account last paid, or, by the CEO only, to
   * another, with their confirmed password.
   */
  sendOrphanedBalance(
    actor: StaffMember,
    order: SendOrphanedBalanceOrder,
    lockConfirmed: LockConfirmed | null,
  ): Promise<Result<ReviewsView, "reason_missing" | OrphanedBalanceRefusal | PayoutRefusal>>;
}

interface PaymentReviewsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly payments: Pick<Payments, "reviews" | "orphanedBalances">;
}

const ACTIONS = {
  credit: "review_credited",
  refund: "review_refunded",
  take: "review_taken",
  bear: "review_borne",
  write_off: "review_written_off",
  close: "review_closed",
  count_paid: "review_counted_paid",
  give_back: "review_given_back",
} as const satisfies Record<ReviewEnd, string>;

export function openPaymentReviews({ database, time, payments }: PaymentReviewsDeps): PaymentReviews {
  async function load(viewer: StaffMember): Promise<ReviewsView> {
    const [reviews, wallets] = await Promise.all([payments.reviews.list(), payments.orphanedBalances.list()]);
    const ids = [...reviews.map(({ payment }) => payment.playerId), ...wallets.map(({ playerId }) => playerId)];
    const players = await findPlayers(database.kysely, [...new Set(ids)]);
    const roles = await loadRoles(database.kysely, [...new Set(ids)]);
    return toReviewsView(viewer, reviews, wallets, players, roles);
  }

  function toPermit(actor: StaffMember, { end, reason }: ReviewOrder): Permit<PermitRefusal> {
    return {
      check: (tx, payment) => checkCase(tx, actor.id, [payment.playerId]),
      async record(tx, { reference }, kobo) {
        const detail = `${formatNaira(kobo)}: ${reason}`;
        await recordAuditEvent(tx, {
          playerId: actor.id,
          action: ACTIONS[end],
          subject: reference,
          detail,
          at: time.now(),
        });
      },
    };
  }

  async function endOne(actor: StaffMember, order: ReviewOrder) {
    const { reference, end } = order;
    const kobo = BigInt(order.kobo ?? 0);
    const [permit, { reviews }] = [toPermit(actor, order), payments];
    switch (end) {
      case "credit":
        return await reviews.credit(reference, permit, kobo);
      case "refund":
        return await reviews.refund(reference, permit);
      case "take":
        return await reviews.allocate({ reference, bearer: "player", kobo }, permit);
      case "bear":
        return await reviews.allocate({ reference, bearer: "platform", kobo }, permit);
      case "write_off":
      case "close":
        return await reviews.endTransfer({ reference, end }, permit);
      case "count_paid":
      case "give_back":
        return await reviews.endTransfer({ reference, end, kobo }, permit);
      default:
        return assertNever(end);
    }
  }

  return {
    load,
    async end(actor, given) {
      const order = { ...given, reason: toSingleLine(given.reason) };
      if (order.reason === "") return refuse("reason_missing");
      const ended = await endOne(actor, order);
      return ended.ok ? ok(await load(actor)) : ended;
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
      await recordAuditEvent(tx, {
        playerId: actor.id,
        action: "orphaned_balance_sent",
        subject: reference,
        detail,
        at: time.now(),
      });
    },
  };
}

function toNumber(kobo: bigint | null): number | null {
  return kobo === null ? null : Number(kobo);
}

function toReviewsView(
  viewer: StaffMember,
  reviews: Awaited<ReturnType<Payments["reviews"]["list"]>>,
  wallets: Awaited<ReturnType<Payments["orphanedBalances"]["list"]>>,
  players: ReadonlyMap<PlayerId, Player>,
  roles: ReadonlyMap<PlayerId, Role>,
): ReviewsView {
  const findUsername = (id: PlayerId): string => players.get(id)?.username ?? id;
  return {
    payments: reviews.map(({ payment, arrived, sentKobo, refunded, wallet, ends }) => ({
      payment: toStaffPaymentView(payment),
      playerId: payment.playerId,
      username: findUsername(payment.playerId),
      arrivedKobo: toNumber(sentKobo ?? arrived?.kobo ?? null),
      arrivedCoins: arrived === null ? null : String(arrived.coins),
      refundedKobo: toNumber(refunded?.kobo ?? null),
      refundedCoins: refunded === null ? null : String(refunded.coins),
      walletCoins: String(wallet),
      ends,
      heldBack: findCaseConflict(viewer, [payment.playerId], roles),
    })),
    orphanedBalances: wallets.map(({ playerId, coins, kobo, bankName }) => ({
      playerId,
      username: findUsername(playerId),
      coins: String(coins),
      kobo: Number(kobo),
      bankName,
    })),
  };
}
