import { type RefusalCode, type RefusalView, toRefusalView } from "@holo/protocol/refusals.ts";
import type { FailureWords } from "../../ui/failure.tsx";
import { PASSWORD_MIN } from "./registration.ts";

export type NewPasswordField = "password" | "confirm";

/** What keeps a new password from being sent, and beside which field that is told; null: beside none. */
export interface NewPasswordFault {
  readonly field: NewPasswordField | null;
  readonly text: string;
}

/** In the order of the specification (5): all fields, that both are the same, the length. */
export function findNewPasswordFault(password: string, confirm: string): NewPasswordFault | null {
  if (password === "" || confirm === "") return { field: null, text: "Please fill in all fields" };
  if (password !== confirm) return { field: "confirm", text: "Passwords do not match" };
  if (password.length < PASSWORD_MIN) return { field: "password", text: toRefusalView("short_password").text };
  return null;
}

const ABOUT_PASSWORD: ReadonlySet<RefusalCode> = new Set(["short_password", "long_password", "common_password"]);

/** Whether what the server refused is the new password itself. */
export function isAboutNewPassword({ code }: RefusalView): boolean {
  return ABOUT_PASSWORD.has(code);
}

const SAID_PLAINLY: ReadonlySet<RefusalCode> = new Set([
  "missing_email",
  "bad_email",
  "too_many_requests",
  "unusable_reset_link",
]);

/** What the server refused in its own words, where they help; else in those of the specification (8). */
export function toFailure(refusal: RefusalView, title: string, otherwise: string): FailureWords {
  const isPlain = SAID_PLAINLY.has(refusal.code) || isAboutNewPassword(refusal);
  return { title, text: isPlain ? refusal.text : otherwise };
}
