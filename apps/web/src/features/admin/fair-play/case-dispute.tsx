import { formatCoins, formatNaira, toKobo } from "@holo/kernel/money.ts";
import type { FairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { Table } from "../../../ui/data/table.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { PlayerLink } from "../players/player-link.tsx";

interface CaseDisputeProps {
  readonly disputed: NonNullable<FairPlayCaseView["disputed"]>;
}

/** Where the coins of a disputed deposit are now, and what was paid out already. */
export function CaseDispute({ disputed: { reference, kobo, whereabouts } }: CaseDisputeProps) {
  const { held, paid, otherCoins } = whereabouts;
  const rows = [
    ...held.map((row) => ({ ...row, state: "In the wallet", key: `held ${row.player.id}` })),
    ...paid.map((row) => ({ ...row, state: "Paid out", key: `paid ${row.player.id} ${row.paymentId}` })),
  ];
  return (
    <Panel label="Where the coins are">
      <h2>Where the coins are</h2>
      <p className="small">
        Deposit of {formatNaira(toKobo(BigInt(kobo)))}, <span className="meta reference">{reference}</span>
      </p>
      <Table
        caption="Where the coins are"
        columns={[{ text: "Player" }, { text: "State" }, { text: "HC", figures: true }]}
      >
        {rows.map(({ key, player, state, coins }) => (
          <tr key={key}>
            <td>
              <PlayerLink player={player} />
            </td>
            <td>{state}</td>
            <td className="figures">{formatCoins(readCoins(coins))}</td>
          </tr>
        ))}
        <tr>
          <td colSpan={2}>Fees, taken back, repaid debts</td>
          <td className="figures">{formatCoins(readCoins(otherCoins))}</td>
        </tr>
      </Table>
    </Panel>
  );
}
