import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { FairPlayCaseView, ListedFairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import type { AuditEventType } from "@holo/protocol/admin/staff.ts";
import { findPlayers } from "../../accounts/accounts.ts";
import {
  type CasePermit,
  type FairPlay,
  loadActs,
  loadCase,
  loadCases,
  loadForfeit,
  type StaffAct,
  type StaffActs,
} from "../../fairplay/fairplay.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import type { StaffMember } from "../authority.ts";
import { toSingleLine } from "../single-line.ts";
import { loadCaseView, toListedView } from "./case-view.ts";
import { checkFairPlay, filterVisible } from "./fair-play-authority.ts";

type RefusalOf<Act extends keyof StaffActs> =
  Awaited<ReturnType<StaffActs[Act]>> extends Result<null, infer Refusal> ? Refusal : never;
type Acted<Act extends keyof StaffActs> = Promise<Result<FairPlayCaseView, RefusalOf<Act>>>;
type Reasoned<Act extends keyof StaffActs> = Promise<Result<FairPlayCaseView, "reason_missing" | RefusalOf<Act>>>;

interface CaseOrder {
  readonly id: string;
  readonly reason: string;
}

interface ProposalOrder {
  readonly id: string;
  readonly proposalId: string;
}

/** Cases of fair play, without those that concern the member who asks. */
export interface FairPlayCases {
  list(
    viewer: StaffMember,
    page: { readonly state: "open" | "ended"; readonly offset: number },
  ): Promise<{ readonly cases: readonly ListedFairPlayCaseView[]; readonly next: string | null }>;
  load(viewer: StaffMember, id: string): Promise<Result<FairPlayCaseView, "unknown_case">>;
  note(actor: StaffMember, order: CaseOrder): Reasoned<"note">;
  clear(actor: StaffMember, order: CaseOrder): Reasoned<"clear">;
  propose(actor: StaffMember, order: CaseOrder): Reasoned<"propose">;
  withdraw(actor: StaffMember, order: ProposalOrder): Acted<"withdraw">;
  confirm(actor: StaffMember, order: ProposalOrder): Acted<"confirm">;
  answer(actor: StaffMember, order: CaseOrder & { readonly isAccepted: boolean }): Reasoned<"answer">;
}

interface FairPlayCasesDeps {
  readonly database: Database;
  readonly time: Time;
  readonly fairPlay: Pick<FairPlay, "staff" | "listHeld">;
}

const PAGE = 50;

const ACTIONS = {
  cleared: "fair_play_cleared",
  proposed: "forfeit_proposed",
  withdrawn: "forfeit_withdrawn",
  forfeited: "coins_forfeited",
  appeal_answered: "appeal_answered",
} as const satisfies Record<StaffAct, AuditEventType>;

export function openFairPlayCases({ database, time, fairPlay }: FairPlayCasesDeps): FairPlayCases {
  const { staff, listHeld } = fairPlay;
  const queries = database.kysely;

  function toPermit({ id: playerId }: StaffMember): CasePermit {
    return {
      memberId: playerId,
      check: async (tx, one) => {
        const { gifts } = await loadForfeit(tx, one, { listHeld }, time.now());
        return await checkFairPlay(tx, playerId, one, gifts);
      },
      record: (tx, { act, caseId: subject, detail, at }) =>
        recordAuditEvent(tx, { playerId, action: ACTIONS[act], subject, detail, at }),
    };
  }

  async function load(viewer: StaffMember, id: string): Promise<Result<FairPlayCaseView, "unknown_case">> {
    const one = await loadCase(queries, id);
    if (one === null || (await filterVisible(queries, viewer, [one])).length === 0) return refuse("unknown_case");
    const acts = (await loadActs(queries, [id])).get(id) ?? [];
    return ok(await loadCaseView(viewer, one, acts, { queries, now: time.now(), listHeld }));
  }

  async function show<Refusal>(
    viewer: StaffMember,
    id: string,
    acted: Result<null, Refusal>,
  ): Promise<Result<FairPlayCaseView, Refusal | "unknown_case">> {
    return acted.ok ? await load(viewer, id) : acted;
  }

  return {
    async list(viewer, { state, offset }) {
      const now = time.now();
      const page = { viewerId: viewer.id, isEnded: state === "ended", now, offset, limit: PAGE + 1 };
      const found = await loadCases(queries, page);
      const shown = found.slice(0, PAGE);
      const acts = await loadActs(
        queries,
        shown.map(({ id }) => id),
      );
      const visible = await filterVisible(queries, viewer, shown);
      const names = visible.flatMap(({ id, playerId }) => [
        playerId,
        ...(acts.get(id) ?? []).flatMap(({ byId }) => byId ?? []),
      ]);
      const players = await findPlayers(queries, [...new Set(names)]);
      const findPlayer = (id: (typeof names)[number]) => ({ id, username: players.get(id)?.username ?? id });
      return {
        cases: visible.map((one) => toListedView(viewer, one, acts.get(one.id) ?? [], { findPlayer, now })),
        next: found.length > PAGE ? String(offset + PAGE) : null,
      };
    },
    load,

    async note(actor, given) {
      const order = toOrder(given);
      if (order.reason === "") return refuse("reason_missing");
      return await show(actor, order.id, await staff.note(order, toPermit(actor)));
    },
    async clear(actor, given) {
      const order = toOrder(given);
      if (order.reason === "") return refuse("reason_missing");
      return await show(actor, order.id, await staff.clear(order, toPermit(actor)));
    },
    async propose(actor, given) {
      const order = toOrder(given);
      if (order.reason === "") return refuse("reason_missing");
      return await show(actor, order.id, await staff.propose(order, toPermit(actor)));
    },
    async withdraw(actor, given) {
      return await show(actor, given.id, await staff.withdraw(toProposalOrder(given), toPermit(actor)));
    },
    async confirm(actor, given) {
      return await show(actor, given.id, await staff.confirm(toProposalOrder(given), toPermit(actor)));
    },
    async answer(actor, given) {
      const order = { ...given, ...toOrder(given) };
      if (order.reason === "") return refuse("reason_missing");
      return await show(actor, order.id, await staff.answer(order, toPermit(actor)));
    },
  };
}

function toOrder({ id, reason }: CaseOrder): CaseOrder {
  return { id, reason: toSingleLine(reason) };
}

function toProposalOrder({ id, proposalId }: ProposalOrder) {
  return { id, proposalId: BigInt(proposalId) };
}
