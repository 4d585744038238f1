import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useState } from "react";
import { Link, Redirect } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { findKeptPage } from "../../../lib/session/kept-page.ts";
import { login, useSession } from "../../../lib/session/session.ts";
import { carryWanted, readWantedPage } from "../../../lib/session/wanted-page.ts";
import type { FailureText } from "../../../ui/feedback/failure-note.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { AccountForm } from "../account-form.tsx";
import { readRegisteredEmail } from "./registration.ts";
import { sendWithProof } from "./send-with-proof.ts";

export default function LoginPage() {
  usePageTitle("Login");
  const { player, openGame } = useSession();
  const historyState: unknown = useHistoryState();
  const registeredEmail = readRegisteredEmail(historyState);
  const [email, setEmail] = useState(registeredEmail ?? "");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureText | null>(null);
  const [code, setCode] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  // Order: the active game, the page that redirected to login, the home page.
  if (player !== null) {
    const gameAddress = openGame?.status === "active" ? `/game/${openGame.gameId}` : null;
    return <Redirect to={gameAddress ?? readWantedPage(historyState) ?? findKeptPage() ?? "/"} replace />;
  }

  async function submit() {
    if (email.trim() === "" || password === "") return setFailure(toRefusalView("missing_credentials"));
    setFailure(null);
    setBusy(true);
    const form = { email: email.trim(), password, ...(code !== null && { code: code.trim() }) };
    const answer = await sendWithProof((proof) => login({ ...form, proof }));
    setBusy(false);
    if (!answer.ok) {
      if (answer.refusal.code === "second_factor_required" && code === null) return setCode("");
      const isFault = answer.refusal.code === "something_went_wrong";
      return setFailure(isFault ? { ...answer.refusal, title: "Login failed" } : answer.refusal);
    }
    const name = answer.value.player?.username ?? "";
    notify({ kind: "done", title: "Login successful", text: `Welcome back, ${name}!` });
  }

  if (code !== null) {
    return (
      <AccountForm
        title="Enter your code"
        submitText="Login"
        busyText="Logging in..."
        busy={busy}
        failure={failure}
        onSubmit={() => void submit()}
        footer={
          <button
            type="button"
            className="link alone"
            onClick={() => {
              setCode(null);
              setFailure(null);
            }}
          >
            Back to login
          </button>
        }
      >
        <TextField
          label="Code"
          hint="From your authenticator app, or one of your recovery codes."
          name="code"
          autoComplete="one-time-code"
          autoFocus
          value={code}
          onChange={(event) => {
            setCode(event.target.value);
            setFailure(null);
          }}
        />
      </AccountForm>
    );
  }

  return (
    <AccountForm
      title="Login"
      submitText="Login"
      busyText="Logging in..."
      busy={busy}
      failure={failure}
      onSubmit={() => void submit()}
      footer={<Footer historyState={historyState} />}
    >
      {registeredEmail !== null && (
        // the same text whether or not the address had an account (ruling 24)
        <Note icon="send">
          We mailed <b className="unbroken">{registeredEmail}</b>. Open the link to verify your email: withdrawals need
          it. If you already have an account, the email will say so.
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
      <Link href="/forgot-password" state={carryWanted(historyState)} className="link alone forgotten">
        Forgot your password?
      </Link>
    </AccountForm>
  );
}

function Footer({ historyState }: { readonly historyState: unknown }) {
  return (
    <>
      Don't have an account?
      <Link href="/register" state={carryWanted(historyState)} className="link alone">
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
  );
}
