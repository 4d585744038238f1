import { formatCoins } from "@holo/kernel/money.ts";
import { useSession } from "../../lib/session.ts";
import { formatPercent } from "../../ui/percent.ts";
import { Receipt, ReceiptRow } from "../../ui/receipt.tsx";
import { Unbroken } from "../../ui/unbroken.tsx";
import { RematchLine } from "./rematch.tsx";
import type { ResultText } from "./result-text.ts";
import type { Scene } from "./scene.ts";
import "./result-panel.css";

/** How the game ended and what that did to the player's coins. It stands until the page is left. */
export function ResultPanel({ scene, text }: { readonly scene: Scene; readonly text: ResultText }) {
  return (
    <div className="result-panel">
      <h1>
        <Unbroken text={text.title} />
      </h1>
      <p className="muted">
        <Unbroken text={text.reason} />
      </p>
      {scene.seat !== null && <ResultReceipt scene={scene} />}
      <RematchLine scene={scene} />
    </div>
  );
}
function ResultReceipt({ scene }: { readonly scene: Scene }) {
  const { balance } = useSession();
  return (
    <Receipt>
      <Outcome scene={scene} />
      <ReceiptRow term="Balance">{formatCoins(balance)} HC</ReceiptRow>
    </Receipt>
  );
}

function Outcome({ scene }: { readonly scene: Scene }) {
  const { table } = scene.shown;
  const { entry, winnings, drawReturn, stakeTotal, fee } = scene.terms;
  const feeRow = (
    <ReceiptRow term={`Fee paid at the start (${formatPercent(table.feeBps)})`}>{formatCoins(fee, "up")} HC</ReceiptRow>
  );
  if (table.status === "cancelled") {
    return <ReceiptRow term="Refunded">{formatCoins(entry, "up")} HC</ReceiptRow>;
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
      {table.result.winner === scene.seat ? (
        <ReceiptRow term="You received">{formatCoins(winnings)} HC</ReceiptRow>
      ) : (
        <ReceiptRow term="Stake lost">{formatCoins(stakeTotal)} HC</ReceiptRow>
      )}
      {feeRow}
    </>
  );
}
