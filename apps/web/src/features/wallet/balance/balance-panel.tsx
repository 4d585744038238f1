import { type Coins, formatCoins, type Kobo, toKoboWorth, ZERO_COINS } from "@holo/kernel/money.ts";
import { useState } from "react";
import { CoinAmount } from "../../../shared/money/coin-amount.tsx";
import { formatNaira, formatRate } from "../../../shared/money/naira.ts";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { formatFutureTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { type SettlingLot, sumOpenKobo, toSettling, type Wallet } from "../wallet.ts";
import "./balance-panel.css";

const CLOCK_MS = 30_000;
/** A player of many games has many lots; three are enough. */
const LOTS_SHOWN = 3;

/** Longer amounts use a smaller font to fit one line of a phone ("99,999.00"). */
const FIGURE_LENGTH = 9;

interface BalancePanelProps {
  readonly balance: Coins;
  readonly rateKobo: number;
}

export function BalancePanel({ balance, rateKobo }: BalancePanelProps) {
  const figure = formatCoins(balance);
  return (
    <section className="vault-head" aria-label="Balance">
      <p className="muted">Balance</p>
      <p className={classes("balance-figure", figure.length > FIGURE_LENGTH && "long")}>
        {figure} <small>HC</small>
      </p>
      <p className="balance-naira">{formatNaira(toKoboWorth(balance, rateKobo))}</p>
    </section>
  );
}

interface BalanceDetailsProps {
  readonly wallet: Wallet;
  /** The balance has changed since the wallet was loaded. */
  readonly isOld: boolean;
}

/**
 * The withdrawable part of the balance, and the waiting rest. On phones it follows the payment
 * form.
 */
export function BalanceDetails({ wallet, isOld }: BalanceDetailsProps) {
  const { balance, withdrawable, inPlay, debts, payments, rateKobo } = wallet;
  const { settling, shown, lots } = toSettling(wallet);
  return (
    <section className="vault-details" aria-label="Available and pending" aria-busy={isOld}>
      <div className={classes("vault-bar", balance === ZERO_COINS && "drained")} aria-hidden="true">
        <i style={{ width: `${toPercent(withdrawable, balance)}%` }} />
      </div>
      <dl className="vault-parts">
        <div>
          <dt>Available for withdrawal</dt>
          <dd>
            <CoinAmount coins={withdrawable} />
          </dd>
          <dd className="meta">{formatNaira(toKoboWorth(withdrawable, rateKobo))}</dd>
        </div>
        <div>
          <dt>Ready after 24 hours</dt>
          <dd>
            <CoinAmount coins={shown} />
          </dd>
          <dd className="meta">{formatNaira(toKoboWorth(settling, rateKobo))}</dd>
        </div>
      </dl>
      {lots.length > 0 && <SettlingLots lots={lots} />}
      <Receipt>
        {/* The entry of an open game, as everywhere. */}
        <ReceiptRow term="In play">{formatCoins(inPlay, "up")} HC</ReceiptRow>
        <ReceiptRow term="Pending deposits">{formatNaira(sumOpenKobo(payments, "deposit") as Kobo)}</ReceiptRow>
        <ReceiptRow term="Pending withdrawals">{formatNaira(sumOpenKobo(payments, "withdrawal") as Kobo)}</ReceiptRow>
      </Receipt>
      {debts > ZERO_COINS && (
        <p className="vault-debt">
          <Icon name="warn" />
          <span>
            One of your deposits was reversed after you spent its coins: {formatCoins(debts, "up")} HC are owed. Your
            next coins repay them first. Until then you can't withdraw.
          </span>
        </p>
      )}
      <BalanceNotes rateKobo={rateKobo} />
    </section>
  );
}

export function BalanceNotes({ rateKobo }: { readonly rateKobo: number }) {
  return (
    <div className="vault-notes">
      <Note>{formatRate(rateKobo)}</Note>
      <Note icon="clock">T+1 settlement: deposits and winnings can be withdrawn 24 hours after they arrive.</Note>
    </div>
  );
}

function SettlingLots({ lots }: { readonly lots: readonly SettlingLot[] }) {
  const now = useNow(CLOCK_MS);
  const [isExpanded, setExpanded] = useState(false);
  const shown = isExpanded ? lots : lots.slice(0, LOTS_SHOWN);
  return (
    <div className="settling-lots">
      <ul aria-label="When your coins become available">
        {shown.map(({ at, coins }) => (
          <li key={`${at} ${coins}`}>
            <CoinAmount coins={coins} /> available {formatFutureTime(at, now)}
          </li>
        ))}
      </ul>
      {lots.length > LOTS_SHOWN && (
        <button
          type="button"
          className="link alone small"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? "Show fewer" : `Show all ${lots.length}`}
        </button>
      )}
    </div>
  );
}

