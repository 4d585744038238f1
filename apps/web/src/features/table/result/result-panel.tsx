import { formatCoins } from "@holo/kernel/money.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatPercent } from "../../../shared/money/naira.ts";
import { ShareButton } from "../../../shared/share/share-link.tsx";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { NoWrapText } from "../../../ui/text/no-wrap-text.tsx";
import { RematchLine } from "../offers/rematch.tsx";
import type { TableViewModel } from "../view-model.ts";
import { HeadToHead } from "./head-to-head.tsx";
import type { ResultText } from "./result-text.ts";

/** The result and what it did to the player's coins. */
export function ResultPanel({ viewModel, text }: { readonly viewModel: TableViewModel; readonly text: ResultText }) {
  return (
    <div className="result-panel">
      <h1>
        <NoWrapText text={text.title} />
      </h1>
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
