import { assertNever } from "@holo/kernel/assert.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Panel } from "../../ui/panel.tsx";
import { CopiedText } from "../../ui/papers/copied-text.tsx";
import { checkLog, findHash, type LogCheck } from "./log-check.ts";
import { RecordLink } from "./record-link.tsx";
import type { Scene } from "./scene.ts";

type Checked =
  | { readonly type: "checked"; readonly check: LogCheck; readonly finalHash: string }
  | { readonly type: "failed"; readonly text: string };

/** The record of a game that is over: to be checked, and to be taken away. */
export function RecordPanel({ scene }: { readonly scene: Scene }) {
  return (
    <Panel className="record-panel" label="Record">
      <h2>Record</h2>
      <CheckChain scene={scene} />
      <RecordLink scene={scene} />
    </Panel>
  );
}

function CheckChain({ scene }: { readonly scene: Scene }) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function check(): Promise<void> {
    setBusy(true);
    setChecked(await fetchAndCheck(scene));
    setBusy(false);
  }

  return (
    <>
      <p className="muted small">
        Each entry of the game's log is bound to the one before by a SHA-256 hash. The last hash is kept with the
        settlement: nobody, not even the house, can change the game unseen.
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
          what this page was shown.
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
          <b className="lost">Entry {check.version} is not what this page was shown.</b> Please report this game.
        </>
      );
    default:
      return assertNever(check);
  }
}

async function fetchAndCheck({ shown }: Scene): Promise<Checked> {
  const hash = findHash();
  if (hash === null) return { type: "failed", text: "Your browser can check this only over a secure connection." };
  const { gameId } = shown.table;
  const answer = await callApi("log", { params: { id: gameId } });
  if (!answer.ok) return { type: "failed", text: answer.refusal.text };
  const check = await checkLog(gameId, answer.value, shown.entries, hash);
  return { type: "checked", check, finalHash: answer.value.finalHash };
}
