import { type RefusalCode, type RefusalView, toRefusalView } from "@holo/protocol/refusals.ts";

export interface Registration {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export type RegistrationField = keyof Registration;

const USERNAME = /^[A-Za-z0-9_-]{3,20}$/;
export const PASSWORD_MIN = 6;

const FIELDS: Readonly<Partial<Record<RefusalCode, RegistrationField>>> = {
  bad_username: "username",
  username_taken: "username",
  bad_email: "email",
  short_password: "password",
  long_password: "password",
  common_password: "password",
};

/** What can be told without asking the server, in the order it would tell it: missing fields, username, e-mail, password. */
export function findFault({ username, email, password }: Registration): RefusalView | null {
  if (username === "" || email === "" || password === "") return toRefusalView("missing_fields");
  if (!USERNAME.test(username)) return toRefusalView("bad_username");
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return toRefusalView("bad_email");
  if (password.length < PASSWORD_MIN) return toRefusalView("short_password");
  return null;
}

/** The field a refusal is about, null where it is about none or several. */
export function fieldOf(refusal: RefusalView): RegistrationField | null {
  return FIELDS[refusal.code] ?? null;
}

/** Why a registration came to nothing: the refusal's own words, and the specification's (8) where the fault is ours. */
export function toFailureText({ code, text }: RefusalView): string {
  return code === "something_went_wrong" || code === "unavailable" ? "An error occurred during registration" : text;
}
