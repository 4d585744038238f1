import { formatCoins, type Kobo, subtractCoins, toKoboWorth, ZERO_COINS } from "@holo/kernel/money.ts";
import { useState } from "react";
import { classes } from "../../ui/classes.ts";
import { Icon } from "../../ui/icon.tsx";
import { Money } from "../../ui/money.tsx";
import { formatNaira, formatRate } from "../../ui/naira.ts";
import { Note } from "../../ui/note.tsx";
import { Receipt, ReceiptRow } from "../../ui/receipt.tsx";
import { formatMoment } from "../../ui/relative-time.ts";
import { useNow } from "../../ui/use-now.ts";
import { sumOpen } from "./payments-list.ts";
import { Rosette } from "./rosette.tsx";
import type { Freeing, Wallet } from "./settling.ts";
import "./vault.css";

const CLOCK_MS = 30_000;
/** Who played much within a day has many lots; the first ones say enough. */
const FREES_SHOWN = 3;

/** "99,999.00": what is longer is written smaller, so that it stays on one line of a phone. */
const FIGURE_LENGTH = 9;

/** What a player has: free, settling, at the tables and on its way. */
export function Vault({ wallet }: { readonly wallet: Wallet }) {
  const { balance, withdrawable, inPlay, debts, payments, rateKobo } = wallet;
  const settling = subtractCoins(balance, withdrawable);
  const figure = formatCoins(balance);
  return (
    <section className="vault" aria-label="Balance">
      <Rosette />
      <p className="muted">Balance</p>
      <p className={classes("balance-figure", figure.length > FIGURE_LENGTH && "long")}>
        {figure} <small>HC</small>
      </p>
      <p className="balance-naira">{formatNaira(toKoboWorth(balance, rateKobo))}</p>
      <div className={classes("vault-bar", balance === ZERO_COINS && "drained")} aria-hidden="true">
        <i style={{ width: `${toPercent(withdrawable, balance)}%` }} />
      </div>
      <dl className="vault-parts">
        <div>
          <dt>Available for withdrawal</dt>
          <dd>
            <Money coins={withdrawable} />
          </dd>
          <dd className="meta">{formatNaira(toKoboWorth(withdrawable, rateKobo))}</dd>
        </div>
        <div>
          <dt>Settling, free within 24 hours</dt>
          <dd>
            <Money coins={settling} />
          </dd>
          <dd className="meta">{formatNaira(toKoboWorth(settling, rateKobo))}</dd>
        </div>
      </dl>
      {wallet.frees.length > 0 && <Frees frees={wallet.frees} />}
      <Receipt>
        <ReceiptRow term="In play">
          <Money coins={inPlay} />
        </ReceiptRow>
        <ReceiptRow term="Deposits on their way">{formatNaira(sumOpen(payments, "deposit") as Kobo)}</ReceiptRow>
        <ReceiptRow term="Withdrawals on their way">{formatNaira(sumOpen(payments, "withdrawal") as Kobo)}</ReceiptRow>
      </Receipt>
      {debts > ZERO_COINS && (
        <p className="vault-debt">
          <Icon name="warn" />
          <span>
            A deposit of yours was taken back after its coins were spent: {formatCoins(debts, "up")} HC are owed. What
            comes in repays them first, and until then nothing can be withdrawn.
          </span>
        </p>
      )}
      <VaultNotes rateKobo={rateKobo} />
    </section>
  );
}

/** The rules that hold for everyone's coins. */
export function VaultNotes({ rateKobo }: { readonly rateKobo: number }) {
  return (
    <div className="vault-notes">
      <Note>{formatRate(rateKobo)}</Note>
      <Note icon="clock">T+1 settlement: deposits and winnings can be withdrawn 24 hours after they arrive.</Note>
    </div>
  );
}

function Frees({ frees }: { readonly frees: readonly Freeing[] }) {
  const now = useNow(CLOCK_MS);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? frees : frees.slice(0, FREES_SHOWN);
  return (
    <div className="vault-frees">
      <ul aria-label="When settling coins become free">
        {shown.map(({ at, coins }) => (
          <li key={`${at} ${coins}`}>
            <Money coins={coins} /> free {formatMoment(at, now)}
          </li>
        ))}
      </ul>
      {frees.length > FREES_SHOWN && (
        <button type="button" className="link alone small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${frees.length}`}
        </button>
      )}
    </div>
  );
}

/** Whole percents are enough for a bar. */
function toPercent(part: bigint, whole: bigint): number {
  return whole <= 0n ? 0 : Number((part * 100n) / whole);
}
