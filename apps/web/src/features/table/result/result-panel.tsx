import { type Coins, formatCoins, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { useSession } from "../../../lib/session/session.ts";
import { CoinAmount } from "../../../shared/money/coin-amount.tsx";
import { formatPercent } from "../../../shared/money/naira.ts";
import { NairaAbout } from "../../../shared/money/naira-about.tsx";
import { ShareButton } from "../../../shared/share/share-link.tsx";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { Coin } from "../../../ui/icon/coin.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { NoWrapText } from "../../../ui/text/no-wrap-text.tsx";
import { RematchLine } from "../offers/rematch.tsx";
import type { TableViewModel } from "../view-model.ts";
import { HeadToHead } from "./head-to-head.tsx";
import type { ResultText } from "./result-text.ts";

/** The result, what it did to the player's coins in all, and how that sum comes about. */
export function ResultPanel({ viewModel, text }: { readonly viewModel: TableViewModel; readonly text: ResultText }) {
  const net = toNet(viewModel);
  return (
    <div className="result-panel">
      <h1>
        <NoWrapText text={text.title} />
      </h1>
      {net !== null && (
        <p className="net">
          <span className={classes("coin", net > ZERO_COINS && "won")}>
            <Coin size={32} />
          </span>
          <span>
            <CoinAmount coins={net} signed /> <NairaAbout coins={net} />
          </span>
        </p>
      )}
      <p className="muted">
        <NoWrapText text={text.reason} />
      </p>
      {viewModel.seat !== null && <ResultReceipt viewModel={viewModel} />}
      {viewModel.seat !== null && viewModel.shown.table.result !== null && (
        <HeadToHead viewModel={viewModel} seat={viewModel.seat} />
      )}
      <RematchLine viewModel={viewModel} />
      {viewModel.shown.table.result !== null && <ShareGame viewModel={viewModel} />}
    </div>
  );
}

/** The game's address, where everyone can replay it. */
function ShareGame({ viewModel }: { readonly viewModel: TableViewModel }) {
  const { game, gameId } = viewModel.shown.table;
  const url = `${location.origin}/game/${gameId}`;
  return <ShareButton className="share-game" url={url} text={`A game of ${game} on Holo Arena:`} />;
}

/** What the game changed in the player's wallet; null for a spectator and after a cancellation. */
function toNet({ seat, shown, terms }: TableViewModel): Coins | null {
  const { result } = shown.table;
  if (seat === null || result === null) return null;
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
