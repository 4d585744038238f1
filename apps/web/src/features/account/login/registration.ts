import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { RouteRefusal } from "@holo/protocol/routes.ts";

export interface Registration {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export type RegistrationField = keyof Registration;

const USERNAME = /^[A-Za-z0-9_-]{3,20}$/;
export const PASSWORD_MIN = 6;

export type RegistrationRefusal = RefusalView<RouteRefusal<"register">>;

const FIELD_BY_REFUSAL: Readonly<Partial<Record<RegistrationRefusal["code"], RegistrationField>>> = {
  bad_username: "username",
  reserved_username: "username",
  username_taken: "username",
  bad_email: "email",
  short_password: "password",
  long_password: "password",
  common_password: "password",
};

/** Validates in the order of the server: missing fields, username, email, password. */
export function findRegistrationRefusal({ username, email, password }: Registration): RegistrationRefusal | null {
  if (username === "" || email === "" || password === "") return toRefusalView("missing_fields");
  if (!USERNAME.test(username)) return toRefusalView("bad_username");
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return toRefusalView("bad_email");
  if (password.length < PASSWORD_MIN) return toRefusalView("short_password");
  return null;
}

export function toRefusedField(refusal: RegistrationRefusal): RegistrationField | null {
  return FIELD_BY_REFUSAL[refusal.code] ?? null;
}

/** The refusal's text; for a fault of the server the text of specification 8. */
export function toFailureText({ code, text }: RegistrationRefusal): string {
  return code === "something_went_wrong" || code === "unavailable" ? "An error occurred during registration" : text;
}

/** History state after registration: the address that a mail was sent to. */
interface RegistrationNotice {
  readonly registeredEmail: string;
}

export function toRegistrationNotice(email: string): RegistrationNotice {
  return { registeredEmail: email };
}

export function readRegisteredEmail(state: unknown): string | null {
  const isRegistered = typeof state === "object" && state !== null && "registeredEmail" in state;
  return isRegistered && typeof state.registeredEmail === "string" ? state.registeredEmail : null;
}
