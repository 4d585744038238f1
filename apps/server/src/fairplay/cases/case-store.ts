import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { CaseAct, CaseFinding, FairPlayCase, Gift, NewAct } from "./case.ts";
import type { CaseState } from "./decide-case.ts";

/** As its columns come from the database. */
type CaseRow = Omit<FairPlayCase, "depositIds" | "finding"> & {
  readonly depositIds: readonly string[];
  readonly finding: StoredFinding;
};

type Stored<Value> = Omit<Value, "coins"> & { readonly coins: string };
interface StoredFinding extends Omit<CaseFinding, "flows" | "edges"> {
  readonly flows: readonly Stored<CaseFinding["flows"][number]>[];
  readonly edges: readonly Stored<CaseFinding["edges"][number]>[];
}

const COLUMNS = sql`fair.id, fair.player_id as "playerId", fair.kind, fair.state, fair.opened_at::float8 as "openedAt",
  fair.until_at::float8 as "untilAt", fair.ended_at::float8 as "endedAt", fair.coins, fair.deposit_ids::text[] as "depositIds",
  fair.game_ids::text[] as "gameIds", fair.payment_id as "paymentId", fair.concerned, fair.finding`;

export async function saveCase(tx: Tx, given: FairPlayCase): Promise<void> {
  await sql`
    insert into fair_play_cases (id, player_id, kind, state, opened_at, until_at, coins, deposit_ids, game_ids, payment_id, concerned, finding)
    values (${given.id}, ${given.playerId}, ${given.kind}, ${given.state}, ${given.openedAt}, ${given.untilAt}, ${given.coins},
      ${given.depositIds.map(String)}::text[]::bigint[], ${[...given.gameIds]}::text[]::uuid[], ${given.paymentId},
      ${[...given.concerned]}::text[], ${format(given.finding)}::text::jsonb)`.execute(tx);
}

export async function endCase(
  tx: Tx,
  id: string,
  { state, at }: { readonly state: CaseState; readonly at: Instant },
): Promise<void> {
  await sql`update fair_play_cases set state = ${state}, ended_at = ${at} where id = ${id}`.execute(tx);
}

/** Its acts wait for each other from here on. Null without such a case. */
export async function lockCase(tx: Tx, id: string): Promise<FairPlayCase | null> {
  const { rows } = await sql<CaseRow>`
    select ${COLUMNS} from fair_play_cases fair where fair.id = ${id} for update`.execute(tx);
  return rows[0] === undefined ? null : parse(rows[0]);
}

export async function loadCase(queries: Queries, id: string): Promise<FairPlayCase | null> {
  const { rows } = await sql<CaseRow>`select ${COLUMNS} from fair_play_cases fair where fair.id = ${id}`.execute(
    queries,
  );
  return rows[0] === undefined ? null : parse(rows[0]);
}

export async function lockDisputeCase(tx: Tx, paymentId: PaymentId): Promise<FairPlayCase | null> {
  const { rows } = await sql<CaseRow>`
    select ${COLUMNS} from fair_play_cases fair where fair.payment_id = ${paymentId} and fair.state = 'open' for update`.execute(
    tx,
  );
  return rows[0] === undefined ? null : parse(rows[0]);
}

interface CasePage {
  readonly viewerId: PlayerId;
  /** Those that have ended, newest first; else what is left to decide, earliest deadline first. */
  readonly isEnded: boolean;
  readonly now: Instant;
  readonly offset: number;
  readonly limit: number;
}

/** Without those that concern the viewer. */
export async function loadCases(
  queries: Queries,
  { viewerId, isEnded, now, offset, limit }: CasePage,
): Promise<readonly FairPlayCase[]> {
  const isOpen = sql`(fair.state = 'open' and (fair.until_at is null or fair.until_at > ${now}) or fair.state = 'forfeited'
    and exists (select from fair_play_acts act where act.case_id = fair.id and act.type = 'appealed')
    and not exists (select from fair_play_acts act where act.case_id = fair.id and act.type = 'appeal_answered'))`;
  const order = isEnded
    ? sql`coalesce(fair.ended_at, fair.until_at) desc, fair.id`
    : sql`fair.until_at nulls last, fair.opened_at, fair.id`;
  const { rows } = await sql<CaseRow>`
    select ${COLUMNS} from fair_play_cases fair
    where ${isEnded ? sql`not (${isOpen})` : isOpen} and not (${viewerId} = any(fair.concerned))
    order by ${order} offset ${offset} limit ${limit}`.execute(queries);
  return rows.map(parse);
}

/** Newest first. */
export async function loadCasesOf(queries: Queries, playerId: PlayerId): Promise<readonly FairPlayCase[]> {
  const { rows } = await sql<CaseRow>`
    select ${COLUMNS} from fair_play_cases fair where fair.player_id = ${playerId} order by fair.opened_at desc, fair.id`.execute(
    queries,
  );
  return rows.map(parse);
}

