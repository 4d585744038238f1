import type { StaffConflict } from "@holo/protocol/admin/staff-conflicts.ts";

const CONFLICT_TEXTS: Readonly<Record<StaffConflict, string>> = {
  own_matter: "This is about you. Someone else has to decide it.",
  admin_matter: "This is about an admin. Only the CEO can decide it.",
  ceo_matter: "Only the CEO can open the CEO's account.",
};

/** Replaces actions that the server would refuse, and says who may take them. */
export function StaffConflictNote({ why }: { readonly why: StaffConflict }) {
  return <p className="small muted">{CONFLICT_TEXTS[why]}</p>;
}
