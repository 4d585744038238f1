import type { RoleView } from "@holo/protocol/session.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";

/** Marks staff among players. */
export function RoleBadge({ role }: { readonly role: RoleView | null }) {
  return role !== null && <Badge kind="active">{role === "ceo" ? "CEO" : "Admin"}</Badge>;
}