export async function loadOpenDisputeCases(
  queries: Queries,
  paymentIds: readonly PaymentId[],
): Promise<readonly FairPlayCase[]> {
  const { rows } = await sql<CaseRow>`
    select ${COLUMNS} from fair_play_cases fair
    where fair.payment_id = any(${[...paymentIds]}::uuid[]) and fair.state = 'open'
    order by fair.opened_at, fair.id`.execute(queries);
  return rows.map(parse);
}

/** Those that are not held against anyone again: in order, released, or an appeal accepted. */
export async function loadClearedGames(queries: Queries, gameIds: readonly GameId[]): Promise<ReadonlySet<GameId>> {
  const { rows } = await sql<{ readonly id: GameId }>`/* prepared fair_play_cleared_games */
    select distinct game.id::text as id
    from fair_play_cases fair cross join lateral unnest(fair.game_ids) as game (id)
    where fair.game_ids && ${[...gameIds]}::text[]::uuid[] and game.id = any(${[...gameIds]}::text[]::uuid[])
      and (fair.state in ('cleared', 'released') or exists (select from fair_play_acts act
        where act.case_id = fair.id and act.type = 'appeal_answered' and (act.figures ->> 'isAccepted')::boolean))`.execute(
    queries,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Holds whose time is over, and that no one writes to right now. */
export async function lockOverdueCases(tx: Tx, now: Instant, limit: number): Promise<readonly FairPlayCase[]> {
  const { rows } = await sql<CaseRow>`
    select ${COLUMNS} from fair_play_cases fair where fair.state = 'open' and fair.until_at <= ${now}
    order by fair.until_at limit ${limit} for update skip locked`.execute(tx);
  return rows.map(parse);
}

/** Deletes cases that ended before, but for forfeits, which the ledger names. */
export async function removeOldCases(queries: Queries, before: Instant): Promise<void> {
  await sql`
    delete from fair_play_cases
    where (state not in ('open', 'forfeited') and ended_at < ${before})
      or (state = 'open' and kind in ('listed', 'review') and opened_at < ${before})`.execute(queries);
}

type ActRow = Omit<CaseAct, "given" | "isAccepted"> & {
  readonly figures: { readonly given?: readonly Stored<Gift>[]; readonly isAccepted?: boolean } | null;
};

const ACT_COLUMNS = sql`id, case_id as "caseId", type, by_id as "byId", at::float8 as at, text, figures,
  type = 'proposed' and not exists (select from user_roles role where role.user_id = by_id) as "isLapsed"`;

export async function saveAct(tx: Tx, caseId: string, act: NewAct): Promise<void> {
  const { type, byId, at, text = null, given = [], isAccepted = null, auditEventId = null } = act;
  const figures = {
    ...(given.length > 0 && { given: given.map(({ playerId, coins }) => ({ playerId, coins: String(coins) })) }),
    ...(isAccepted !== null && { isAccepted }),
  };
  const stored = Object.keys(figures).length === 0 ? null : JSON.stringify(figures);
  await sql`
    insert into fair_play_acts (case_id, type, by_id, at, text, figures, audit_event_id)
    values (${caseId}, ${type}, ${byId}, ${at}, ${text}, ${stored}::text::jsonb, ${auditEventId})`.execute(tx);
}

/** Oldest first. */
export async function loadActs(
  queries: Queries,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, readonly CaseAct[]>> {
  const { rows } = await sql<ActRow>`
    select ${ACT_COLUMNS} from fair_play_acts where case_id = any(${[...caseIds]}) order by id`.execute(queries);
  return Map.groupBy(rows.map(toAct), ({ caseId }) => caseId);
}

/** What a player wrote to cases, also to those of others, oldest first. */
export async function loadActsBy(queries: Queries, playerId: PlayerId): Promise<readonly CaseAct[]> {
  const { rows } = await sql<ActRow>`
    select ${ACT_COLUMNS} from fair_play_acts
    where by_id = ${playerId} and type in ('message', 'appealed') order by id`.execute(queries);
  return rows.map(toAct);
}

function toAct({ figures, ...act }: ActRow): CaseAct {
  return { ...act, given: (figures?.given ?? []).map(withCoins), isAccepted: figures?.isAccepted ?? null };
}

function parse({ depositIds, finding: { flows, edges, ...finding }, ...row }: CaseRow): FairPlayCase {
  return {
    ...row,
    depositIds: depositIds.map(BigInt),
    finding: { ...finding, flows: flows.map(withCoins), edges: edges.map(withCoins) },
  };
}

function withCoins<Value extends { readonly coins: string }>(
  value: Value,
): Omit<Value, "coins"> & { readonly coins: Coins } {
  return { ...value, coins: toCoins(BigInt(value.coins)) };
}

/** Sums are larger than JSON's numbers. */
function format(finding: CaseFinding): string {
  return JSON.stringify(finding, (_name, one: unknown) => (typeof one === "bigint" ? String(one) : one));
}
