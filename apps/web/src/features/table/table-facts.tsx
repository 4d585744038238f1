import { formatCoins } from "@holo/kernel/money.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { Coin } from "../../ui/coin.tsx";
import { Money } from "../../ui/money.tsx";
import { Panel } from "../../ui/panel.tsx";
import { TermsReceipt } from "../../ui/terms-receipt.tsx";
import { Countdown } from "./countdown.tsx";
import { countCaptured, type Scene, toName, toOpponent } from "./scene.ts";
import "./table-facts.css";

/** What the game is about. */
export function StakePanel({ scene }: { readonly scene: Scene }) {
  const { table } = scene.shown;
  return (
    <Panel className="stake-panel" label="Stake">
      <Coin size={48} />
      <div>
        <div className="meta">Winner receives</div>
        <div className="pot">
          <Money coins={scene.terms.winnings} />
        </div>
        <div className="meta">
          {table.stake} HC per piece, {table.limitMs / 60_000} minutes
        </div>
      </div>
    </Panel>
  );
}

/** What the creator of a waiting game has paid, and that it comes back. On phones one sentence says it. */
export function PaidPanel({ scene }: { readonly scene: Scene }) {
  const { entry } = scene.terms;
  const { table } = scene.shown;
  const { waitingUntil } = table.clock;
  return (
    <Panel className="paid-panel" label="You paid in">
      <div className="at-length">
        <h2>You paid in</h2>
        <TermsReceipt game={table.game} stake={table.stake} feeBps={table.feeBps} />
        <p className="meta">Cancel, and all {formatCoins(entry, "up")} HC come back at once.</p>
      </div>
      <p className="in-short">
        You paid in {formatCoins(entry, "up")} HC. Cancel, and all of it comes back at once.
        {waitingUntil !== null && (
          <span className="closing">
            {" "}
            The seat closes and refunds by itself in <Countdown until={waitingUntil} unit="minutes" />.
          </span>
        )}
      </p>
    </Panel>
  );
}

export function CapturedCard({ scene }: { readonly scene: Scene }) {
  return (
    <Panel className="captured-card" label="Captured pieces">
      <h2>Captured pieces</h2>
      {[scene.bottom, toOpponent(scene.bottom)].map((seat) => (
        <CapturedLine key={seat} scene={scene} seat={seat} />
      ))}
    </Panel>
  );
}

function CapturedLine({ scene, seat }: { readonly scene: Scene; readonly seat: Seat }) {
  const count = countCaptured(scene, seat);
  return (
    <div className="line">
      <span className="meta">{seat === scene.seat ? "You" : toName(scene, seat)}</span>
      <span className="pile">
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a pile are all alike
          <svg key={index} width="26" height="26" aria-hidden="true" focusable="false">
            <use href={`#disc-${toOpponent(seat)}`} />
          </svg>
        ))}
      </span>
      <span className="count">{count}</span>
    </div>
  );
}
