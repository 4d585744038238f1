import { formatCoins } from "@holo/kernel/money.ts";
import { useState } from "react";
import { sendCommand } from "../../lib/socket.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notify.ts";
import { EntryReceipt } from "./entry-receipt.tsx";
import type { Scene } from "./scene.ts";

/** The open seat of somebody else's waiting game, for a player who came by its address (ruling 22). */
export function JoinSeat({ scene }: { readonly scene: Scene }) {
  const [step, setStep] = useState<"idle" | "asked" | "joining">("idle");
  const { stakeTotal, fee, entry, winnings, drawReturn } = scene.terms;
  const isJoining = step === "joining";

  async function join(): Promise<void> {
    setStep("joining");
    const answer = await sendCommand({ type: "join", gameId: scene.shown.table.gameId });
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
        <Dialog
          title="Transaction Fee"
          onClose={isJoining ? undefined : () => setStep("idle")}
          actions={
            <>
              <Button disabled={isJoining} onClick={() => setStep("idle")}>
                Cancel
              </Button>
              <Button kind="primary" busy={isJoining && "Joining..."} onClick={() => void join()}>
                Accept & Join
              </Button>
            </>
          }
        >
          <EntryReceipt scene={scene} />
          <p className="meta">
            You win: you receive {formatCoins(winnings)} HC. Draw: {formatCoins(drawReturn)} HC back. Cancelled: all{" "}
            {formatCoins(entry, "up")} HC back.
          </p>
        </Dialog>
      )}
    </div>
  );
}
