import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { CorrectionAct } from "./decide-corrections.ts";

export interface Proposal {
  readonly id: string;
  readonly paymentId: PaymentId;
  readonly act: CorrectionAct;
  readonly kobo: bigint;
  /** The facts that its proposer saw. A newer one makes it void. */
  readonly lastFact: number;
  readonly reason: string;
  readonly proposedBy: PlayerId;
  readonly proposedAt: Instant;
}

interface ProposalRow {
  readonly id: string;
  readonly payment_id: PaymentId;
  readonly act: CorrectionAct;
  readonly kobo: bigint;
  readonly last_fact: number;
  readonly reason: string;
  readonly proposed_by: PlayerId;
  readonly proposed_at: bigint;
}

const COLUMNS = sql`id, payment_id, act, kobo, last_fact, reason, proposed_by, proposed_at`;

function toProposal(row: ProposalRow): Proposal {
  return {
    id: row.id,
    paymentId: row.payment_id,
    act: row.act,
    kobo: row.kobo,
    lastFact: row.last_fact,
    reason: row.reason,
    proposedBy: row.proposed_by,
    proposedAt: toInstant(Number(row.proposed_at)),
  };
}

export async function saveProposal(tx: Tx, proposal: Proposal): Promise<void> {
  const { id, paymentId, act, kobo, lastFact, reason, proposedBy, proposedAt } = proposal;
  await sql`
    update payment_corrections set outcome = 'void', ended_at = ${proposedAt} where payment_id = ${paymentId} and outcome is null`.execute(
    tx,
  );
  await sql`
    insert into payment_corrections (id, payment_id, act, kobo, last_fact, reason, proposed_by, proposed_at)
    values (${id}, ${paymentId}, ${act}, ${kobo}, ${lastFact}, ${reason}, ${proposedBy}, ${proposedAt})`.execute(tx);
}

export async function endProposal(
  tx: Tx,
  id: string,
  end: { readonly confirmedBy: PlayerId | null; readonly auditEventId: bigint; readonly at: Instant },
): Promise<void> {
  await sql`
    update payment_corrections set outcome = 'done', ended_at = ${end.at}, confirmed_by = ${end.confirmedBy},
      audit_event_id = ${end.auditEventId}
    where id = ${id}`.execute(tx);
}

/** Those that wait for a second member and that no fact has made void. */
export async function loadProposals(queries: Queries): Promise<ReadonlyMap<PaymentId, Proposal>> {
  const { rows } = await sql<ProposalRow>`
    select ${COLUMNS} from payment_corrections correction
    where outcome is null and last_fact = (select last_fact from payments where id = correction.payment_id)`.execute(
    queries,
  );
  return new Map(rows.map((row) => [row.payment_id, toProposal(row)]));
}

export async function loadProposal(queries: Queries, id: string): Promise<Proposal | null> {
  const { rows } = await sql<ProposalRow>`
    select ${COLUMNS} from payment_corrections where id = ${id} and outcome is null`.execute(queries);
  return rows[0] === undefined ? null : toProposal(rows[0]);
}

/** Separates these advisory locks from others. */
const LOCK_SPACE = 681;

/**
 * What the member ordered since then, done or waiting. Their orders wait for each other from here
 * on.
 */
export async function lockAndSumCorrections(tx: Tx, memberId: PlayerId, since: Instant): Promise<bigint> {
  await sql`select pg_advisory_xact_lock(${LOCK_SPACE}, hashtext(${memberId}))`.execute(tx);
  const { rows } = await sql<{ readonly kobo: bigint }>`
    select coalesce(sum(kobo), 0)::bigint as kobo from payment_corrections
    where proposed_by = ${memberId} and proposed_at > ${since} and outcome is distinct from 'void'`.execute(tx);
  return rows[0]!.kobo;
}
