import { formatCoins } from "@holo/kernel/money.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { TermsReceipt } from "../../../shared/match/terms-receipt.tsx";
import { ApproximateNaira } from "../../../shared/money/approximate-naira.tsx";
import { CoinAmount } from "../../../shared/money/coin-amount.tsx";
import { Coin } from "../../../ui/icon/coin.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Countdown } from "../clock/ticking-text.tsx";
import { countCaptured, type TableViewModel, toName, toOpponent } from "../view-model.ts";

export function StakePanel({ viewModel }: { readonly viewModel: TableViewModel }) {
  const { table } = viewModel.shown;
  if (viewModel.isFree) {
    return (
      <Panel className="stake-panel" label="Stake">
        <div>
          <div className="pot">
            <span className="money">Free game</span>
          </div>
          <div className="meta">{table.limitMs / 60_000} minutes</div>
          <Watchers count={viewModel.shown.watchers} />
        </div>
      </Panel>
    );
  }
  return (
    <Panel className="stake-panel" label="Stake">
      <Coin size={48} />
      <div>
        <div className="meta">Winner receives</div>
        <div className="pot">
          <CoinAmount coins={viewModel.terms.winnings} />
        </div>
        <div className="meta">
          <ApproximateNaira coins={viewModel.terms.winnings} />
        </div>
        <div className="meta">
          {table.stake} HC per piece, {table.limitMs / 60_000} minutes
        </div>
        <Watchers count={viewModel.shown.watchers} />
      </div>
    </Panel>
  );
}

/** Not a live region: it would announce everyone who comes and goes. */
function Watchers({ count }: { readonly count: number }) {
  return count > 0 && <div className="meta">{count} watching</div>;
}

export function PaidPanel({ viewModel }: { readonly viewModel: TableViewModel }) {
  const { buyIn } = viewModel.terms;
  const { table } = viewModel.shown;
  const { waitingUntil } = table.clock;
  return (
    <Panel className="paid-panel" label="You paid in">
      <div className="at-length">
        <h2>You paid in</h2>
        <TermsReceipt game={table.game} stake={table.stake} feeBps={table.feeBps} />
        <p className="meta">Cancel and you get all {formatCoins(buyIn, "up")} HC back.</p>
      </div>
      <p className="in-short">
        You paid in {formatCoins(buyIn, "up")} HC. Cancel and you get it all back.
        {waitingUntil !== null && (
          <span className="closing">
            {" "}
            If nobody joins, you're refunded in <Countdown until={waitingUntil} unit="minutes" />.
          </span>
        )}
      </p>
    </Panel>
  );
}

/** In place of what a player paid in, or of the cost to join. */
export function FreePanel() {
  const text = "Free game: no stake, no fee.";
  return (
    <Panel className="paid-panel" label="Free game">
      <p className="at-length">{text}</p>
      <p className="in-short">{text}</p>
    </Panel>
  );
}

export function CapturedCard({ viewModel }: { readonly viewModel: TableViewModel }) {
  return (
    <Panel className="captured-card" label="Captured pieces">
      <h2>Captured pieces</h2>
      {[viewModel.bottom, toOpponent(viewModel.bottom)].map((seat) => (
        <CapturedLine key={seat} viewModel={viewModel} seat={seat} />
      ))}
    </Panel>
  );
}

function CapturedLine({ viewModel, seat }: { readonly viewModel: TableViewModel; readonly seat: Seat }) {
  const count = countCaptured(viewModel, seat);
  return (
    <div className="line">
      <span className="meta">{seat === viewModel.seat ? "You" : toName(viewModel, seat)}</span>
      <svg className="pile" viewBox="0 0 4.85 1" preserveAspectRatio="xMinYMid" aria-hidden="true" focusable="false">
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a pile are all alike
          <use key={index} href={`#disc-${toOpponent(seat)}`} x={0.35 * index} width="1" height="1" />
        ))}
      </svg>
      <span className="count" key={count}>
        {count}
      </span>
    </div>
  );
}
