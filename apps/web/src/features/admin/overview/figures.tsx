import { type Coins, formatCoins, toKoboOwed } from "@holo/kernel/money.ts";
import type { OverviewView } from "@holo/protocol/admin/overview.ts";
import type { ReactNode } from "react";
import { readCoins } from "../../../lib/api/coins.ts";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Panel } from "../../../ui/layout/panel.tsx";

const COUNT = new Intl.NumberFormat("en-GB");

export function Figures({ overview }: { readonly overview: OverviewView }) {
  const { games, rateKobo } = overview;
  const counts = [
    `${COUNT.format(games.completed)} completed`,
    `${COUNT.format(games.active)} active`,
    `${COUNT.format(games.pending)} pending`,
  ];
  return (
    <div className="key-figures">
      <CoinsFigure label="Total platform balance" coins={readCoins(overview.platformBalance)} rateKobo={rateKobo} />
      <CoinsFigure label="Completed-games revenue" coins={readCoins(overview.completedRevenue)} rateKobo={rateKobo} />
      <Figure label="Total games" note={counts.join(", ")}>
        {COUNT.format(games.total)}
      </Figure>
    </div>
  );
}

interface CoinsFigureProps {
  readonly label: string;
  readonly coins: Coins;
  readonly rateKobo: number;
}

function CoinsFigure({ label, coins, rateKobo }: CoinsFigureProps) {
  return (
    <Figure label={label} note={formatNaira(toKoboOwed(coins, rateKobo))}>
      {formatCoins(coins)} <small>HC</small>
    </Figure>
  );
}

interface FigureProps {
  readonly label: string;
  readonly note: string;
  readonly children: ReactNode;
}

function Figure({ label, note, children }: FigureProps) {
  return (
    <Panel label={label}>
      <p className="muted small">{label}</p>
      <p className="figure">{children}</p>
      <p className="meta">{note}</p>
    </Panel>
  );
}
