import type { RoleView } from "@holo/protocol/games.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";

/** Marks people of the house among players. */
export function RoleBadge({ role }: { readonly role: RoleView | null }) {
  return role !== null && <Badge kind="active">{role === "ceo" ? "CEO" : "Admin"}</Badge>;
}
