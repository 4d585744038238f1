import { formatCoins } from "@holo/kernel/money.ts";
import type { FairPlayFindingView, FairPlaySignalView } from "@holo/protocol/admin/fair-play-cases.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { PlayerLink } from "../players/player-link.tsx";
import { formatFigure, toSignalTexts, toWords } from "./signal-texts.ts";

/** What the server noticed, each with its figures, its threshold, and who else looks like this. */
export function CaseSignals({ findings }: { readonly findings: readonly FairPlayFindingView[] }) {
  return (
    <Panel label="Signals">
      <h2>Signals</h2>
      {findings.length === 0 ? (
        <p className="muted">Nothing stood out.</p>
      ) : (
        <>
          {findings.some(({ kind }) => kind === "flow") && (
            <p className="small muted">
              Each bit makes a cheat twice as likely. At 8 bits we hold ₦120,000 or more, at 9 bits ₦60,000, and from 10
              bits on ₦40,000. If coins and games are both clear: ₦10,000.
            </p>
          )}
          {findings.map((finding) => (
            <Finding key={finding.sources.map(({ id }) => id).join()} finding={finding} />
          ))}
        </>
      )}
    </Panel>
  );
}

function Finding({ finding: { coins, sources, signals, bits } }: { readonly finding: FairPlayFindingView }) {
  return (
    <div className="case-finding">
      <p>
        <b>{formatCoins(readCoins(coins))} HC</b>
        {sources.length > 0 && " from "}
        {sources.map((player) => (
          <span key={player.id} className="among">
            <PlayerLink player={player} />
          </span>
        ))}
        <span className="meta"> {formatFigure(bits)} bits in all</span>
      </p>
      <SignalList signals={signals.filter(isHeard).toSorted((one, other) => other.bits - one.bits)} />
      {!signals.every(isHeard) && (
        <details>
          <summary>Signals that say nothing here</summary>
          <SignalList signals={signals.filter((signal) => !isHeard(signal))} />
        </details>
      )}
    </div>
  );
}

const HEARD_FROM = 0.1;

function isHeard({ bits }: FairPlaySignalView): boolean {
  return Math.abs(bits) >= HEARD_FROM;
}

function SignalList({ signals }: { readonly signals: readonly FairPlaySignalView[] }) {
  return (
    <ul>
      {signals.map((signal) => (
        <SignalRow key={signal.name} signal={signal} />
      ))}
    </ul>
  );
}

function SignalRow({ signal }: { readonly signal: FairPlaySignalView }) {
  const { title, found, threshold, honest } = toSignalTexts(signal);
  return (
    <li>
      <p className="signal-head">
        <b>{title}</b>
        <span className="meta">
          {toWords(signal.class)}, {formatFigure(signal.bits)} bits
        </span>
      </p>
      <p className="small">{found}</p>
      <p className="small muted">Threshold: {threshold.charAt(0).toLowerCase() + threshold.slice(1)}.</p>
      {honest !== "" && <p className="small muted">{honest}</p>}
    </li>
  );
}
