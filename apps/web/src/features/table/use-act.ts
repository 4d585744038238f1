import { useState } from "react";
import { sendCommand } from "../../lib/socket.ts";
import { notify } from "../../ui/notify.ts";
import { type Act, formatRefused } from "./acts.ts";

export interface Acting {
  /** Sent, and not answered yet: nothing else can be asked meanwhile. */
  readonly underWay: Act | null;
  /** Carries an act out; a refusal is told in a toast. What follows from it comes with the table. */
  readonly carryOut: (act: Act) => void;
}

export function useAct(): Acting {
  const [underWay, setUnderWay] = useState<Act | null>(null);

  async function send(act: Act): Promise<void> {
    setUnderWay(act);
    const answer = await sendCommand(act);
    setUnderWay(null);
    if (answer.type === "refused") notify({ kind: "failed", ...formatRefused(act, answer.refusal) });
  }

  return { underWay, carryOut: (act) => void send(act) };
}
