import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useState } from "react";
import { Link } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { callApi } from "../../../lib/api/api.ts";
import { carryWanted } from "../../../lib/session/wanted-page.ts";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { AccountForm } from "../account-form.tsx";
import { EmailOutcome } from "../email/email-outcome.tsx";
import { toPasswordFailure } from "./new-password.ts";

const FAILURE_TITLE = "Not sent";
const FAILURE_TEXT = "Failed to send reset email. Please try again.";

/** Shows the same text whether or not the address has an account (ruling 24). */
export default function ForgotPasswordPage() {
  usePageTitle("Forgot Password");
  const historyState: unknown = useHistoryState();
  const [email, setEmail] = useState("");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { failure, setFailure, attempt } = useAttempts();
  const [busy, setBusy] = useState<string | false>(false);

  async function submit() {
    const address = email.trim();
    if (address === "") return setFailure({ title: FAILURE_TITLE, text: toRefusalView("missing_email").text });
    setFailure(null);
    setBusy("Sending...");
    const answer = await attempt(() => callApi("forgotPassword", { body: { email: address } }));
    setBusy(false);
    if (answer === null) return;
    if (!answer.ok) return setFailure(toPasswordFailure(answer.refusal, FAILURE_TITLE, FAILURE_TEXT));
    notify({ kind: "done", title: "Password reset email sent!", text: "Check your inbox." });
    setSentTo(address);
  }

  if (sentTo !== null) {
    return (
      <EmailOutcome
        title="Check your inbox"
        text={
          <>
            If{" "}
            <b className="unbroken" translate="no">
              {sentTo}
            </b>{" "}
            has an account, a link to choose a new password is on its way there. It works once, for 10 minutes.
          </>
        }
        link={{ href: "/login", text: "Back to Login", state: carryWanted(historyState) }}
      />
    );
  }
  return (
    <AccountForm
      title="Forgot Password"
      submitText="Send Reset Link"
      busy={busy}
      failure={failure}
      onSubmit={() => void submit()}
      footer={
        <Link href="/login" state={carryWanted(historyState)} className="link alone">
          Back to Login
        </Link>
      }
    >
      <p>Enter the email of your account. We'll email you a link to choose a new password.</p>
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
          setFailure(null);
        }}
      />
    </AccountForm>
  );
}
