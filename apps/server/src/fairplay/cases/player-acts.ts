import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { OwnFairPlayCaseView, OwnFairPlayView } from "@holo/protocol/fair-play.ts";
import { loadWithdrawalOrigins } from "../../ledger/ledger.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import type { CaseAct, FairPlayCase } from "./case.ts";
import { loadActs, loadActsBy, loadCasesOf, loadOpenDisputeCases, lockCase, saveAct } from "./case-store.ts";
import { decideAppeal, decideMessage, toAppealUntil, toStateAt } from "./decide-case.ts";
import { sumCoins } from "./flow-edges.ts";
import type { HeldPayment, HeldPayments } from "./held-coins.ts";

/** What a player sees and does about their own coins. */
export interface PlayerActs {
  loadOwn(playerId: PlayerId): Promise<OwnFairPlayView>;
  /** Adds something to the check of a withdrawal that waits. */
  write(message: {
    readonly playerId: PlayerId;
    readonly paymentId: PaymentId;
    readonly text: string;
  }): Promise<
    Result<OwnFairPlayView, "fair_play_text_missing" | "unknown_payment" | "fair_play_over" | "fair_play_messages_full">
  >;
  /** Once for each forfeit. */
  appeal(appeal: {
    readonly playerId: PlayerId;
    readonly id: string;
    readonly text: string;
  }): Promise<Result<OwnFairPlayView, "fair_play_text_missing" | "unknown_case" | "appeal_made" | "appeal_over">>;
}

export interface PlayerActsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly payments: HeldPayments;
}

export function openPlayerActs({ database, time, payments }: PlayerActsDeps): PlayerActs {
  async function loadOwn(playerId: PlayerId): Promise<OwnFairPlayView> {
    const queries = database.kysely;
    const [held, own] = await Promise.all([payments.listHeld(queries, playerId), loadCasesOf(queries, playerId)]);
    const told = own.filter(isTold);
    const asked = await Promise.all(held.map((payment) => findCase(queries, playerId, payment)));
    const ids = [...told, ...asked.flatMap((one) => one ?? [])].map(({ id }) => id);
    const acts = await loadActs(queries, [...new Set(ids)]);
    const actsOf = (one: FairPlayCase | null) => (one === null ? [] : (acts.get(one.id) ?? []));
    const now = time.now();
    return {
      held: held.map(({ paymentId, kobo, coins, untilAt }, index) => {
        const one = asked[index] ?? null;
        return {
          paymentId,
          kobo: Number(kobo),
          coins: String(coins),
          untilAt,
          messages: toMessages(actsOf(one), playerId),
          canWrite: one !== null && decideMessage(one, actsOf(one), { playerId, now }) === null,
        };
      }),
      cases: told.flatMap((one) => toOwnView(one, actsOf(one), now) ?? []),
    };
  }

  /** The case that a withdrawal waits for: the player's own, or that of a disputed deposit. */
  async function findCase(
    queries: Queries,
    playerId: PlayerId,
    { paymentId }: Pick<HeldPayment, "paymentId">,
  ): Promise<FairPlayCase | null> {
    const now = time.now();
    const origins = await loadWithdrawalOrigins(queries, paymentId, now);
    const own = (await loadCasesOf(queries, playerId)).filter((one) => isTold(one) && toStateAt(one, now) === "open");
    const found = own.find(({ id }) => origins.some(({ doubtedBy }) => doubtedBy.includes(id)));
    if (found !== undefined) return found;
    const deposits = origins.flatMap(({ origin }) => origin.paymentId ?? []);
    const [disputed] = await loadOpenDisputeCases(queries, [...new Set(deposits)]);
    return disputed ?? null;
  }

  return {
    loadOwn,

    async write({ playerId, paymentId, text: given }) {
      const text = toText(given);
      if (text === "") return refuse("fair_play_text_missing");
      const held = await payments.listHeld(database.kysely, playerId);
      if (!held.some((payment) => payment.paymentId === paymentId)) return refuse("unknown_payment");
      const found = await findCase(database.kysely, playerId, { paymentId });
      if (found === null) return refuse("fair_play_over");
      const written = await transact(database, async (tx) => {
        const one = await lockCase(tx, found.id);
        const acts = (await loadActs(tx, [found.id])).get(found.id) ?? [];
        const at = time.now();
        const refused = one === null ? "fair_play_over" : decideMessage(one, acts, { playerId, now: at });
        if (refused !== null) return refuse(refused);
        await saveAct(tx, found.id, { type: "message", byId: playerId, at, text });
        return ok(null);
      });
      return written.ok ? ok(await loadOwn(playerId)) : written;
    },

    async appeal({ playerId, id, text: given }) {
      const text = toText(given);
      if (text === "") return refuse("fair_play_text_missing");
      const appealed = await transact(database, async (tx) => {
        const one = await lockCase(tx, id);
        if (one === null || one.playerId !== playerId) return refuse("unknown_case");
        const acts = (await loadActs(tx, [id])).get(id) ?? [];
        const at = time.now();
        const refused = decideAppeal(one, acts, at);
        if (refused !== null) return refuse(refused);
        await saveAct(tx, id, { type: "appealed", byId: playerId, at, text });
        return ok(null);
      });
      return appealed.ok ? ok(await loadOwn(playerId)) : appealed;
    },
  };
}

