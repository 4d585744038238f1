import { formatCoins, formatNaira, toKobo } from "@holo/kernel/money.ts";
import type { FairPlayCaseView, FairPlayRefusal } from "@holo/protocol/admin/fair-play-cases.ts";
import type { ReactNode } from "react";
import { readCoins } from "../../../lib/api/coins.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { formatFutureTime } from "../../../ui/text/relative-time.ts";
import { type CaseAct, formatAccept, formatClear, REFUSAL_TEXTS } from "./case-texts.ts";
import { ForfeitReceipt } from "./forfeit-receipt.tsx";
import { formatGiven } from "./timeline.ts";

interface CaseDecisionProps {
  readonly shown: FairPlayCaseView;
  readonly now: number;
  readonly onAct: (act: CaseAct) => void;
}

/** What may be done about a case, and what each button pays to whom. */
export function CaseDecision({ shown, now, onAct }: CaseDecisionProps) {
  return (
    <Panel label="Decision" className="case-decision">
      <h2>Decision</h2>
      {shown.state === "open" && shown.untilAt !== null && <HeldPayments held={shown.held} now={now} />}
      <Decided shown={shown} />
      {shown.state === "open" && <Clear shown={shown} onAct={onAct} />}
      {shown.state === "open" && <Forfeit shown={shown} onAct={onAct} />}
      <Appeal shown={shown} onAct={onAct} />
      <Button size="small" kind="quiet" onClick={() => onAct("note")}>
        Write a note
      </Button>
    </Panel>
  );
}

interface HeldPaymentsProps extends Pick<FairPlayCaseView, "held"> {
  readonly now: number;
}

function HeldPayments({ held, now }: HeldPaymentsProps) {
  if (held.length === 0) {
    return <p className="small muted">No withdrawal waits right now. One that takes these coins will.</p>;
  }
  return (
    <ul className="case-held">
      {held.map(({ player, paymentId, reference, kobo, coins, untilAt }) => (
        <li key={paymentId}>
          <p>
            <b>{formatNaira(toKobo(BigInt(kobo)))}</b> <span className="meta">{formatCoins(readCoins(coins))} HC</span>
          </p>
          <p className="small">
            A withdrawal by <Member name={player.username} /> waits.{" "}
            {untilAt > now ? `It's sent by itself ${formatFutureTime(untilAt, now)}.` : "It's being sent now."}
          </p>
          <p className="meta reference">{reference}</p>
        </li>
      ))}
    </ul>
  );
}

/** Who decided: of a forfeit both. */
function Decided({ shown: { state, acts } }: Pick<CaseDecisionProps, "shown">) {
  const find = (type: FairPlayCaseView["acts"][number]["type"]) => acts.findLast((act) => act.type === type);
  switch (state) {
    case "open":
      return null;
    case "released":
      return <p>No one decided in time, so the coins were sent by themselves.</p>;
    case "closed":
      return <p>The dispute has ended, and the case with it.</p>;
    case "cleared":
      return (
        <p>
          Cleared by <Member name={find("cleared")?.username} />.
        </p>
      );
    case "forfeited":
      return (
        <p>
          Proposed by <Member name={find("proposed")?.username} /> and confirmed by{" "}
          <Member name={find("forfeited")?.username} />. Paid back: {formatGiven(find("forfeited")?.given ?? [])}.
        </p>
      );
  }
}

function Member({ name }: { readonly name: string | null | undefined }) {
  return (
    <b className="unbroken" translate="no">
      {name ?? "someone"}
    </b>
  );
}

type ActProps = Omit<CaseDecisionProps, "now">;

function Clear({ shown, onAct }: ActProps) {
  return (
    <Choice title="Clear" text={formatClear(shown)} refused={shown.refusals.clear}>
      <Button size="small" onClick={() => onAct("clear")}>
        Clear the case
      </Button>
    </Choice>
  );
}

function Forfeit({ shown, onAct }: ActProps) {
  const { forfeit, player, proposal, refusals } = shown;
  if (proposal === null) {
    return (
      <Choice
        title="Forfeit"
        text={`Takes these coins from ${player.username} and gives them back to those who lost them. It needs a second member, and moves nothing before that.`}
        facts={<ForfeitReceipt forfeit={forfeit} />}
        refused={refusals.propose}
      >
        <Button size="small" onClick={() => onAct("propose")}>
          Propose to forfeit
        </Button>
      </Choice>
    );
  }
  return (
    <Choice
      title="Forfeit"
      text={
        <>
          <Member name={proposal.username} /> proposed it: {proposal.reason}
        </>
      }
      facts={<ForfeitReceipt forfeit={forfeit} />}
      refused={refusals.confirm}
      always={
        refusals.withdraw === null && (
          <Button size="small" kind="quiet" onClick={() => onAct("withdraw")}>
            Withdraw the proposal
          </Button>
        )
      }
    >
      <Button size="small" kind="danger" onClick={() => onAct("confirm")}>
        Confirm the forfeit
      </Button>
    </Choice>
  );
}

function Appeal({ shown, onAct }: ActProps) {
  const { appeal, acts, refusals, player } = shown;
  if (appeal === null) return null;
  const appealed = acts.findLast(({ type }) => type === "appealed");
  const answered = acts.findLast(({ type }) => type === "appeal_answered");
  return (
    <div className="case-appeal">
      <h3>Appeal by {player.username}</h3>
      <p className="told">{appealed?.text}</p>
      {answered === undefined ? (
        <Choice title="Answer" text={formatAccept(shown)} refused={refusals.answer}>
          <div className="actions">
            <Button size="small" onClick={() => onAct("accept")}>
              Accept the appeal
            </Button>
            <Button size="small" onClick={() => onAct("refuse")}>
              Refuse the appeal
            </Button>
          </div>
        </Choice>
      ) : (
        <p>
          {answered.isAccepted ? "Accepted" : "Refused"} by <Member name={answered.username} />: {answered.text}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly text: ReactNode;
  /** Shown also without the button. */
  readonly facts?: ReactNode;
  /** Instead of the button. */
  readonly refused: FairPlayRefusal | null;
  readonly always?: ReactNode;
  readonly children: ReactNode;
}

function Choice({ title, text, facts, refused, always, children }: ChoiceProps) {
  return (
    <div className="case-choice">
      <h3>{title}</h3>
      {refused !== "never_forfeited" && (
        <>
          <p className="small">{text}</p>
          {facts}
        </>
      )}
      {refused === null ? children : <p className="small muted refused">{REFUSAL_TEXTS[refused]}</p>}
      {always}
    </div>
  );
}
