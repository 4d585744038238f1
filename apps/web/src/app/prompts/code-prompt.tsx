import { createRoot } from "react-dom/client";
import { callApi } from "../../lib/api/api.ts";
import { CredentialsDialog } from "../../shared/account/credentials-dialog.tsx";

let asking: Promise<boolean> | null = null;

/**
 * Asks for a code of the second factor. Concurrent requests share one dialog. False if the player
 * cancels.
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
  return (
    <CredentialsDialog
      title="Enter Your Code"
      submitText="Confirm"
      busyText="Checking..."
      code={{ label: "Code", hint: "Or one of your recovery codes." }}
      send={({ code }) => callApi("confirmSecondFactor", { body: { code } })}
      onDone={() => onAnswered(true)}
      onClose={() => onAnswered(false)}
    >
      <p>To check it's you, enter the code from your authenticator app.</p>
    </CredentialsDialog>
  );
}
