import { useSession } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Money } from "../../ui/money.tsx";
import { formatPercent } from "../../ui/percent.ts";
import { Receipt, ReceiptRow } from "../../ui/receipt.tsx";
import type { ResultText } from "./result-text.ts";
import type { Scene } from "./scene.ts";
import "./result-panel.css";

/** How the game ended and what that did to the player's coins. It stands until the page is left. */
export function ResultPanel({ scene, text }: { readonly scene: Scene; readonly text: ResultText }) {
  return (
    <div className="result-panel">
      <div className="words">
        <h1 role="status">{text.title}</h1>
        <p className="muted">{text.reason}</p>
        {scene.seat !== null && <ResultReceipt scene={scene} />}
      </div>
      <div className="ways">
        <ButtonLink href="/matches" wide>
          Matches
        </ButtonLink>
      </div>
    </div>
  );
}

function ResultReceipt({ scene }: { readonly scene: Scene }) {
  const { balance } = useSession();
  return (
    <Receipt>
      <Outcome scene={scene} />
      <ReceiptRow term="Balance">
        <Money coins={balance} />
      </ReceiptRow>
    </Receipt>
  );
}

function Outcome({ scene }: { readonly scene: Scene }) {
  const { table } = scene.shown;
  const { entry, winnings, drawReturn, stakeTotal, fee } = scene.terms;
  const feeRow = (
    <ReceiptRow term={`Platform fee (${formatPercent(table.feeBps)})`}>
      <Money coins={fee} rounding="up" />
    </ReceiptRow>
  );
  if (table.status === "cancelled") {
    return (
      <ReceiptRow term="Refunded">
        <Money coins={entry} rounding="up" />
      </ReceiptRow>
    );
  }
  if (table.result?.winner == null) {
    return (
      <>
        <ReceiptRow term="Stake returned">
          <Money coins={drawReturn} />
        </ReceiptRow>
        {feeRow}
      </>
    );
  }
  return (
    <>
      {table.result.winner === scene.seat ? (
        <ReceiptRow term="You received">
          <Money coins={winnings} />
        </ReceiptRow>
      ) : (
        <ReceiptRow term="Stake lost">
          <Money coins={stakeTotal} />
        </ReceiptRow>
      )}
      {feeRow}
    </>
  );
}
