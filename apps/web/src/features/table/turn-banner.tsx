import { useCallback } from "react";
import { useConnection } from "../../lib/socket.ts";
import { classes } from "../../ui/classes.ts";
import { Money } from "../../ui/money.tsx";
import type { Scene } from "./scene.ts";
import { toCountdownTick, toMinutesTick } from "./ticking.ts";
import { TickingText } from "./ticking-text.tsx";
import { toTurnText } from "./turn-text.ts";
import "./turn-banner.css";

export function TurnBanner({ scene }: { readonly scene: Scene }) {
  const { title, detail, until, unit, isOwn } = toTurnText(scene, useConnection());
  const isActive = scene.turn !== null;
  return (
    <div className={classes("turn-banner", isOwn && "own", !isActive && "waiting")}>
      <i className="bar" />
      <div className="words">
        <h1 role="status">{title}</h1>
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
          Winner receives <Money coins={scene.terms.winnings} />
        </p>
      )}
    </div>
  );
}

function Countdown({ until, unit }: { readonly until: number; readonly unit: "seconds" | "minutes" }) {
  const tick = useCallback(
    (now: number) => (unit === "minutes" ? toMinutesTick(until, now) : toCountdownTick(until, now)),
    [until, unit],
  );
  return <TickingText tick={tick} />;
}
