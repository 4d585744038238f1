import type { PaymentId } from "@holo/kernel/ids.ts";
import type { Coins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { loadDeletedPlayers } from "../../accounts/accounts.ts";
import { loadWallets } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import { type DepositState, hasDispute, isDisputed, toDepositResidue } from "../core/deposit-state.ts";
import { toWithdrawalResidue } from "../core/withdrawal-state.ts";
import { foldDeposits, foldWithdrawals, loadFacts, type StoredFact } from "../facts/fact-store.ts";
import { isDeposit, type Payment } from "../payment.ts";
import { loadPayments } from "../store/payment-store.ts";
import { loadProposals, type Proposal } from "./correction-store.ts";
import { type Correction, toDepositCorrections, toWithdrawalCorrections } from "./decide-corrections.ts";
import { formatEvidence } from "./evidence.ts";

/** A payment that staff look at: with them, disputed, or waiting longer than it should. */
export interface Case {
  readonly payment: Payment;
  readonly facts: readonly StoredFact[];
  /**
   * What no one has been given, or below 0 what no one paid for; null: the provider is not
   * conclusive.
   */
  readonly residueKobo: bigint | null;
  readonly why: string | null;
  /** Of a deposit. */
  readonly disputes: DepositState["disputes"];
  /** What ledger and log say about a disputed deposit; empty for any other. */
  readonly evidence: string;
  readonly wallet: Coins;
  readonly corrections: readonly Correction[];
  /** Waits for a second member. */
  readonly proposal: Proposal | null;
}

const CASES_MAX = 200;

/** Oldest first. */
export async function loadCases({
  database,
  time,
}: {
  readonly database: Database;
  readonly time: Time;
}): Promise<readonly Case[]> {
  const { kysely } = database;
  const payments = await loadPayments(
    kysely,
    sql`where (status in ('review', 'pending') or step = 'with_staff')
        and (status = 'review' or step = 'with_staff' or (kind <> 'deposit' and status = 'pending'))
      or (kind <> 'deposit' and status = 'processing' and slow_since is not null and step in ('held', 'sent'))
      order by created_at, id limit ${CASES_MAX}`,
  );
  const players = [...new Set(payments.map(({ playerId }) => playerId))];
  const [wallets, deletedPlayers, proposals] = await Promise.all([
    loadWallets(kysely, players),
    payments.length === 0 ? [] : loadDeletedPlayers(kysely),
    loadProposals(kysely),
  ]);
  const balances = new Map(wallets.map(({ playerId, balance }) => [playerId, balance]));
  const deleted = new Set(deletedPlayers);
  const now = time.now();
  return await Promise.all(
    payments.map(async (payment) => {
      const facts = await loadFacts(kysely, payment.id);
      const common = {
        payment,
        facts,
        wallet: balances.get(payment.playerId) ?? (0n as Coins),
        proposal: proposals.get(payment.id as PaymentId) ?? null,
      };
      if (isDeposit(payment)) {
        const state = foldDeposits(facts);
        const isAccountDeleted = deleted.has(payment.playerId);
        return {
          ...common,
          residueKobo: state.outcome === "unreadable" ? null : toDepositResidue(state),
          why: state.why ?? (isDisputed(state) ? "disputed" : null),
          disputes: state.disputes,
          evidence: hasDispute(state, "open") ? await formatEvidence(kysely, payment, state) : "",
          corrections: toDepositCorrections(state, { isAccountDeleted, now }),
        };
      }
      const state = foldWithdrawals(facts);
      return {
        ...common,
        residueKobo: toWithdrawalResidue(state, payment.kobo),
        why: state.why ?? state.wait,
        disputes: new Map(),
        evidence: "",
        corrections: toWithdrawalCorrections(state, { now, orderedKobo: payment.kobo }),
      };
    }),
  );
}
