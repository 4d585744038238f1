import { type Coins, formatCoins } from "@holo/kernel/money.ts";
import type { ProfileView } from "@holo/protocol/accounts/session.ts";
import { Coin } from "../../../ui/icon/coin.tsx";
import { formatWinRate } from "./profile-tabs.ts";
import "./profile-stats.css";

interface ProfileStatsProps {
  readonly balance: Coins;
  readonly games: ProfileView["games"];
}

export function ProfileStats({ balance, games }: ProfileStatsProps) {
  return (
    <dl className="profile-stats">
      <div>
        <dt>Coin balance</dt>
        <dd className="balance">
          <Coin size={32} />
          <span>
            {formatCoins(balance)} <small>HC</small>
          </span>
        </dd>
      </div>
      <div>
        <dt>Total matches</dt>
        <dd>{games.pending + games.active + games.completed}</dd>
      </div>
      <div>
        <dt>Record</dt>
        <dd className="record">
          <Figure value={games.wins} one="win" many="wins" />
          <Figure value={games.losses} one="loss" many="losses" />
          <Figure value={games.draws} one="draw" many="draws" />
          <span>
            {formatWinRate(games)}
            <small> win rate</small>
          </span>
        </dd>
      </div>
    </dl>
  );
}

function Figure({ value, one, many }: { readonly value: number; readonly one: string; readonly many: string }) {
  return (
    <span>
      {value}
      <small> {value === 1 ? one : many}</small>
    </span>
  );
}
