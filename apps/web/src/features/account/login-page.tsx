import { toRefusalView } from "@holo/protocol/refusals.ts";
import { useState } from "react";
import { Link, Redirect } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { login, useSession } from "../../lib/session.ts";
import { carryWanted, readWantedPage } from "../../lib/wanted-page.ts";
import type { FailureWords } from "../../ui/failure.tsx";
import { Note } from "../../ui/note.tsx";
import { notify } from "../../ui/notify.ts";
import { usePageTitle } from "../../ui/page-title.ts";
import { TextField } from "../../ui/text-field.tsx";
import { AccountForm } from "./account-form.tsx";
import { readRegisteredEmail } from "./registered.ts";

export default function LoginPage() {
  usePageTitle("Login");
  const { player, openGame } = useSession();
  const told: unknown = useHistoryState();
  const registeredEmail = readRegisteredEmail(told);
  const [email, setEmail] = useState(registeredEmail ?? "");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [busy, setBusy] = useState(false);

  // after a login, and for who is logged in already: to the active game if there is one, else to the page that sent them here, else home
  if (player !== null) {
    const gameAddress = openGame?.status === "active" ? `/game/${openGame.gameId}` : null;
    return <Redirect to={gameAddress ?? readWantedPage(told) ?? "/"} replace />;
  }

  async function submit() {
    if (email.trim() === "" || password === "") return setFailure(toRefusalView("missing_credentials"));
    setFailure(null);
    setBusy(true);
    const answer = await login(email.trim(), password);
    setBusy(false);
    if (!answer.ok) return setFailure(answer.refusal);
    const name = answer.value.player?.username ?? "";
    notify({ kind: "done", title: "Login successful", text: `Welcome back, ${name}!` });
  }

  return (
    <AccountForm
      title="Login"
      act="Login"
      acting="Logging in..."
      busy={busy}
      failure={failure}
      onSubmit={() => void submit()}
      foot={
        <>
          Don't have an account?
          <Link href="/register" state={carryWanted(told)} className="link alone">
            Sign up
          </Link>
          <p className="small-print">
            <Link href="/terms" className="link alone">
              Terms of Service
            </Link>
            <Link href="/privacy" className="link alone">
              Privacy Policy
            </Link>
          </p>
        </>
      }
    >
      {registeredEmail !== null && (
        // the same words whether or not the address had an account: only its owner's mail says which (ruling 24)
        <Note icon="send">
          We mailed <b className="unbroken">{registeredEmail}</b>. Open the link to verify your email: withdrawals need
          it. If you had an account already, or can have none now, the mail says so.
        </Note>
      )}
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
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => {
          setPassword(event.target.value);
          setFailure(null);
        }}
      />
      <Link href="/forgot-password" state={carryWanted(told)} className="link alone forgotten">
        Forgot your password?
      </Link>
    </AccountForm>
  );
}
