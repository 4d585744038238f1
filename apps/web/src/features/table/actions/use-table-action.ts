import { useState } from "react";
import { sendCommand } from "../../../lib/socket/socket.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { formatActionRefusal, type TableAction } from "./table-action.ts";

interface TableActionState {
  readonly running: TableAction | null;
  readonly run: (action: TableAction) => void;
}

export function useTableAction(): TableActionState {
  const [running, setRunning] = useState<TableAction | null>(null);

  async function send(action: TableAction): Promise<void> {
    setRunning(action);
    const answer = await sendCommand(action);
    setRunning(null);
    if (answer.type === "refused") notify({ kind: "failed", ...formatActionRefusal(action, answer.refusal) });
    else if (action.type === "resign") {
      notify({ kind: "done", title: "Game Resigned", text: "You have resigned from the game." });
    }
  }

  return { running, run: (action) => void send(action) };
}
