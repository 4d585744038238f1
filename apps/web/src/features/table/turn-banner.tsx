import { formatCoins } from "@holo/kernel/money.ts";
import { memo } from "react";
import { useConnection } from "../../lib/socket.ts";
import { classes } from "../../ui/classes.ts";
import { Unbroken } from "../../ui/unbroken.tsx";
import { Countdown } from "./countdown.tsx";
import type { Scene } from "./scene.ts";
import { toTurnText } from "./turn-text.ts";
import { useUnsent } from "./use-unsent.ts";
import "./turn-banner.css";

export const TurnBanner = memo(function TurnBanner({ scene }: { readonly scene: Scene }) {
  const { title, detail, until, unit, isOwn } = toTurnText(scene, useConnection(), useUnsent(scene));
  const isActive = scene.turn !== null;
  return (
    <div className={classes("turn-banner", isOwn && "own", !isActive && "waiting")}>
      <i className="bar" />
      <div className="words">
        <h1>
          <Unbroken text={title} />
        </h1>
        <p>
          {detail}
          {until !== null && (
            <>
              {" "}
              <Countdown until={until} unit={unit} />
              {unit === "minutes" && "."}
            </>
          )}
        </p>
      </div>
      {isActive && (
        <p className="pot-line">
          Winner receives <b>{formatCoins(scene.terms.winnings)} HC</b>
        </p>
      )}
    </div>
  );
});
