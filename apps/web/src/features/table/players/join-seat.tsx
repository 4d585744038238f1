import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { toKoboOwed } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { LimitMinutes } from "@holo/table/stakes.ts";
import { useState } from "react";
import { useSession } from "../../../lib/session/session.ts";
import { toWanted } from "../../../lib/session/wanted-page.ts";
import { sendCommand } from "../../../lib/socket/socket.ts";
import { BuyInDialog } from "../../../shared/match/buy-in-dialog.tsx";
import { JoinLabel } from "../../../shared/match/join-label.tsx";
import { OutcomesReceipt, TermsReceipt } from "../../../shared/match/terms-receipt.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import type { TableViewModel } from "../view-model.ts";

/** Joins a waiting game that was opened by its address (ruling 22). */
export function JoinSeat({ viewModel }: { readonly viewModel: TableViewModel }) {
  const [step, setStep] = useState<"idle" | "asked" | "joining">("idle");
  const { stakeTotal, fee } = viewModel.terms;
  const { table } = viewModel.shown;

  async function join(): Promise<void> {
    setStep("joining");
    const answer = await sendCommand({ type: "join", gameId: table.gameId });
    if (answer.type === "refused") notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
    else notify({ kind: "done", title: "Joined match!", text: "Starting game..." });
    setStep("idle");
  }

  /** A free game has no costs to accept. */
  const ask = () => (viewModel.isFree ? void join() : setStep("asked"));

  return (
    <div className="table-actions alone">
      <Button kind="primary" wide className="join-seat" resting={step === "joining"} onClick={ask}>
        <JoinLabel stakeTotal={stakeTotal} fee={fee} />
      </Button>
      {step !== "idle" && !viewModel.isFree && (
        <BuyInDialog
          gameId={table.gameId}
          game={table.game}
          stake={table.stake}
          feeBps={table.feeBps}
          limitMinutes={(table.limitMs / MINUTE_MS) as LimitMinutes}
          opponent={viewModel.shown.players[0]}
          isJoining={step === "joining"}
          onAccept={() => void join()}
          onClose={() => setStep("idle")}
        />
      )}
    </div>
  );
}

export function LoginToJoin() {
  const { text } = toRefusalView("join_login_required");
  return (
    <div className="table-actions alone login-to-join">
      <p className="meta">{text}</p>
      <ButtonLink href="/login" state={toWanted(window.location)} kind="primary" wide>
        Login
      </ButtonLink>
    </div>
  );
}

export function JoinTerms({ viewModel }: { readonly viewModel: TableViewModel }) {
  const { game, stake, feeBps } = viewModel.shown.table;
  const { rateKobo } = useSession().settings;
  return (
    <Panel className="join-terms" label="Cost to join" isScrollable>
      <h2>Cost to join</h2>
      <TermsReceipt
        game={game}
        stake={stake}
        feeBps={feeBps}
        note={formatNaira(toKoboOwed(viewModel.terms.buyIn, rateKobo))}
      />
      <OutcomesReceipt game={game} stake={stake} feeBps={feeBps} />
    </Panel>
  );
}
