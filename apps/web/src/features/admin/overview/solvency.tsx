import { formatCoins, subtractCoins, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import type { OverviewView, SolvencyView } from "@holo/protocol/admin/overview.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { CoinAmount } from "../../../shared/money/coin-amount.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { roundParts } from "../../../shared/money/round-parts.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import "./solvency.css";

interface SolvencyText {
  readonly kind: "covered" | "short" | "unknown";
  readonly text: string;
}

/** Says whether the provider's balance covers what players are owed. Equality is covered. */
export function describeSolvency({ differenceKobo, onTheWayKobo }: SolvencyView): SolvencyText {
  if (differenceKobo === null) {
    return {
      kind: "unknown",
      text: "The provider isn't reporting its balance right now. We keep asking.",
    };
  }
  if (differenceKobo >= 0) {
    const beyond = differenceKobo === 0 ? "exactly what" : `${formatNaira(toKobo(BigInt(differenceKobo)))} more than`;
    return { kind: "covered", text: `Covered: the provider holds ${beyond} players are owed.` };
  }
  const missing = formatNaira(toKobo(BigInt(-differenceKobo)));
  const maybeSent =
    onTheWayKobo > 0
      ? ` Up to ${formatNaira(toKobo(BigInt(onTheWayKobo)))} of that may be withdrawals that have left it already.`
      : "";
  return { kind: "short", text: `Not covered: the provider holds ${missing} less than players are owed.${maybeSent}` };
}

/**
 * The smaller of what is owed and what the provider holds, in whole percent of the larger. Null
 * without the provider's balance.
 */
export function toBarPercent({ owedKobo, providerKobo }: SolvencyView): number | null {
  if (providerKobo === null) return null;
  const most = Math.max(owedKobo, providerKobo);
  const least = Math.max(Math.min(owedKobo, providerKobo), 0);
  return most <= 0 ? 0 : Math.floor((least / most) * 100);
}

export function Solvency({ overview }: { readonly overview: OverviewView }) {
  const { solvency } = overview;
  const wallets = readCoins(overview.wallets);
  const escrow = readCoins(overview.escrow);
  const owed = readCoins(solvency.owedCoins);
  const opening = readCoins(overview.opening);
  const debts = readCoins(overview.debts);
  const onTheWay = subtractCoins(subtractCoins(owed, wallets), escrow);
  const parts = roundParts([wallets, escrow, onTheWay], owed);
  return (
    <Panel label="What players are owed">
      <div className="panel-head">
        <h2>What players are owed</h2>
      </div>
      <Standing solvency={solvency} />
      <Receipt>
        {parts.map((coins, index) => (
          <ReceiptRow key={PARTS[index]} term={PARTS[index]!}>
            <CoinAmount coins={coins} />
          </ReceiptRow>
        ))}
        <ReceiptTotal term="Owed in all">
          <CoinAmount coins={owed} />
        </ReceiptTotal>
      </Receipt>
      {opening > ZERO_COINS && (
        <p className="meta">
          This development database gave its players {formatCoins(opening)} HC to start with. Nobody paid for them, so
          they aren't backed by naira.
        </p>
      )}
      <div className="solvency-debts">
        <Receipt>
          <ReceiptRow term="Owed by players">
            <CoinAmount coins={debts} />
          </ReceiptRow>
        </Receipt>
        <p className="meta">
          Coins they spent from deposits that were later reversed. Their next coins repay this first.
        </p>
      </div>
    </Panel>
  );
}

function Standing({ solvency }: { readonly solvency: SolvencyView }) {
  const { kind, text } = describeSolvency(solvency);
  const { owedKobo, providerKobo } = solvency;
  const percent = toBarPercent(solvency);
  return (
    <>
      <div className={`solvency-standing ${kind}`} role={kind === "short" ? "alert" : undefined}>
        <Icon name={ICONS[kind]} size={24} />
        <p>{text}</p>
      </div>
      {percent !== null && (
        <div className={`solvency-bar ${kind}`} aria-hidden="true">
          <i style={{ width: `${percent}%` }} />
        </div>
      )}
      <dl className="solvency-sides">
        <div>
          <dt>Players are owed</dt>
          <dd>{formatNaira(toKobo(BigInt(owedKobo)))}</dd>
        </div>
        <div>
          <dt>The provider holds</dt>
          <dd>{providerKobo === null ? "Not known" : formatNaira(toKobo(BigInt(providerKobo)))}</dd>
        </div>
      </dl>
    </>
  );
}

const PARTS = ["In wallets", "Staked in games", "On the way to banks"] as const;
const ICONS = { covered: "check", short: "warn", unknown: "clock" } as const;
