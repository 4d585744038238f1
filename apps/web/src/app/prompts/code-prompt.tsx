import { useState } from "react";
import { createRoot } from "react-dom/client";
import { callApi } from "../../lib/api/api.ts";
import type { FailureText } from "../../ui/feedback/failure-note.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { FormDialog } from "../../ui/overlay/form-dialog.tsx";

let asking: Promise<boolean> | null = null;

/**
 * Asks for a code of the second factor in a dialog of its own. Requests that need one at the same
 * time share it. False if the player cancels.
 */
export function promptForCode(): Promise<boolean> {
  asking ??= openDialog().finally(() => {
    asking = null;
  });
  return asking;
}

function openDialog(): Promise<boolean> {
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  return new Promise<boolean>((resolve) => {
    root.render(<CodeDialog onAnswered={resolve} />);
  }).finally(() => {
    root.unmount();
    place.remove();
  });
}

function CodeDialog({ onAnswered }: { readonly onAnswered: (isConfirmed: boolean) => void }) {
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState<FailureText | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit() {
    setSending(true);
    const answer = await callApi("confirmSecondFactor", { body: { code: code.trim() } });
    setSending(false);
    if (answer.ok) onAnswered(true);
    else setFailure(answer.refusal);
  }

  return (
    <FormDialog
      title="Enter Your Code"
      submitText="Confirm"
      busyText={isSending && "Checking..."}
      failure={failure}
      onSubmit={submit}
      onClose={() => onAnswered(false)}
    >
      <p>To check it's you, enter the code from your authenticator app.</p>
      <TextField
        label="Code"
        hint="Or one of your recovery codes."
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => {
          setCode(event.target.value);
          setFailure(null);
        }}
      />
    </FormDialog>
  );
}
