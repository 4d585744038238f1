import { useState } from "react";
import { callApi } from "../../lib/api/api.ts";
import { Button } from "../../ui/button/button.tsx";
import { Note } from "../../ui/feedback/note.tsx";
import { notify } from "../../ui/overlay/notify.ts";
import "./unverified-email-note.css";

export function UnverifiedEmailNote({ email }: { readonly email: string }) {
  const [busy, setBusy] = useState<string | false>(false);

  async function resend() {
    setBusy("Sending...");
    const answer = await callApi("resendVerification", { body: {} });
    setBusy(false);
    if (!answer.ok) return notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
    notify({ kind: "done", title: "Mail on its way", text: "Use its link: earlier ones no longer work." });
  }

  return (
    <div className="unverified-email-note">
      <Note>
        Verify your email: open the link we mailed to <span className="address">{email}</span>. Withdrawals need it.
      </Note>
      <Button size="small" busy={busy} onClick={() => void resend()}>
        Resend
      </Button>
    </div>
  );
}
