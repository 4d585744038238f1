import type { RefusalView } from "@holo/protocol/refusals.ts";
import { useState } from "react";
import { Link, Redirect, useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { callApi } from "../../lib/api.ts";
import { useSession } from "../../lib/session.ts";
import { carryWanted, readWantedPage } from "../../lib/wanted-page.ts";
import { notify } from "../../ui/notify.ts";
import { usePageTitle } from "../../ui/page-title.ts";
import { TextField } from "../../ui/text-field.tsx";
import { AccountForm } from "./account-form.tsx";
import { toRegistered } from "./registered.ts";
import { fieldOf, findFault, type Registration, type RegistrationField, toFailureText } from "./registration.ts";

export default function RegisterPage() {
  usePageTitle("Create Account");
  const { player } = useSession();
  const [, navigate] = useLocation();
  const told: unknown = useHistoryState();
  const [fields, setFields] = useState<Registration>({ username: "", email: "", password: "" });
  const [refusal, setRefusal] = useState<RefusalView | null>(null);
  const [busy, setBusy] = useState(false);

  if (player !== null) return <Redirect to={readWantedPage(told) ?? "/"} replace />;

  async function submit() {
    const registration = { ...fields, username: fields.username.trim(), email: fields.email.trim() };
    const fault = findFault(registration);
    if (fault !== null) return setRefusal(fault);
    setRefusal(null);
    setBusy(true);
    const answer = await callApi("register", { body: registration });
    setBusy(false);
    if (!answer.ok) return setRefusal(answer.refusal);
    notify({ kind: "done", title: "Registration successful", text: "Your account has been created" });
    navigate("/login", { state: { ...toRegistered(registration.email), ...carryWanted(told) } });
  }

  function bind(field: RegistrationField) {
    return {
      name: field,
      value: fields[field],
      error: refusal !== null && fieldOf(refusal) === field ? refusal.text : undefined,
      onChange: (event: { readonly target: { readonly value: string } }) => {
        setFields({ ...fields, [field]: event.target.value });
        setRefusal(null);
      },
    };
  }

  return (
    <AccountForm
      title="Create Account"
      act="Create Account"
      acting="Creating account..."
      busy={busy}
      failure={refusal && { title: "Registration failed", text: toFailureText(refusal) }}
      onSubmit={() => void submit()}
      foot={
        <>
          Already have an account?
          <Link href="/login" state={carryWanted(told)} className="link alone">
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
      <p className="meta">
        By creating an account you state that you are 18 or older and accept the{" "}
        <Link href="/terms" className="link">
          Terms of Service
        </Link>
        . What we keep about you stands in the{" "}
        <Link href="/privacy" className="link">
          Privacy Policy
        </Link>
        .
      </p>
    </AccountForm>
  );
}
