import { formatCoins } from "@holo/kernel/money.ts";
import { type ReactNode, useState } from "react";
import { sendCommand } from "../../lib/socket.ts";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { notify } from "../../ui/notify.ts";
import { mayCancel, mayResign, type Scene, toName, toOpponent } from "./scene.ts";
import "./table-actions.css";

type Act = "cancel" | "resign";

const BUSY: Readonly<Record<Act, string>> = { cancel: "Cancelling...", resign: "Resigning..." };
const FAILURES: Readonly<Record<Act, string>> = {
  cancel: "Failed to cancel game.",
  resign: "Failed to resign from game.",
};

interface TableActionsProps {
  readonly scene: Scene;
  /** What stands in the same row. */
  readonly children?: ReactNode;
}

/** What a player may do beside moving. Each act says first what it does to the money, in figures. */
export function TableActions({ scene, children = null }: TableActionsProps) {
  const [asked, setAsked] = useState<Act | null>(null);
  const [underWay, setUnderWay] = useState<Act | null>(null);
  const open: Act | null = mayCancel(scene) ? "cancel" : mayResign(scene) ? "resign" : null;
  const row = classes("table-actions", scene.shown.table.status === "waiting" && "alone");
  if (open === null) return children === null || children === false ? null : <div className={row}>{children}</div>;

  async function carryOut(act: Act): Promise<void> {
    setAsked(null);
    setUnderWay(act);
    const answer = await sendCommand({ type: act, gameId: scene.shown.table.gameId });
    setUnderWay(null);
    if (answer.type !== "refused") return;
    const { code, title, text } = answer.refusal;
    const isOurFault = code === "something_went_wrong";
    notify({ kind: "failed", title, text: isOurFault ? FAILURES[act] : text });
  }

  return (
    <div className={row}>
      <Button
        size="small"
        wide
        className="table-action"
        busy={underWay !== null && BUSY[underWay]}
        onClick={() => setAsked(open)}
      >
        {open === "resign" && <Icon name="flag" />}
        {open === "resign" ? "Resign" : "Cancel"}
      </Button>
      {children}
      {asked === "cancel" && open === "cancel" && (
        <Confirmation
          title="Cancel Game?"
          stay={scene.shown.table.status === "waiting" ? "Keep Waiting" : "Keep Playing"}
          act="Cancel Game"
          onStay={() => setAsked(null)}
          onAct={() => void carryOut("cancel")}
        >
          <CancelTerms scene={scene} />
        </Confirmation>
      )}
      {asked === "resign" && open === "resign" && (
        <Confirmation
          title="Resign Game?"
          stay="Keep Playing"
          act="Resign"
          onStay={() => setAsked(null)}
          onAct={() => void carryOut("resign")}
        >
          <ResignTerms scene={scene} />
        </Confirmation>
      )}
    </div>
  );
}

function CancelTerms({ scene }: { readonly scene: Scene }) {
  const entry = <b>{formatCoins(scene.terms.entry, "up")} HC</b>;
  if (scene.shown.table.status === "waiting") {
    return <p className="muted">All {entry} that you paid in come back to you at once.</p>;
  }
  return (
    <p className="muted">
      Both players get back all {entry} that they paid in. From the third game in ten that you cancel, you wait before
      you can start a new one.
    </p>
  );
}

function ResignTerms({ scene }: { readonly scene: Scene }) {
  const { entry, winnings } = scene.terms;
  return (
    <p className="muted">
      You lose the game and the <b>{formatCoins(entry, "up")} HC</b> that you paid in.{" "}
      {scene.seat !== null && <span className="unbroken">{toName(scene, toOpponent(scene.seat))}</span>} receives{" "}
      <b>{formatCoins(winnings)} HC</b>.
    </p>
  );
}

interface ConfirmationProps {
  readonly title: string;
  readonly stay: string;
  readonly act: string;
  readonly onStay: () => void;
  readonly onAct: () => void;
  readonly children: ReactNode;
}

function Confirmation({ title, stay, act, onStay, onAct, children }: ConfirmationProps) {
  return (
    <Dialog
      title={title}
      onClose={onStay}
      actions={
        <>
          <Button onClick={onStay}>{stay}</Button>
          <Button kind="danger" onClick={onAct}>
            {act}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
