import { addCoins, toCoins, toKoboOwed } from "@holo/kernel/money.ts";
import type { ReconciliationView } from "@holo/protocol/admin/money.ts";
import type { OverviewView, SolvencyView } from "@holo/protocol/admin/overview.ts";
import type { SettingsEffectView } from "@holo/protocol/admin/settings.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import { countGames } from "../../game/game.ts";
import { loadOwedFigures, loadPlatformFigures, loadRevenueFigures, type OwedFigures } from "../../ledger/ledger.ts";
import { loadPayoutHold, type Payments, type Reconciliation } from "../../payments/payments.ts";
import type { Database } from "../../platform/database/database.ts";
import { readSnapshot } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { openProviderBalance, type ProviderBalance } from "./provider-balance.ts";

export interface Overview {
  load(): Promise<Omit<OverviewView, "role">>;
  /** What players would be owed under these settings, and what they are owed now. */
  loadEffect(settings: SettingsView): Promise<SettingsEffectView>;
}

interface OverviewDeps {
  readonly database: Database;
  readonly time: Time;
  readonly payments: Pick<Payments, "loadProviderBalance" | "reconciliation">;
  readonly settings: () => SettingsView;
}

export function openOverview({ database, time, payments, settings }: OverviewDeps): Overview {
  const askProvider = openProviderBalance(payments.loadProviderBalance, time);

  return {
    async load() {
      const [{ accounts, revenue, owed, games }, provider, reconciliation, payoutHold] = await Promise.all([
        readSnapshot(database, async (queries) => ({
          accounts: await loadPlatformFigures(queries),
          revenue: await loadRevenueFigures(queries),
          owed: await loadOwedFigures(queries),
          games: await countGames(queries),
        })),
        askProvider(),
        payments.reconciliation.loadLast(),
        loadPayoutHold(database.kysely),
      ]);
      const { rateKobo, feeBps } = settings();
      return {
        at: time.now(),
        platformBalance: String(addCoins(accounts.wallets, accounts.escrow)),
        wallets: String(accounts.wallets),
        escrow: String(accounts.escrow),
        opening: String(toCoins(-accounts.opening)),
        completedRevenue: String(revenue.earned),
        // These accounts have negative balances in the ledger.
        providerFees: String(toCoins(-accounts.providerFees)),
        providerLoss: String(toCoins(-accounts.providerLoss)),
        debts: String(toCoins(-accounts.debts)),
        games,
        rateKobo,
        feeBps,
        solvency: toSolvencyView(owed, provider, rateKobo),
        reconciliation: reconciliation && toReconciliationView(reconciliation),
        payoutHold: payoutHold && { cause: payoutHold.cause, fromAt: payoutHold.fromAt },
      };
    },

    async loadEffect({ rateKobo }) {
      const [owed, provider] = await Promise.all([readSnapshot(database, loadOwedFigures), askProvider()]);
      return {
        owedCoins: String(owed.coins),
        owedKoboNow: toOwedKobo(owed, settings().rateKobo),
        owedKoboThen: toOwedKobo(owed, rateKobo),
        providerKobo: provider.kobo,
      };
    },
  };
}

/** Pending withdrawals keep the exchange rate they began with (ruling 4). */
function toOwedKobo({ held, onTheWayKobo }: OwedFigures, rateKobo: number): number {
  return Number(toKoboOwed(held, rateKobo) + onTheWayKobo);
}

function toSolvencyView(owed: OwedFigures, provider: ProviderBalance, rateKobo: number): SolvencyView {
  const owedKobo = toOwedKobo(owed, rateKobo);
  return {
    owedCoins: String(owed.coins),
    owedKobo,
    onTheWayKobo: Number(owed.onTheWayKobo),
    providerKobo: provider.kobo,
    differenceKobo: provider.kobo === null ? null : provider.kobo - owedKobo,
  };
}

export function toReconciliationView({ day, finishedAt, asked, differences }: Reconciliation): ReconciliationView {
  return {
    day,
    finishedAt,
    asked,
    differences: differences.map(({ type, reference, kobo }) => ({ type, reference, kobo: Number(kobo) })),
  };
}
