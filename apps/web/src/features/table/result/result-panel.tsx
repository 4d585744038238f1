import { type Coins, formatCoins, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { HeadToHeadView } from "@holo/protocol/game/games.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { useEffect, useState } from "react";
import { useSession } from "../../../lib/session/session.ts";
import { ApproximateNaira } from "../../../shared/money/approximate-naira.tsx";
import { CoinAmount } from "../../../shared/money/coin-amount.tsx";
import { formatPercent } from "../../../shared/money/naira.ts";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { Coin } from "../../../ui/icon/coin.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { NoHyphenBreakText } from "../../../ui/text/no-hyphen-break-text.tsx";
import { RematchCost, RematchNews } from "../offers/rematch.tsx";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";
import { loadSettlement } from "./load-settlement.ts";
import type { ResultText } from "./result-text.ts";

export function ResultPanel({ viewModel, text }: { readonly viewModel: TableViewModel; readonly text: ResultText }) {
  const net = toNet(viewModel);
  return (
    <div className="result-panel">
      <div className="result-head">
        <h1>
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
      {viewModel.seat !== null && (
        <div className="result-more">
          {!viewModel.isFree && <ResultReceipt viewModel={viewModel} />}
          {viewModel.shown.table.result !== null && <HeadToHead viewModel={viewModel} seat={viewModel.seat} />}
          <RematchCost viewModel={viewModel} />
        </div>
      )}
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

/** "You 3 : 2 kola_king", beside the rematch. Its line is reserved until the score is known. */
function HeadToHead({ viewModel, seat }: { readonly viewModel: TableViewModel; readonly seat: Seat }) {
  const { gameId } = viewModel.shown.table;
  const [score, setScore] = useState<HeadToHeadView | null>(null);

  useEffect(() => {
    let isWanted = true;
    void loadSettlement(gameId).then((answer) => {
      if (isWanted && answer.ok) setScore(answer.value.headToHead);
    });
    return () => {
      isWanted = false;
    };
  }, [gameId]);

  return (
    <p className="head-to-head">{score !== null && formatScore(score, seat, toName(viewModel, toOpponent(seat)))}</p>
  );
}

function formatScore({ white, black, draws }: HeadToHeadView, seat: Seat, opponent: string): string {
  const [own, theirs] = seat === 1 ? [white, black] : [black, white];
  const drawn = draws === 0 ? "" : draws === 1 ? ", 1 draw" : `, ${draws} draws`;
  return `You ${own} : ${theirs} ${opponent}${drawn}`;
}
