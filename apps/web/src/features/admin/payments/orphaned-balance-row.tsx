import { formatCoins, toKobo } from "@holo/kernel/money.ts";
import type { OrphanedBalanceView } from "@holo/protocol/admin/money.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Button } from "../../../ui/button/button.tsx";

interface OrphanedBalanceRowProps {
  readonly wallet: OrphanedBalanceView;
  readonly canSend: boolean;
  readonly onSend: () => void;
}

export function OrphanedBalanceRow({ wallet, canSend, onSend }: OrphanedBalanceRowProps) {
  const { username, coins, kobo, bankName } = wallet;
  return (
    <li>
      <div className="what">
        <p>
          <b>
            Coins of{" "}
            <span className="unbroken" translate="no">
              {username}
            </span>
          </b>
        </p>
        <p className="small muted">
          They came back after this player had deleted their account.{" "}
          {bankName === null
            ? "We no longer know which account they were last paid to."
            : `They were last paid at ${bankName}.`}
        </p>
      </div>
      <dl className="case-figures">
        <div>
          <dt>In the wallet</dt>
          <dd>{formatCoins(readCoins(coins))} HC</dd>
        </div>
        <div>
          <dt>To be sent</dt>
          <dd>{formatNaira(toKobo(BigInt(kobo)))}</dd>
        </div>
      </dl>
      {canSend ? (
        <div className="actions">
          <Button size="small" onClick={onSend}>
            Send them on
          </Button>
        </div>
      ) : (
        <p className="actions small muted">The CEO has to name an account for them.</p>
      )}
    </li>
  );
}
