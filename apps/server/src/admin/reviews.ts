import { formatNaira } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReviewEnd, ReviewsView } from "@holo/protocol/admin-views.ts";
import { findPlayers, loadRoles } from "../accounts/accounts.ts";
import { type Payments, type Permit, type ReviewRefusal, toPaymentView } from "../payments/payments.ts";
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
  /** Why, in the admin's own words. */
  readonly reason: string;
}

/** Payments that people have to look at (ruling 9). */
export interface ReviewEnds {
  load(viewer: Ranked): Promise<ReviewsView>;
  /**
   * Ends one of them once: whoever comes second finds it ended. Whose it is to end, `toMatterHeldBack` says. Refusals in the order of
   * `EndRefusal`.
   */
  end(actor: Ranked, order: EndOrder): Promise<Result<ReviewsView, EndRefusal>>;
}

export interface ReviewEndsOptions {
  readonly database: Database;
  readonly time: Time;
  readonly payments: Pick<Payments, "reviews">;
}

const ACTS = { credit: "review_credited", refund: "review_refunded" } as const satisfies Record<ReviewEnd, string>;

export function openReviewEnds({ database, time, payments }: ReviewEndsOptions): ReviewEnds {
  async function load(viewer: Ranked): Promise<ReviewsView> {
    const reviews = await payments.reviews.list();
    const playerIds = [...new Set(reviews.map(({ payment }) => payment.playerId))];
    const players = await findPlayers(database.kysely, playerIds);
    const roles = await loadRoles(database.kysely, playerIds);
    return {
      payments: reviews.map(({ payment, arrived, isEndable }) => ({
        payment: toPaymentView(payment),
        playerId: payment.playerId,
        username: players.get(payment.playerId)?.username ?? payment.playerId,
        arrivedKobo: arrived === null ? null : Number(arrived.kobo),
        arrivedCoins: arrived === null ? null : String(arrived.coins),
        isEndable,
        heldBack: toMatterHeldBack(viewer, [payment.playerId], roles),
      })),
    };
  }

  function toPermit(actor: Ranked, { end, reason }: EndOrder): Permit<PermitRefusal> {
    return {
      check: (tx, payment) => checkMatter(tx, actor.id, [payment.playerId]),
      async record(tx, { reference, kobo }) {
        const detail = `${formatNaira(kobo)}: ${reason}`;
        await recordAct(tx, { playerId: actor.id, act: ACTS[end], subject: reference, detail, at: time.now() });
      },
    };
  }

  return {
    load,
    async end(actor, given) {
      const order = { ...given, reason: toPlainLine(given.reason) };
      if (order.reason === "") return refuse("reason_missing");
      const ended = await payments.reviews[order.end](order.reference, toPermit(actor, order));
      return ended.ok ? ok(await load(actor)) : ended;
    },
  };
}