function toPercent(part: bigint, whole: bigint): number {
  return whole <= 0n ? 0 : Number((part * 100n) / whole);
}

export function BalanceGround() {
  return (
    <div className="vault-ground">
      <Rosette />
    </div>
  );
}

/** Decoration: two curves, each rotated about the center like the ornament of a banknote. */
function Rosette() {
  return (
    <svg className="rosette" viewBox="0 0 200 200" aria-hidden="true" focusable="false">
      <defs>
        <path id="rosette-outer" d={OUTER} />
        <path id="rosette-inner" d={INNER} />
      </defs>
      {OUTER_TURNS.map((degrees) => (
        <use key={degrees} href="#rosette-outer" transform={`translate(100 100) rotate(${degrees})`} />
      ))}
      {INNER_TURNS.map((degrees) => (
        <use key={degrees} href="#rosette-inner" transform={`translate(100 100) rotate(${degrees})`} />
      ))}
    </svg>
  );
}

const OUTER_TURNS = [0, 2.5, 5, 7.5, 10, 12.5, 15, 17.5];
const INNER_TURNS = [0, 5, 10, 15, 20, 25];

const OUTER =
  "M96.0 0.0 94.1 2.3 88.7 4.4 80.8 6.1 72.2 7.2 64.3 8.1 58.8 8.9 56.7 10.0 58.3 11.8 63.2 14.4 70.3 17.9 78.0 22.0 84.8 26.2 89.2 30.0 90.2 32.8 87.6 34.4 81.8 34.5 73.9 33.3 65.3 31.5 57.7 29.6 52.3 28.5 49.9 28.8 50.8 31.0 54.5 35.2 59.9 40.9 65.8 47.3 70.8 53.6 73.6 58.7 73.5 61.7 70.6 62.3 65.1 60.4 58.0 56.6 50.6 51.9 44.1 47.5 39.4 44.6 37.0 44.1 37.1 46.5 39.1 51.7 42.3 58.9 45.7 67.0 48.2 74.6 49.1 80.3 48.0 83.1 45.0 82.6 40.5 79.0 35.2 73.0 29.8 66.1 25.2 59.7 21.7 55.4 19.7 54.1 19.0 56.4 19.1 61.9 19.6 69.8 20.0 78.6 19.8 86.5 18.6 92.2 16.7 94.5 14.0 93.0 11.0 88.1 8.1 80.7 5.4 72.3 3.2 64.7 1.5 59.5 0.0 57.6 -1.5 59.5 -3.2 64.7 -5.4 72.3 -8.1 80.7 -11.0 88.1 -14.0 93.0 -16.7 94.5 -18.6 92.2 -19.8 86.5 -20.0 78.6 -19.6 69.8 -19.1 61.9 -19.0 56.4 -19.7 54.1 -21.7 55.4 -25.2 59.7 -29.8 66.1 -35.2 73.0 -40.5 79.0 -45.0 82.6 -48.0 83.1 -49.1 80.3 -48.2 74.6 -45.7 67.0 -42.3 58.9 -39.1 51.7 -37.1 46.5 -37.0 44.1 -39.4 44.6 -44.1 47.5 -50.6 51.9 -58.0 56.6 -65.1 60.4 -70.6 62.3 -73.5 61.7 -73.6 58.7 -70.8 53.6 -65.8 47.3 -59.9 40.9 -54.5 35.2 -50.8 31.0 -49.9 28.8 -52.3 28.5 -57.7 29.6 -65.3 31.5 -73.9 33.3 -81.8 34.5 -87.6 34.4 -90.2 32.8 -89.2 30.0 -84.8 26.2 -78.0 22.0 -70.3 17.9 -63.2 14.4 -58.3 11.8 -56.7 10.0 -58.8 8.9 -64.3 8.1 -72.2 7.2 -80.8 6.1 -88.7 4.4 -94.1 2.3 -96.0 0.0 -94.1 -2.3 -88.7 -4.4 -80.8 -6.1 -72.2 -7.2 -64.3 -8.1 -58.8 -8.9 -56.7 -10.0 -58.3 -11.8 -63.2 -14.4 -70.3 -17.9 -78.0 -22.0 -84.8 -26.2 -89.2 -30.0 -90.2 -32.8 -87.6 -34.4 -81.8 -34.5 -73.9 -33.3 -65.3 -31.5 -57.7 -29.6 -52.3 -28.5 -49.9 -28.8 -50.8 -31.0 -54.5 -35.2 -59.9 -40.9 -65.8 -47.3 -70.8 -53.6 -73.6 -58.7 -73.5 -61.7 -70.6 -62.3 -65.1 -60.4 -58.0 -56.6 -50.6 -51.9 -44.1 -47.5 -39.4 -44.6 -37.0 -44.1 -37.1 -46.5 -39.1 -51.7 -42.3 -58.9 -45.7 -67.0 -48.2 -74.6 -49.1 -80.3 -48.0 -83.1 -45.0 -82.6 -40.5 -79.0 -35.2 -73.0 -29.8 -66.1 -25.2 -59.7 -21.7 -55.4 -19.7 -54.1 -19.0 -56.4 -19.1 -61.9 -19.6 -69.8 -20.0 -78.6 -19.8 -86.5 -18.6 -92.2 -16.7 -94.5 -14.0 -93.0 -11.0 -88.1 -8.1 -80.7 -5.4 -72.3 -3.2 -64.7 -1.5 -59.5 -0.0 -57.6 1.5 -59.5 3.2 -64.7 5.4 -72.3 8.1 -80.7 11.0 -88.1 14.0 -93.0 16.7 -94.5 18.6 -92.2 19.8 -86.5 20.0 -78.6 19.6 -69.8 19.1 -61.9 19.0 -56.4 19.7 -54.1 21.7 -55.4 25.2 -59.7 29.8 -66.1 35.2 -73.0 40.5 -79.0 45.0 -82.6 48.0 -83.1 49.1 -80.3 48.2 -74.6 45.7 -67.0 42.3 -58.9 39.1 -51.7 37.1 -46.5 37.0 -44.1 39.4 -44.6 44.1 -47.5 50.6 -51.9 58.0 -56.6 65.1 -60.4 70.6 -62.3 73.5 -61.7 73.6 -58.7 70.8 -53.6 65.8 -47.3 59.9 -40.9 54.5 -35.2 50.8 -31.0 49.9 -28.8 52.3 -28.5 57.7 -29.6 65.3 -31.5 73.9 -33.3 81.8 -34.5 87.6 -34.4 90.2 -32.8 89.2 -30.0 84.8 -26.2 78.0 -22.0 70.3 -17.9 63.2 -14.4 58.3 -11.8 56.7 -10.0 58.8 -8.9 64.3 -8.1 72.2 -7.2 80.8 -6.1 88.7 -4.4 94.1 -2.3 96.0 -0.0Z";