/** For the player's data export: what was decided about them, and what they wrote. */
export async function exportCases(queries: Queries, playerId: PlayerId, now: Instant) {
  const told = (await loadCasesOf(queries, playerId)).filter(isTold);
  const acts = await loadActs(
    queries,
    told.map(({ id }) => id),
  );
  return {
    cases: told.flatMap((one) => toOwnView(one, acts.get(one.id) ?? [], now) ?? []),
    messages: (await loadActsBy(queries, playerId)).map(({ at, text }) => ({ at, text })),
  };
}

/** Several lines, without control characters and those that turn the direction of text. */
function toText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\n]+/gu, " ")
    .replace(/\p{Bidi_Control}/gu, "")
    .trim();
}

/** Cases that only staff look at, or that hold the coins of others, are not shown. */
function isTold({ kind }: FairPlayCase): boolean {
  return kind === "flow" || kind === "engine";
}

function toMessages(acts: readonly CaseAct[], playerId: PlayerId) {
  const own = acts.filter(({ type, byId }) => type === "message" && byId === playerId);
  return own.map(({ at, text }) => ({ at, text: text ?? "" }));
}

function toOwnView(one: FairPlayCase, acts: readonly CaseAct[], now: Instant): OwnFairPlayCaseView | null {
  const state = toStateAt(one, now);
  if (one.untilAt === null || state === "closed") return null;
  const isForfeited = state === "forfeited";
  const appealed = acts.find(({ type }) => type === "appealed");
  const answer = acts.find(({ type }) => type === "appeal_answered");
  const untilAt = toAppealUntil(one, acts);
  return {
    id: one.id,
    state,
    openedAt: one.openedAt,
    untilAt: one.untilAt,
    endedAt: one.endedAt ?? (state === "released" ? one.untilAt : null),
    forfeitedCoins: isForfeited ? String(sumCoins(acts.find(({ type }) => type === "forfeited")?.given ?? [])) : null,
    gameIds: isForfeited ? one.gameIds : [],
    messages: toMessages(acts, one.playerId),
    appealUntilAt: untilAt !== null && now <= untilAt ? untilAt : null,
    appeal:
      appealed === undefined
        ? null
        : {
            at: appealed.at,
            text: appealed.text ?? "",
            answer:
              answer === undefined
                ? null
                : { at: answer.at, isAccepted: answer.isAccepted === true, text: answer.text ?? "" },
          },
  };
}
