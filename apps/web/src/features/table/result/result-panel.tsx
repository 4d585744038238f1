import { type Coins, formatCoins, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { HeadToHeadView } from "@holo/protocol/game/games.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { useSession } from "../../../lib/session/session.ts";
import { ApproximateNaira } from "../../../shared/money/approximate-naira.tsx";
import { CoinAmount } from "../../../shared/money/coin-amount.tsx";
import { formatPercent } from "../../../shared/money/naira.ts";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { Coin } from "../../../ui/icon/coin.tsx";
import { Disc } from "../../../ui/icon/disc.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { NoHyphenBreakText } from "../../../ui/text/no-hyphen-break-text.tsx";
import { RematchCost, RematchNews } from "../offers/rematch.tsx";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";
import { type Settlement, useSettlement } from "./load-settlement.ts";
import { formatRatingChange, type ResultText } from "./result-text.ts";
import type { ResultSheet } from "./use-result-sheet.ts";

interface ResultPanelProps {
  readonly viewModel: TableViewModel;
  readonly text: ResultText;
  readonly sheet: ResultSheet;
}

/** Beside the board where there is a column for it; elsewhere a sheet over its lower half. */
export function ResultPanel({ viewModel, text, sheet: { isOpen, isAsked, toggle } }: ResultPanelProps) {
  const net = toNet(viewModel);
  return (
    <section className="result-panel" aria-label="Result">
      <div className="result-head">
        <h1 className={viewModel.seat === null ? "named" : undefined}>
          <NoHyphenBreakText text={text.title} />
        </h1>
        {net !== null && (
          <p className="net">
            <span className={classes("coin", net > ZERO_COINS && "won")}>
              <Coin size={32} />
            </span>
            <span>
              <CoinAmount coins={net} signed /> <ApproximateNaira coins={net} />
            </span>
          </p>
        )}
        <p className="muted">
          {viewModel.isFree && "Free game. "}
          <NoHyphenBreakText text={text.reason} />
        </p>
        <RematchNews viewModel={viewModel} />
      </div>
      <button
        type="button"
        className="result-toggle"
        aria-expanded={isOpen}
        aria-label={isOpen ? "Show the board" : undefined}
        onClick={toggle}
      >
        {isOpen ? <Icon name="close" /> : isAsked ? "Answer rematch" : "Result"}
      </button>
      <ResultMore viewModel={viewModel} />
    </section>
  );
}

function ResultMore({ viewModel }: { readonly viewModel: TableViewModel }) {
  const { seat, isFree, shown } = viewModel;
  const isPlayed = shown.table.result !== null;
  return (
    <div className="result-more">
      {seat !== null && !isFree && <ResultReceipt viewModel={viewModel} />}
      {isPlayed &&
        (seat === null ? <Standing viewModel={viewModel} /> : <OwnStanding viewModel={viewModel} seat={seat} />)}
      {seat !== null && <RematchCost viewModel={viewModel} />}
    </div>
  );
}

/** What the game changed in the player's wallet; null for a spectator or if it moved nothing. */
function toNet({ seat, shown, terms, isFree }: TableViewModel): Coins | null {
  const { result } = shown.table;
  if (seat === null || result === null || isFree) return null;
  const back = result.winner === null ? terms.drawReturn : result.winner === seat ? terms.winnings : ZERO_COINS;
  return subtractCoins(back, terms.buyIn);
}

function ResultReceipt({ viewModel }: { readonly viewModel: TableViewModel }) {
  const { balance } = useSession();
  return (
    <Receipt>
      <Outcome viewModel={viewModel} />
      <ReceiptRow term="Balance">{formatCoins(balance)} HC</ReceiptRow>
    </Receipt>
  );
}

function Outcome({ viewModel }: { readonly viewModel: TableViewModel }) {
  const { table } = viewModel.shown;
  const { buyIn, winnings, drawReturn, stakeTotal, fee } = viewModel.terms;
  const feeRow = (
    <ReceiptRow term={`Fee paid at the start (${formatPercent(table.feeBps)})`}>{formatCoins(fee, "up")} HC</ReceiptRow>
  );
  if (table.status === "cancelled") {
    return <ReceiptRow term="Refunded">{formatCoins(buyIn, "up")} HC</ReceiptRow>;
  }
  if (table.result?.winner == null) {
    return (
      <>
        <ReceiptRow term="Stake returned">{formatCoins(drawReturn)} HC</ReceiptRow>
        {feeRow}
      </>
    );
  }
  return (
    <>
      {table.result.winner === viewModel.seat ? (
        <ReceiptRow term="You received">{formatCoins(winnings)} HC</ReceiptRow>
      ) : (
        <ReceiptRow term="Stake lost">{formatCoins(stakeTotal)} HC</ReceiptRow>
      )}
      {feeRow}
    </>
  );
}

/** Both ratings after the game, and the score. Its lines are there before it is loaded. */
function OwnStanding({ viewModel, seat }: { readonly viewModel: TableViewModel; readonly seat: Seat }) {
  const settlement = useSettlement(viewModel.shown.table.gameId);
  return (
    <>
      <Standing viewModel={viewModel} ratings={settlement?.ratings} />
      <p className="head-to-head">
        {settlement?.headToHead != null &&
          formatScore(settlement.headToHead, seat, toName(viewModel, toOpponent(seat)))}
      </p>
    </>
  );
}

interface StandingProps {
  readonly viewModel: TableViewModel;
  readonly ratings?: Settlement["ratings"] | undefined;
}

function Standing({ viewModel, ratings }: StandingProps) {
  const winner = viewModel.shown.table.result?.winner ?? null;
  return (
    <div className="standing">
      <Receipt>
        {([toOpponent(viewModel.bottom), viewModel.bottom] as const).map((seat) => (
          <ReceiptRow
            key={seat}
            term={
              <>
                <Disc seat={seat} size={20} />
                <span translate="no">{toName(viewModel, seat)}</span>
              </>
            }
          >
            {viewModel.seat === null
              ? winner === null
                ? "Draw"
                : winner === seat
                  ? "Won"
                  : "Lost"
              : ratings != null && (
                  <>
                    <span>Rating </span>
                    {formatRatingChange(seat === 1 ? ratings.white : ratings.black)}
                  </>
                )}
          </ReceiptRow>
        ))}
      </Receipt>
    </div>
  );
}

/** "You 3 : 2 kola_king", beside the rematch. */
function formatScore({ white, black, draws }: HeadToHeadView, seat: Seat, opponent: string): string {
  const [own, theirs] = seat === 1 ? [white, black] : [black, white];
  const drawn = draws === 0 ? "" : draws === 1 ? ", 1 draw" : `, ${draws} draws`;
  return `You ${own} : ${theirs} ${opponent}${drawn}`;
}
