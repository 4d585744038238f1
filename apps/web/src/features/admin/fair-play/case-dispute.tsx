import { formatCoins, formatNaira, toKobo } from "@holo/kernel/money.ts";
import type { FairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { Table } from "../../../ui/data/table.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { PlayerLink } from "../players/player-link.tsx";

type Disputed = NonNullable<FairPlayCaseView["disputed"]>;

const PLACES: Readonly<Record<Disputed["whereabouts"]["places"][number]["place"], string>> = {
  wallet: "In the wallet",
  waiting: "In a withdrawal that waits",
  paid: "Paid out, or on its way",
};
/** What two decimals do not show is left from rounding. */
const SHOWN_FROM = 10_000n;

/** Where the coins of a disputed deposit are now, and what was paid out already. */
export function CaseDispute({ disputed }: { readonly disputed: Disputed }) {
  const { reference, kobo, whereabouts } = disputed;
  const places = whereabouts.places.filter(({ coins }) => readCoins(coins) >= SHOWN_FROM);
  return (
    <Panel label="Where the coins are">
      <h2>Where the coins are</h2>
      <p className="small">
        Deposit of {formatNaira(toKobo(BigInt(kobo)))}, <span className="meta reference">{reference}</span>
      </p>
      <Table caption="Where the coins are" columns={[{ text: "Where" }, { text: "HC", figures: true }]}>
        {places.map(({ player, place, coins }) => (
          <tr key={`${player.id} ${place}`}>
            <td>
              <PlayerLink player={player} />
              <span className="small place">{PLACES[place]}</span>
            </td>
            <td className="figures">{formatCoins(readCoins(coins))}</td>
          </tr>
        ))}
        <tr>
          <td>Fees of games, coins taken back, repaid debts</td>
          <td className="figures">{formatCoins(readCoins(whereabouts.otherCoins))}</td>
        </tr>
      </Table>
    </Panel>
  );
}
