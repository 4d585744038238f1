import { assertNever } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { formatNaira } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReviewEnd, ReviewsView } from "@holo/protocol/admin-views.ts";
import { findPlayers, loadRole, loadRoles } from "../accounts/accounts.ts";
import {
  type LeftCoinsOrder,
  type LeftCoinsRefusal,
  type Payments,
  type Permit,
  type ReviewRefusal,
  toPaymentView,
} from "../payments/payments.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { recordAct } from "./acts.ts";
import { toPlainLine } from "./plain-line.ts";
import { checkMatter, type Ranked, toMatterHeldBack } from "./ranks.ts";

export type EndRefusal = "reason_missing" | ReviewRefusal | PermitRefusal;
type PermitRefusal = "access_denied" | "own_matter" | "admin_matter";

export interface EndOrder {
  readonly reference: string;
  readonly end: ReviewEnd;
  /** What was shown to be booked; of the ends that book something alone. */
  readonly kobo?: number | undefined;
  /** Why, in the admin's own words. */
  readonly reason: string;
}

export type SendLeftOrder = Omit<LeftCoinsOrder, "verifiedBy"> & {
  /** Why, in the admin's own words. */
  readonly reason: string;
};

/** Payments that people have to look at (ruling 9). */
export interface ReviewEnds {
  load(viewer: Ranked): Promise<ReviewsView>;
  /**
   * Ends one of them once: whoever comes second finds it ended. Whose it is to end, `toMatterHeldBack` says. Refusals in the order of
   * `EndRefusal`.
   */
  end(actor: Ranked, order: EndOrder): Promise<Result<ReviewsView, EndRefusal>>;
  /**
   * Sends the coins of somebody who has left to where they were paid last, or, by the CEO alone, to another account. That the CEO has just
   * signed in again is for the caller to check. Refusals: `reason_missing`, those of `LeftCoinsRefusal`, `access_denied`.
   */
  sendLeft(
    actor: Ranked,
    order: SendLeftOrder,
  ): Promise<Result<ReviewsView, "reason_missing" | LeftCoinsRefusal | "access_denied">>;
}

export interface ReviewEndsOptions {
  readonly database: Database;
  readonly time: Time;
  readonly payments: Pick<Payments, "reviews" | "leftCoins">;
}

const ACTS = {
  credit: "review_credited",
  refund: "review_refunded",
  take: "review_taken",
  bear: "review_borne",
} as const satisfies Record<ReviewEnd, string>;

export function openReviewEnds({ database, time, payments }: ReviewEndsOptions): ReviewEnds {
  async function load(viewer: Ranked): Promise<ReviewsView> {
    const [reviews, wallets] = await Promise.all([payments.reviews.list(), payments.leftCoins.list()]);
    const ids = [...reviews.map(({ payment }) => payment.playerId), ...wallets.map(({ playerId }) => playerId)];
    const players = await findPlayers(database.kysely, [...new Set(ids)]);
    const roles = await loadRoles(database.kysely, [...new Set(ids)]);
    const toUsername = (id: PlayerId): string => players.get(id)?.username ?? id;
    return {
      payments: reviews.map(({ payment, arrived, gone, wallet, ends }) => ({
        payment: toPaymentView(payment),
        playerId: payment.playerId,
        username: toUsername(payment.playerId),
        arrivedKobo: arrived === null ? null : Number(arrived.kobo),
        arrivedCoins: arrived === null ? null : String(arrived.coins),
        goneKobo: gone === null ? null : Number(gone.kobo),
        goneCoins: gone === null ? null : String(gone.coins),
        walletCoins: String(wallet),
        ends,
        heldBack: toMatterHeldBack(viewer, [payment.playerId], roles),
      })),
      leftWallets: wallets.map(({ playerId, coins, kobo, bankName }) => ({
        playerId,
        username: toUsername(playerId),
        coins: String(coins),
        kobo: Number(kobo),
        bankName,
      })),
    };
  }

  function toPermit(actor: Ranked, { end, reason }: EndOrder): Permit<PermitRefusal> {
    return {
      check: (tx, payment) => checkMatter(tx, actor.id, [payment.playerId]),
      async record(tx, { reference }, kobo) {
        const detail = `${formatNaira(kobo)}: ${reason}`;
        await recordAct(tx, { playerId: actor.id, act: ACTS[end], subject: reference, detail, at: time.now() });
      },
    };
  }

  async function endOne(actor: Ranked, order: EndOrder) {
    const { reference, end, kobo = 0 } = order;
    const [permit, { reviews }] = [toPermit(actor, order), payments];
    switch (end) {
      case "credit":
        return await reviews.credit(reference, permit);
      case "refund":
        return await reviews.refund(reference, permit);
      case "take":
        return await reviews.book({ reference, bearer: "player", kobo: BigInt(kobo) }, permit);
      case "bear":
        return await reviews.book({ reference, bearer: "platform", kobo: BigInt(kobo) }, permit);
      default:
        return assertNever(end);
    }
  }

  return {
    load,
    async end(actor, given) {
      const order = { ...given, reason: toPlainLine(given.reason) };
      if (order.reason === "") return refuse("reason_missing");
      const ended = await endOne(actor, order);
      return ended.ok ? ok(await load(actor)) : ended;
    },
    async sendLeft(actor, given) {
      const reason = toPlainLine(given.reason);
      if (reason === "") return refuse("reason_missing");
      const isNamed = given.account !== null;
      const permit: Permit<"access_denied"> = {
        async check(tx) {
          const role = await loadRole(tx, actor.id);
          return role === "ceo" || (role === "admin" && !isNamed) ? ok(null) : refuse("access_denied");
        },
        async record(tx, { reference, account }, kobo) {
          const where = isNamed
            ? `another account at ${account?.bankName}`
            : `where they were paid last, at ${account?.bankName}`;
          const detail = `${formatNaira(kobo)} to ${where}: ${reason}`;
          await recordAct(tx, {
            playerId: actor.id,
            act: "left_coins_sent",
            subject: reference,
            detail,
            at: time.now(),
          });
        },
      };
      const sent = await payments.leftCoins.send({ ...given, verifiedBy: actor.id }, permit);
      return sent.ok ? ok(await load(actor)) : sent;
    },
  };
}
