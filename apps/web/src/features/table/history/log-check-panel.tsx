import { assertNever } from "@holo/kernel/assert.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { Button } from "../../../ui/button/button.tsx";
import { CopiedText } from "../../../ui/data/copied-text.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import type { TableViewModel } from "../view-model.ts";
import { ExportLink } from "./export-link.tsx";
import { checkLog, findHash, type LogCheck } from "./log-check.ts";

type Checked =
  | { readonly type: "checked"; readonly check: LogCheck; readonly finalHash: string }
  | { readonly type: "failed"; readonly text: string };

export function LogCheckPanel({ viewModel }: { readonly viewModel: TableViewModel }) {
  return (
    <Panel className="log-panel" label="Record">
      <h2>Record</h2>
      <CheckChain viewModel={viewModel} />
      <ExportLink viewModel={viewModel} />
    </Panel>
  );
}

function CheckChain({ viewModel }: { readonly viewModel: TableViewModel }) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function check(): Promise<void> {
    setBusy(true);
    setChecked(await fetchAndCheck(viewModel));
    setBusy(false);
  }

  return (
    <>
      <p className="muted small">
        Each entry of the game's log is linked to the one before by a SHA-256 hash. The last hash is kept with the
        settlement: nobody, not even us, can change the game unseen.
      </p>
      {checked?.type === "checked" && (
        <p className="meta">
          Final hash <CopiedText label="the final hash" text={checked.finalHash} isFull={false} />
        </p>
      )}
      <p className="small" role="status">
        {checked !== null && <Outcome checked={checked} />}
      </p>
      <Button size="small" busy={isBusy && "Checking..."} onClick={() => void check()}>
        <Icon name="check" />
        Check
      </Button>
    </>
  );
}

function Outcome({ checked }: { readonly checked: Checked }) {
  if (checked.type === "failed") return checked.text;
  const { check } = checked;
  switch (check.type) {
    case "sound":
      return (
        <>
          <b className="won">The chain is whole.</b> All {check.count} entries match their hashes, the settlement and
          what this page showed.
        </>
      );
    case "broken":
      return (
        <>
          <b className="lost">The chain is broken</b> at entry {check.version}. Please report this game.
        </>
      );
    case "different":
      return (
        <>
          <b className="lost">Entry {check.version} doesn't match what this page showed.</b> Please report this game.
        </>
      );
    default:
      return assertNever(check);
  }
}

async function fetchAndCheck({ shown }: TableViewModel): Promise<Checked> {
  const hash = findHash();
  if (hash === null) return { type: "failed", text: "Your browser can only check this over a secure connection." };
  const { gameId } = shown.table;
  const answer = await callApi("log", { params: { id: gameId } });
  if (!answer.ok) return { type: "failed", text: answer.refusal.text };
  const check = await checkLog(gameId, answer.value, shown.records, hash);
  return { type: "checked", check, finalHash: answer.value.finalHash };
}
