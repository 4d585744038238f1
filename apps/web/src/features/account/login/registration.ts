import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { RouteRefusal } from "@holo/protocol/routes.ts";

export interface Registration {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export type RegistrationField = keyof Registration;

const USERNAME = /^[A-Za-z0-9_-]{3,20}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
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

export type RegistrationErrors = Readonly<Partial<Record<RegistrationField, string>>>;

interface RegistrationFaults {
  /** What the server would refuse with: a missing field, else the first fault of the form. */
  readonly refusal: RegistrationRefusal;
  readonly errors: RegistrationErrors;
}

/** Marks every faulty field at once; null if there is none. */
export function findRegistrationFaults({ username, email, password }: Registration): RegistrationFaults | null {
  const checks = [
    { field: "username", value: username, isValid: USERNAME.test(username), code: "bad_username" },
    { field: "email", value: email, isValid: EMAIL.test(email), code: "bad_email" },
    { field: "password", value: password, isValid: password.length >= PASSWORD_MIN, code: "short_password" },
  ] as const;
  const faults = checks.filter(({ isValid }) => !isValid);
  const [first] = faults;
  if (first === undefined) return null;
  const isMissing = faults.some(({ value }) => value === "");
  return {
    refusal: toRefusalView(isMissing ? "missing_fields" : first.code),
    errors: Object.fromEntries(
      faults.map(({ field, value, code }) => [
        field,
        value === "" ? "Please fill in this field" : toRefusalView(code).text,
      ]),
    ),
  };
}

/** The field that the server's refusal is about, with its text. */
export function toRefusedErrors({ code, text }: RegistrationRefusal): RegistrationErrors {
  const field = FIELD_BY_REFUSAL[code];
  return field === undefined ? {} : { [field]: text };
}

/** The refusal's text; for a fault of the server the text of specification 8. */
export function toFailureText({ code, text }: RegistrationRefusal): string {
  return code === "something_went_wrong" || code === "unavailable" ? "An error occurred during registration" : text;
}

type Credentials = Pick<Registration, "email" | "password">;

/** What was just registered, so that one press logs in. Never in history or storage. */
let registered: Credentials | null = null;

export function keepRegistered({ email, password }: Credentials): void {
  registered = { email, password };
}

export function findRegistered(): Credentials | null {
  return registered;
}

/** Once the login page is left. */
export function forgetRegistered(): void {
  registered = null;
}
