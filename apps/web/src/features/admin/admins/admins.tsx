import type { AdminsView, AdminView } from "@holo/protocol/admin/staff.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { callApi, fetchApi } from "../../../lib/api/api.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { queryClient } from "../../../lib/api/query.tsx";
import { useSession } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { FailureNote } from "../../../ui/feedback/failure-note.tsx";
import { PASSWORD_MISSING } from "../../../ui/form/password-missing.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useInvalidFocus } from "../../../ui/form/use-invalid-focus.ts";
import { Collapsible } from "../../../ui/layout/collapsible.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { adminKey } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { RemoveAdminDialog } from "./remove-admin-dialog.tsx";
import "./admins.css";
import { useAttempts } from "../../../ui/form/attempts.ts";

export function Admins({ playerId }: { readonly playerId: string }) {
  const queryKey = adminKey(playerId, "admins");
  const query = useQuery({ queryKey, queryFn: ({ signal }) => fetchApi("admins", {}, signal) });
  const count = query.data && query.data.admins.length + 1;
  const keep = (admins: AdminsView) => queryClient.setQueryData(queryKey, admins);
  return (
    <Collapsible
      title="Admin Management"
      note={count !== undefined && <span className="meta">{count === 1 ? "1 admin" : `${count} admins`}</span>}
      startsOpen
    >
      <AddAdmin onAdded={keep} />
      <Loaded query={query} loading="Loading admins..." failed="We couldn't load the list of admins.">
        {(view) => <AdminList view={view} onRemoved={keep} />}
      </Loaded>
    </Collapsible>
  );
}

function AddAdmin({ onAdded }: { readonly onAdded: (admins: AdminsView) => void }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [passwordError, setPasswordError] = useState<string>();
  const { failure, setFailure, attempt } = useAttempts(() => {
    setError(undefined);
    setPasswordError(undefined);
  });
  const [isAdding, setAdding] = useState(false);
  const invalidFocus = useInvalidFocus();

  function refuse(refusal: RefusalView) {
    if (refusal.code === "bad_admin_email") return setError(refusal.text);
    if (refusal.code === "wrong_password") return setPasswordError(refusal.text);
    setFailure(toFailure(refusal, "Failed to add admin email"));
  }

  async function add(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    // The server validates the rest of the address.
    if (!email.includes("@")) return setError(toRefusalView("bad_admin_email").text);
    if (password === "") return setPasswordError(PASSWORD_MISSING.text);
    setAdding(true);
    const answer = await attempt(() => callApi("addAdmin", { body: { email: email.trim(), password } }));
    setAdding(false);
    if (answer === null) return;
    if (!answer.ok) return refuse(answer.refusal);
    setEmail("");
    setPassword("");
    notify({ kind: "done", title: "Admin added", text: "We emailed all admins." });
    onAdded(answer.value);
  }

  return (
    <form {...invalidFocus} className="add-admin" noValidate onSubmit={(event) => void add(event)}>
      <TextField
        label="Admin's email"
        labelHidden
        type="email"
        autoComplete="off"
        placeholder="name@example.com"
        hint="They become an admin once they verify it."
        error={error}
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
          setFailure(null);
        }}
      />
      <TextField
        label="Your password"
        labelHidden
        type="password"
        autoComplete="current-password"
        placeholder="Your password"
        hint="This confirms that it's you."
        error={passwordError}
        value={password}
        onChange={(event) => {
          setPassword(event.target.value);
          setFailure(null);
        }}
      />
      <Button type="submit" busy={isAdding && "Adding..."}>
        Add Admin
      </Button>
      {failure !== null && <FailureNote failure={failure} />}
    </form>
  );
}

interface AdminListProps {
  readonly view: AdminsView;
  readonly onRemoved: (admins: AdminsView) => void;
}

function AdminList({ view: { owner, admins }, onRemoved }: AdminListProps) {
  const { player, role } = useSession();
  const [removed, setRemoved] = useState<AdminView | null>(null);
  const isOwn = (email: string) => email.toLowerCase() === player?.email.toLowerCase();
  /** The CEO decides about admins, and any admin about an address that is not verified yet. */
  const mayRemove = ({ email, isVerified }: AdminView) => !isOwn(email) && (role === "ceo" || !isVerified);
  return (
    <>
      <ul className="admins">
        <li>
          <AdminText email={owner.email} state={owner.isVerified ? null : NOT_VERIFIED} />
          <Badge kind="active">CEO</Badge>
        </li>
        {admins.map((admin) => (
          <li key={admin.id}>
            <AdminText email={admin.email} state={describeAdmin(admin)} />
            {isOwn(admin.email) && <Badge>You</Badge>}
            {mayRemove(admin) && (
              <Button size="small" kind="quiet" aria-label={`Remove ${admin.email}`} onClick={() => setRemoved(admin)}>
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {removed !== null && <RemoveAdminDialog admin={removed} onClose={() => setRemoved(null)} onRemoved={onRemoved} />}
    </>
  );
}

const NOT_VERIFIED = "Not verified yet";

function describeAdmin({ isVerified, username }: AdminView): string {
  if (username === null) return "No account with this email yet";
  return isVerified ? username : `${username}, not verified yet`;
}

function AdminText({ email, state }: { readonly email: string; readonly state: string | null }) {
  return (
    <p>
      <span className="email">{email}</span>
      {state !== null && <span className="meta">{state}</span>}
    </p>
  );
}
