import { useState } from "react";
import { Link, Redirect, useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { callApi } from "../../../lib/api/api.ts";
import { findSavedPage } from "../../../lib/session/saved-page.ts";
import { useSession } from "../../../lib/session/session.ts";
import { carryWanted, readWantedPage } from "../../../lib/session/wanted-page.ts";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { AccountForm } from "../account-form.tsx";
import {
  findRegistrationFaults,
  keepRegistered,
  type Registration,
  type RegistrationErrors,
  type RegistrationField,
  type RegistrationRefusal,
  toFailureText,
  toRefusedErrors,
} from "./registration.ts";

export default function RegisterPage() {
  usePageTitle("Create Account");
  const { player } = useSession();
  const [, navigate] = useLocation();
  const historyState: unknown = useHistoryState();
  const [fields, setFields] = useState<Registration>({ username: "", email: "", password: "" });
  const [errors, setErrors] = useState<RegistrationErrors>({});
  const { failure, setFailure, attempt } = useAttempts(() => setErrors({}));
  const [busy, setBusy] = useState<string | false>(false);

  if (player !== null) return <Redirect to={readWantedPage(historyState) ?? findSavedPage() ?? "/"} replace />;

  function refuse(refusal: RegistrationRefusal, found: RegistrationErrors) {
    setFailure({ title: "Registration failed", text: toFailureText(refusal) });
    setErrors(found);
  }

  async function submit() {
    const registration = { ...fields, username: fields.username.trim(), email: fields.email.trim() };
    const found = findRegistrationFaults(registration);
    if (found !== null) return refuse(found.refusal, found.errors);
    setBusy("Creating account...");
    const answer = await attempt(() => callApi("register", { body: registration }));
    setBusy(false);
    if (answer === null) return;
    if (!answer.ok) return refuse(answer.refusal, toRefusedErrors(answer.refusal));
    notify({ kind: "done", title: "Registration successful", text: "Your account has been created" });
    keepRegistered(registration);
    navigate("/login", { state: carryWanted(historyState) });
  }

  function bind(field: RegistrationField) {
    return {
      name: field,
      value: fields[field],
      error: errors[field],
      onChange: (event: { readonly target: { readonly value: string } }) => {
        setFields({ ...fields, [field]: event.target.value });
        setFailure(null);
        setErrors({ ...errors, [field]: undefined });
      },
    };
  }

  return (
    <AccountForm
      title="Create Account"
      submitText="Create Account"
      busy={busy}
      failure={failure}
      onSubmit={() => void submit()}
      footer={
        <>
          Already have an account?
          <Link href="/login" state={carryWanted(historyState)} className="link alone">
            Login
          </Link>
        </>
      }
    >
      <TextField
        label="Username"
        hint="3 to 20 letters, digits, _ or -"
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        {...bind("username")}
      />
      <TextField label="Email" type="email" autoComplete="username" {...bind("email")} />
      <TextField
        label="Password"
        type="password"
        hint="Password must be at least 6 characters"
        autoComplete="new-password"
        {...bind("password")}
      />
      <TermsNote />
    </AccountForm>
  );
}

function TermsNote() {
  return (
    <p className="meta">
      By creating an account you confirm that you are 18 or older and accept the{" "}
      <Link href="/terms" className="link">
        Terms of Service
      </Link>
      . Our{" "}
      <Link href="/privacy" className="link">
        Privacy Policy
      </Link>{" "}
      explains what we keep.
    </p>
  );
}
