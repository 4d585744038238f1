import type { RoleView } from "@holo/protocol/accounts/session.ts";
import type { StaffConflict } from "@holo/protocol/report-terms.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";

const PROTECTION_TEXTS: Readonly<Record<StaffConflict, string>> = {
  own_matter: "This is about you. Someone else has to decide it.",
  admin_matter: "This is about an admin. Only the CEO can decide it.",
  ceo_matter: "Only the CEO can open the CEO's account.",
};

/** Replaces actions that the server would refuse, and says who may take them. */
export function ProtectedPlayerNote({ why }: { readonly why: StaffConflict }) {
  return <p className="small muted">{PROTECTION_TEXTS[why]}</p>;
}

export function RoleBadge({ role }: { readonly role: RoleView | null }) {
  return role !== null && <Badge kind="active">{role === "ceo" ? "CEO" : "Admin"}</Badge>;
}
