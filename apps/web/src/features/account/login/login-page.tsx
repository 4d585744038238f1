import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { type ChangeEvent, useEffect, useState } from "react";
import { Link, Redirect } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { toSpecified } from "../../../lib/api/failure.ts";
import { loadChunk } from "../../../lib/chunks/load-chunk.ts";
import { findSavedPage } from "../../../lib/session/saved-page.ts";
import { login, useSession } from "../../../lib/session/session.ts";
import { carryWanted, readWantedPage } from "../../../lib/session/wanted-page.ts";
import type { FailureText } from "../../../ui/feedback/failure-note.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { AccountForm } from "../account-form.tsx";
import { findRegistered, forgetRegistered } from "./registration.ts";

export default function LoginPage() {
  usePageTitle("Login");
  const { player, openGame } = useSession();
  const historyState: unknown = useHistoryState();
  const [registered] = useState(findRegistered);
  const form = useLogin(registered);
  useEffect(() => forgetRegistered, []);

  // Order: the active game, the page that redirected to login, the home page.
  if (player !== null) {
    const gameAddress = openGame?.status === "active" ? `/game/${openGame.gameId}` : null;
    return <Redirect to={gameAddress ?? readWantedPage(historyState) ?? findSavedPage() ?? "/"} replace />;
  }

  return (
    <AccountForm
      title={form.code === null ? "Login" : "Enter your code"}
      submitText="Login"
      busy={form.busy}
      failure={form.failure}
      onSubmit={() => void form.submit()}
      footer={
        form.code === null ? (
          <Footer historyState={historyState} />
        ) : (
          <button type="button" className="link alone" onClick={form.leaveCode}>
            Back to login
          </button>
        )
      }
    >
      {form.code === null ? (
        <>
          {registered !== null && <RegisteredNote email={registered.email} />}
          <CredentialFields {...form} />
          <Link href="/forgot-password" state={carryWanted(historyState)} className="link alone forgotten">
            Forgot your password?
          </Link>
        </>
      ) : (
        <CodeField code={form.code} onWrite={form.writeCode} />
      )}
    </AccountForm>
  );
}

async function renewPush(playerId: string): Promise<void> {
  const { pushSwitch } = await loadChunk(() => import("../../../lib/preferences/push.ts"));
  await pushSwitch.renew(playerId).catch(() => false);
}

interface LoginFields {
  readonly email: string;
  readonly password: string;
  readonly writeEmail: (event: ChangeEvent<HTMLInputElement>) => void;
  readonly writePassword: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** `code` is null until the account's second factor is requested. */
function useLogin(registered: ReturnType<typeof findRegistered>) {
  const [email, setEmail] = useState(registered?.email ?? "");
  const [password, setPassword] = useState(registered?.password ?? "");
  const { failure, setFailure, attempt } = useAttempts();
  const [code, setCode] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | false>(false);

  const writing = (write: (text: string) => void) => (event: ChangeEvent<HTMLInputElement>) => {
    write(event.target.value);
    setFailure(null);
  };

  async function submit() {
    if (email.trim() === "" || password === "") return setFailure(toRefusalView("missing_credentials"));
    if (code?.trim() === "") return setFailure(toRefusalView("second_factor_required"));
    setFailure(null);
    setBusy("Logging in...");
    const credentials = { email: email.trim(), password, ...(code !== null && { code: code.trim() }) };
    const answer = await attempt(() => login(credentials));
    setBusy(false);
    if (answer === null) return;
    if (!answer.ok) {
      if (answer.refusal.code === "second_factor_required" && code === null) return setCode("");
      return setFailure(toLoginFailure(answer.refusal));
    }
    const { player, isFirst } = answer.value;
    // The last logout ended them on the server. A failure shows in the settings.
    if (player !== null) void renewPush(player.id);
    const greeting = isFirst ? "Welcome" : "Welcome back";
    notify({ kind: "done", title: "Login successful", text: `${greeting}, ${player?.username ?? ""}!` });
  }

  return {
    email,
    password,
    code,
    failure,
    busy,
    submit,
    writeEmail: writing(setEmail),
    writePassword: writing(setPassword),
    writeCode: writing(setCode),
    leaveCode() {
      setCode(null);
      setFailure(null);
    },
  };
}

const GUESSED_TEXT =
  "Too many attempts. Wait a moment, or choose a new password with “Forgot your password?”: then this device gets in at once.";

function toLoginFailure(refusal: RefusalView): FailureText {
  const { code } = refusal;
  if (code === "too_many_requests") return { ...refusal, text: GUESSED_TEXT };
  return toSpecified(refusal, { title: "Login failed", text: refusal.text });
}

/** The same text whether or not the address had an account (ruling 24). */
function RegisteredNote({ email }: { readonly email: string }) {
  return (
    <Note icon="send">
      We mailed{" "}
      <b className="unbroken" translate="no">
        {email}
      </b>
      . Open the link to verify your email: withdrawals need it. If you already have an account, the email will say so.
    </Note>
  );
}

function CredentialFields({ email, password, writeEmail, writePassword }: LoginFields) {
  return (
    <>
      <TextField label="Email" type="email" name="email" autoComplete="username" value={email} onChange={writeEmail} />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={writePassword}
      />
    </>
  );
}

interface CodeFieldProps {
  readonly code: string;
  readonly onWrite: (event: ChangeEvent<HTMLInputElement>) => void;
}

function CodeField({ code, onWrite }: CodeFieldProps) {
  return (
    <TextField
      label="Code"
      hint="From your authenticator app, or one of your recovery codes."
      name="code"
      autoComplete="one-time-code"
      autoFocus
      value={code}
      onChange={onWrite}
    />
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
