import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { callApi } from "../../lib/api.ts";
import { loadSession } from "../../lib/session.ts";
import type { FailureWords } from "../../ui/failure.tsx";
import { notify } from "../../ui/notify.ts";
import { usePageTitle } from "../../ui/page-title.ts";
import { AccountForm } from "./account-form.tsx";
import { EmailOutcome } from "./email-outcome.tsx";
import { isAboutNewPassword, toFailure } from "./new-password.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { useNewPassword } from "./use-new-password.ts";

const NOT_RESET = "Failed to reset password. Please try again.";

/** Where a mailed link leads. It is of no use to a program that only follows it. */
export default function ResetPasswordPage() {
  usePageTitle("Reset Password");
  const token = new URLSearchParams(useSearch()).get("token") ?? "";
  const [, navigate] = useLocation();
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [busy, setBusy] = useState(false);
  const draft = useNewPassword(() => setFailure(null));

  async function submit() {
    const fault = draft.check();
    if (fault !== null) return setFailure({ title: "Not reset", text: fault.text });
    setFailure(null);
    setBusy(true);
    const answer = await callApi("resetPassword", { body: { token, password: draft.password } });
    setBusy(false);
    if (!answer.ok) {
      if (isAboutNewPassword(answer.refusal)) draft.blame(answer.refusal.text);
      return setFailure(toFailure(answer.refusal, "Not reset", NOT_RESET));
    }
    notify({ kind: "done", title: "Your password has been reset successfully!" });
    // who was logged in here is so no more
    await loadSession();
    navigate("/login", { replace: true });
  }

  if (token === "") {
    return (
      <EmailOutcome
        title="This link is not complete"
        text="Open it from the mail once more, or ask for a new one."
        way={{ href: "/forgot-password", text: "Ask for a new link" }}
      />
    );
  }
  return (
    <AccountForm
      title="Reset Password"
      act="Reset Password"
      acting="Resetting..."
      busy={busy}
      failure={failure}
      onSubmit={() => void submit()}
      foot={
        <Link href="/forgot-password" className="link alone">
          Ask for a new link
        </Link>
      }
    >
      <NewPasswordFields {...draft.fields} />
      <p className="meta">All devices are logged out. Then you log in with the new password.</p>
    </AccountForm>
  );
}
