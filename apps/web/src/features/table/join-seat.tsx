import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import type { LimitMinutes } from "@holo/table/stakes.ts";
import { useState } from "react";
import { sendCommand } from "../../lib/socket.ts";
import { Button } from "../../ui/button.tsx";
import { FeeDialog } from "../../ui/fee-dialog.tsx";
import { notify } from "../../ui/notify.ts";
import type { Scene } from "./scene.ts";

/** The open seat of somebody else's waiting game, for a player who came by its address (ruling 22). */
export function JoinSeat({ scene }: { readonly scene: Scene }) {
  const [step, setStep] = useState<"idle" | "asked" | "joining">("idle");
  const { stakeTotal, fee } = scene.terms;
  const { table } = scene.shown;

  async function join(): Promise<void> {
    setStep("joining");
    const answer = await sendCommand({ type: "join", gameId: table.gameId });
    if (answer.type === "refused") notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
    else notify({ kind: "done", title: "Joined match!", text: "Starting game..." });
    setStep("idle");
  }

  return (
    <div className="table-actions alone">
      <Button kind="primary" wide onClick={() => setStep("asked")}>
        Join Match ({formatCoins(stakeTotal)} coins + {formatCoins(fee, "up")} fee)
      </Button>
      {step !== "idle" && (
        <FeeDialog
          gameId={table.gameId}
          game={table.game}
          stake={table.stake}
          feeBps={table.feeBps}
          limitMinutes={(table.limitMs / MINUTE_MS) as LimitMinutes}
          opponent={scene.shown.players[0]}
          isJoining={step === "joining"}
          onAccept={() => void join()}
          onClose={() => setStep("idle")}
        />
      )}
    </div>
  );
}
