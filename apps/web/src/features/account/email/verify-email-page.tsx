import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { callApi } from "../../../lib/api/api.ts";
import { findSavedPage } from "../../../lib/session/saved-page.ts";
import { loadSession, useSession } from "../../../lib/session/session.ts";
import { toWanted } from "../../../lib/session/wanted-page.ts";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { AccountForm } from "../account-form.tsx";
import { EmailOutcome } from "./email-outcome.tsx";

/** Target of the mailed link. It needs a press, because mail scanners follow links. */
export default function VerifyEmailPage() {
  usePageTitle("Verify your email");
  const token = new URLSearchParams(useSearch()).get("token") ?? "";
  const { player } = useSession();
  const [, navigate] = useLocation();
  const [refusal, setRefusal] = useState<RefusalView | null>(null);
  const [busy, setBusy] = useState(false);
  const [verified, setVerified] = useState(false);

  async function submit() {
    if (player === null) return navigate("/login", { state: toWanted(window.location) });
    setRefusal(null);
    setBusy(true);
    const answer = await callApi("verifyEmail", { body: { token } });
    setBusy(false);
    if (!answer.ok) return setRefusal(answer.refusal);
    setVerified(true);
    await loadSession();
  }

  if (verified) {
    const keptPage = findSavedPage();
    return (
      <EmailOutcome
        title="Your email is verified"
        text="You can close this page or continue."
        {...(keptPage !== null && { link: { href: keptPage, text: "Back to your invitation" } })}
      />
    );
  }
  if (token === "") {
    return (
      <EmailOutcome
        title="This link is incomplete"
        text="Open it again from your email, or ask for a new one on your profile."
      />
    );
  }
  return (
    <AccountForm
      title="Verify your email"
      submitText={player === null ? "Log in to verify" : "Verify my email"}
      busy={busy && "Verifying..."}
      failure={refusal}
      onSubmit={() => void submit()}
      footer={
        player !== null && (
          <Link href="/profile" className="link alone">
            Profile
          </Link>
        )
      }
    >
      <p>
        {player === null
          ? "Log in to your account to verify this email. If you didn't create an account, just close this page."
          : `Press the button if this is the email of your account ${player.username}. If not, close this page and nothing happens.`}
      </p>
    </AccountForm>
  );
}