const INNER =
  "M66.0 0.0 64.4 2.4 59.9 4.5 53.3 6.0 46.1 7.0 39.6 7.5 35.0 8.0 33.2 8.9 34.3 10.6 38.0 13.3 43.4 17.0 49.2 21.5 54.1 26.0 57.0 30.1 57.2 33.0 54.6 34.3 49.6 33.8 43.2 31.9 36.5 29.1 30.5 26.3 26.3 24.4 24.3 24.3 24.4 26.3 26.3 30.5 29.1 36.5 31.9 43.2 33.8 49.6 34.3 54.6 33.0 57.2 30.1 57.0 26.0 54.1 21.5 49.2 17.0 43.4 13.3 38.0 10.6 34.3 8.9 33.2 8.0 35.0 7.5 39.6 7.0 46.1 6.0 53.3 4.5 59.9 2.4 64.4 0.0 66.0 -2.4 64.4 -4.5 59.9 -6.0 53.3 -7.0 46.1 -7.5 39.6 -8.0 35.0 -8.9 33.2 -10.6 34.3 -13.3 38.0 -17.0 43.4 -21.5 49.2 -26.0 54.1 -30.1 57.0 -33.0 57.2 -34.3 54.6 -33.8 49.6 -31.9 43.2 -29.1 36.5 -26.3 30.5 -24.4 26.3 -24.3 24.3 -26.3 24.4 -30.5 26.3 -36.5 29.1 -43.2 31.9 -49.6 33.8 -54.6 34.3 -57.2 33.0 -57.0 30.1 -54.1 26.0 -49.2 21.5 -43.4 17.0 -38.0 13.3 -34.3 10.6 -33.2 8.9 -35.0 8.0 -39.6 7.5 -46.1 7.0 -53.3 6.0 -59.9 4.5 -64.4 2.4 -66.0 0.0 -64.4 -2.4 -59.9 -4.5 -53.3 -6.0 -46.1 -7.0 -39.6 -7.5 -35.0 -8.0 -33.2 -8.9 -34.3 -10.6 -38.0 -13.3 -43.4 -17.0 -49.2 -21.5 -54.1 -26.0 -57.0 -30.1 -57.2 -33.0 -54.6 -34.3 -49.6 -33.8 -43.2 -31.9 -36.5 -29.1 -30.5 -26.3 -26.3 -24.4 -24.3 -24.3 -24.4 -26.3 -26.3 -30.5 -29.1 -36.5 -31.9 -43.2 -33.8 -49.6 -34.3 -54.6 -33.0 -57.2 -30.1 -57.0 -26.0 -54.1 -21.5 -49.2 -17.0 -43.4 -13.3 -38.0 -10.6 -34.3 -8.9 -33.2 -8.0 -35.0 -7.5 -39.6 -7.0 -46.1 -6.0 -53.3 -4.5 -59.9 -2.4 -64.4 -0.0 -66.0 2.4 -64.4 4.5 -59.9 6.0 -53.3 7.0 -46.1 7.5 -39.6 8.0 -35.0 8.9 -33.2 10.6 -34.3 13.3 -38.0 17.0 -43.4 21.5 -49.2 26.0 -54.1 30.1 -57.0 33.0 -57.2 34.3 -54.6 33.8 -49.6 31.9 -43.2 29.1 -36.5 26.3 -30.5 24.4 -26.3 24.3 -24.3 26.3 -24.4 30.5 -26.3 36.5 -29.1 43.2 -31.9 49.6 -33.8 54.6 -34.3 57.2 -33.0 57.0 -30.1 54.1 -26.0 49.2 -21.5 43.4 -17.0 38.0 -13.3 34.3 -10.6 33.2 -8.9 35.0 -8.0 39.6 -7.5 46.1 -7.0 53.3 -6.0 59.9 -4.5 64.4 -2.4 66.0 -0.0Z";
