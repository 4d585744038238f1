import { formatCoins } from "@holo/kernel/money.ts";
import { memo, useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../lib/session.ts";
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
  if (useLoggedOut(scene)) return <LoggedOutBanner />;
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

/** Whether who sat here has been logged out since: on another page, by an ended session, by a password that was changed. */
function useLoggedOut({ seat }: Scene): boolean {
  const { player } = useSession();
  const [hasSat, setSat] = useState(false);
  if (seat !== null && !hasSat) setSat(true);
  return hasSat && player === null;
}

/** The board would else look as it does to anybody who only watches, while a clock may run. */
function LoggedOutBanner() {
  return (
    <div className="turn-banner own">
      <i className="bar" />
      <div className="words">
        <h1>You are logged out</h1>
        <p>
          Your game goes on.{" "}
          <Link href="/login" className="link">
            Log in to play
          </Link>
        </p>
      </div>
    </div>
  );
}
