import type { RoleView } from "@holo/protocol/accounts/session.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";

export function RoleBadge({ role }: { readonly role: RoleView | null }) {
  return role !== null && <Badge kind="active">{role === "ceo" ? "CEO" : "Admin"}</Badge>;
}
