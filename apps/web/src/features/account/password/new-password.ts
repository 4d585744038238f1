import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { RouteRefusal } from "@holo/protocol/routes.ts";
import type { FailureText } from "../../../ui/feedback/failure-note.tsx";
import { PASSWORD_MIN } from "../login/registration.ts";

type NewPasswordField = "password" | "confirm";

export interface NewPasswordError {
  readonly field: NewPasswordField | null;
  readonly text: string;
}

/** Validates in the order of specification 5: empty, mismatch, length. */
export function findNewPasswordError(password: string, confirm: string): NewPasswordError | null {
  if (password === "" || confirm === "") return { field: null, text: "Please fill in all fields" };
  if (password !== confirm) return { field: "confirm", text: "Passwords do not match" };
  if (password.length < PASSWORD_MIN) return { field: "password", text: toRefusalView("short_password").text };
  return null;
}

type PasswordRefusal = RouteRefusal<"forgotPassword" | "resetPassword" | "changePassword">;

const NEW_PASSWORD_REFUSALS: ReadonlySet<PasswordRefusal> = new Set([
  "short_password",
  "long_password",
  "common_password",
]);

export function isAboutNewPassword({ code }: RefusalView<PasswordRefusal>): boolean {
  return NEW_PASSWORD_REFUSALS.has(code);
}

const REFUSALS_WITH_OWN_TEXT: ReadonlySet<PasswordRefusal> = new Set([
  "missing_email",
  "bad_email",
  "too_many_requests",
  "unusable_reset_link",
]);

/** The refusal's text if it helps the player, else `fallbackText` (specification 8). */
export function toPasswordFailure(
  refusal: RefusalView<PasswordRefusal>,
  title: string,
  fallbackText: string,
): FailureText {
  const isPlain = REFUSALS_WITH_OWN_TEXT.has(refusal.code) || isAboutNewPassword(refusal);
  return { title, text: isPlain ? refusal.text : fallbackText };
}
