import { formatCoins } from "@holo/kernel/money.ts";
import type { FairPlayPeriod, FairPlaySignal, SuspiciousPairView } from "@holo/protocol/admin/fair-play.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { formatFutureTime, formatRelativeTimeWithin } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { AdminPage } from "../admin-page.tsx";
import { adminKey } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { PlayerLink } from "../players/player-link.tsx";
import "./fair-play-page.css";

const TABS = [
  { id: "day", text: "24 hours" },
  { id: "week", text: "7 days" },
  { id: "month", text: "30 days" },
] as const;
const SIGNAL_NAMES: Readonly<Record<FairPlaySignal, string>> = {
  shared_bank_account: "Same bank account",
  one_sided: "One-sided",
  quick_losses: "Quick losses",
};
const CLOCK_MS = 30_000;

function SuspiciousPairs({ playerId }: { readonly playerId: string }) {
  const [period, setPeriod] = useState<FairPlayPeriod>("week");
  return (
    <>
      <PageHead title="Fair Play" />
      <p className="muted pairs-lead">
        Pairs who may be passing coins to each other. This list alone proves nothing: a strong player who beats a friend
        all evening looks the same. Check their games first.
      </p>
      <Tabs label="Period" tabs={TABS} value={period} onChange={setPeriod}>
        <PairList key={period} playerId={playerId} period={period} />
      </Tabs>
    </>
  );
}

interface PairListProps {
  readonly playerId: string;
  readonly period: FairPlayPeriod;
}

function PairList({ playerId, period }: PairListProps) {
  const now = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: adminKey(playerId, "pairs", period),
    queryFn: ({ signal }) => fetchApi("suspiciousPairs", { query: { period } }, signal),
  });
  return (
    <Loaded query={query} loading="Loading pairs..." failed="We couldn't load the pairs.">
      {({ pairs }) =>
        pairs.length === 0 ? (
          <p className="muted no-pairs">Nothing stands out in this period.</p>
        ) : (
          <ul className="pairs">
            {pairs.map((pair) => (
              <PairRow key={`${pair.from.id} ${pair.to.id}`} pair={pair} now={now} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function PairRow({ pair, now }: { readonly pair: SuspiciousPairView; readonly now: number }) {
  const { from, to, netCoins, games, lost, quickLosses, chosen, lastGameAt, sharedSinceAt, signals } = pair;
  return (
    <li>
      <div className="what">
        <p>
          <Suspect player={from} /> {games === 0 ? "and" : "lost to"} <Suspect player={to} />
        </p>
        <p className="signals">
          {signals.map((signal) => (
            <Badge key={signal} kind={signal === "shared_bank_account" ? "lost" : "pending"}>
              {SIGNAL_NAMES[signal]}
            </Badge>
          ))}
        </p>
        <p className="small muted">
          {lastGameAt === null ? "No game in this period." : `Last game ${formatRelativeTimeWithin(lastGameAt, now)}.`}
          {sharedSinceAt !== null && ` One bank account since ${formatFutureTime(sharedSinceAt, now)}.`}
        </p>
      </div>
      {games > 0 && (
        <dl className="pair-figures">
          <div>
            <dt>Coins lost</dt>
            <dd>{formatCoins(readCoins(netCoins))} HC</dd>
          </div>
          <div>
            <dt>Games lost</dt>
            <dd>
              {lost} of {games}
            </dd>
          </div>
          <div>
            <dt>Lost within 5 moves</dt>
            <dd>{quickLosses}</dd>
          </div>
          <div>
            <dt>Picked this opponent</dt>
            <dd>{chosen}</dd>
          </div>
        </dl>
      )}
    </li>
  );
}

function Suspect({ player }: { readonly player: SuspiciousPairView["from"] }) {
  return (
    <>
      <PlayerLink player={player} />
      {player.isHeld && <span className="meta"> (withdrawals held)</span>}
    </>
  );
}

export default function FairPlayPage() {
  return (
    <AdminPage title="Fair Play">{(playerId) => <SuspiciousPairs key={playerId} playerId={playerId} />}</AdminPage>
  );
}
