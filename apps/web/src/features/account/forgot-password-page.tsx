import { toRefusalView } from "@holo/protocol/refusals.ts";
import { useState } from "react";
import { Link } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { callApi } from "../../lib/api.ts";
import { carryWanted } from "../../lib/wanted-page.ts";
import type { FailureWords } from "../../ui/failure.tsx";
import { notify } from "../../ui/notify.ts";
import { usePageTitle } from "../../ui/page-title.ts";
import { TextField } from "../../ui/text-field.tsx";
import { AccountForm } from "./account-form.tsx";
import { EmailOutcome } from "./email-outcome.tsx";
import { toFailure } from "./new-password.ts";

const NO_MAIL = "Not sent";
const NOT_SENT = "Failed to send reset email. Please try again.";

/** Says the same whether or not the address has an account: only its mail tells (ruling 24). */
export default function ForgotPasswordPage() {
  usePageTitle("Forgot Password");
  const told: unknown = useHistoryState();
  const [email, setEmail] = useState("");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit() {
    const address = email.trim();
    if (address === "") return setFailure({ title: NO_MAIL, text: toRefusalView("missing_email").text });
    setFailure(null);
    setBusy(true);
    const answer = await callApi("forgotPassword", { body: { email: address } });
    setBusy(false);
    if (!answer.ok) return setFailure(toFailure(answer.refusal, NO_MAIL, NOT_SENT));
    notify({ kind: "done", title: "Password reset email sent!", text: "Check your inbox." });
    setSentTo(address);
  }

  if (sentTo !== null) {
    return (
      <EmailOutcome
        title="Check your inbox"
        text={
          <>
            If <b className="unbroken">{sentTo}</b> has an account, a link to choose a new password is on its way there.
            It works once, for 10 minutes.
          </>
        }
        way={{ href: "/login", text: "Back to Login", state: carryWanted(told) }}
      />
    );
  }
  return (
    <AccountForm
      title="Forgot Password"
      act="Send Reset Link"
      acting="Sending..."
      busy={busy}
      failure={failure}
      onSubmit={() => void submit()}
      foot={
        <Link href="/login" state={carryWanted(told)} className="link alone">
          Back to Login
        </Link>
      }
    >
      <p>Enter the email of your account. We mail you a link with which you choose a new password.</p>
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
