import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { callApi } from "../../../lib/api/api.ts";
import { loadSession } from "../../../lib/session/session.ts";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { AccountForm } from "../account-form.tsx";
import { EmailOutcome } from "../email/email-outcome.tsx";
import { isAboutNewPassword, toPasswordFailure } from "./new-password.ts";
import { NewPasswordFields, useNewPassword } from "./new-password-fields.tsx";

const FAILURE_TEXT = "Failed to reset password. Please try again.";

/** Target of the mailed link. Following it changes nothing, because mail scanners follow links. */
export default function ResetPasswordPage() {
  usePageTitle("Reset Password");
  const token = new URLSearchParams(useSearch()).get("token") ?? "";
  const [, navigate] = useLocation();
  const { failure, setFailure, attempt } = useAttempts();
  const [busy, setBusy] = useState(false);
  const draft = useNewPassword(() => setFailure(null));

  async function submit() {
    const error = draft.check();
    if (error !== null) return setFailure({ title: "Not reset", text: error.text });
    setFailure(null);
    setBusy(true);
    const answer = await attempt(() => callApi("resetPassword", { body: { token, password: draft.password } }));
    setBusy(false);
    if (answer === null) return;
    if (!answer.ok) {
      if (isAboutNewPassword(answer.refusal)) draft.blame(answer.refusal.text);
      return setFailure(toPasswordFailure(answer.refusal, "Not reset", FAILURE_TEXT));
    }
    notify({ kind: "done", title: "Your password has been reset successfully!" });
    // The reset ended the session of this browser.
    await loadSession();
    navigate("/login", { replace: true });
  }

  if (token === "") {
    return (
      <EmailOutcome
        title="This link is incomplete"
        text="Open it again from your email, or ask for a new one."
        link={{ href: "/forgot-password", text: "Ask for a new link" }}
      />
    );
  }
  return (
    <AccountForm
      title="Reset Password"
      submitText="Reset Password"
      busy={busy && "Resetting..."}
      failure={failure}
      onSubmit={() => void submit()}
      footer={
        <Link href="/forgot-password" className="link alone">
          Ask for a new link
        </Link>
      }
    >
      <NewPasswordFields {...draft.fields} />
      <p className="meta">This logs you out on all devices. Then log in with your new password.</p>
    </AccountForm>
  );
}
