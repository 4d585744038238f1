import { assertNever } from "@holo/kernel/assert.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Unbroken } from "../../ui/unbroken.tsx";
import { Countdown } from "./countdown.tsx";
import { type RematchView, toRematchView } from "./rematch-view.ts";
import { type Scene, toName, toOpponent } from "./scene.ts";
import { useAct } from "./use-act.ts";
import { useMeans } from "./use-means.ts";

interface RematchProps {
  readonly scene: Scene;
  readonly className?: string;
}

function useRematch(scene: Scene): RematchView {
  return toRematchView(scene, useMeans(scene));
}

/** What a rematch costs, what keeps it from coming about, or how long it is waited for. */
export function RematchLine({ scene }: RematchProps) {
  const rematch = useRematch(scene);
  switch (rematch.type) {
    case "none":
    case "received":
    case "started":
      return null;
    case "offered":
      return (
        <p className="rematch-line">
          Waiting for <span className="unbroken">{scene.seat !== null && toName(scene, toOpponent(scene.seat))}</span>{" "}
          to accept: <Countdown until={rematch.until} unit="seconds" />
        </p>
      );
    case "closed":
      return (
        <p className="rematch-line">
          <Unbroken text={rematch.why} />
        </p>
      );
    case "open": {
      const { entry, stakeTotal, fee } = rematch.terms;
      return (
        <p className="rematch-line">
          {rematch.told !== null && <Unbroken text={`${rematch.told} `} />}
          {rematch.why === null ? (
            <>
              A rematch costs <b>{formatCoins(entry, "up")} HC</b>: {formatCoins(stakeTotal)} + {formatCoins(fee, "up")}{" "}
              fee.
            </>
          ) : (
            <Unbroken text={rematch.why} />
          )}
        </p>
      );
    }
    default:
      return assertNever(rematch);
  }
}

export function RematchButton({ scene, className = "" }: RematchProps) {
  const rematch = useRematch(scene);
  const { underWay, carryOut } = useAct();
  const { gameId } = scene.shown.table;
  switch (rematch.type) {
    case "none":
    case "received":
    case "closed":
      return null;
    case "started":
      return (
        <ButtonLink kind="primary" href={`/game/${rematch.gameId}`} className={className}>
          {scene.seat === null ? "Watch the rematch" : "Go to the rematch"}
        </ButtonLink>
      );
    case "offered":
      return (
        <Button className={className} resting>
          Rematch offered
        </Button>
      );
    case "open":
      return (
        <Button
          kind="primary"
          className={className}
          resting={rematch.why !== null}
          busy={underWay !== null && "Offering..."}
          onClick={() => carryOut({ type: "offer_rematch", gameId, feeBps: rematch.feeBps })}
        >
          Offer Rematch
        </Button>
      );
    default:
      return assertNever(rematch);
  }
}
