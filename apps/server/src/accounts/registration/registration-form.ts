import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { z } from "zod";
import { checkPasswordRules, type PasswordRefusal } from "../password/password-rules.ts";
import { isUsernameReserved } from "./reserved-usernames.ts";

export interface RegistrationForm {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** A valid form: trimmed, the address in lower case. */
interface ParsedRegistration {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export type FormRefusal = "missing_fields" | "bad_username" | "reserved_username" | "bad_email" | PasswordRefusal;

const USERNAME = /^[A-Za-z0-9_-]{3,20}$/;
/** `.invalid` is reserved (RFC 2606) and used for deleted accounts. */
const EMAIL = z
  .email()
  .max(254)
  .refine((email) => !email.endsWith(".invalid"));

/** Addresses are compared case-insensitively, without surrounding spaces (ruling 24). */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function parseEmail(text: string): string | null {
  const email = normalizeEmail(text);
  return EMAIL.safeParse(email).success ? email : null;
}

/** Refusals in the order of `FormRefusal` (specification 5, ruling 24). */
export function parseRegistration(form: RegistrationForm): Result<ParsedRegistration, FormRefusal> {
  const username = form.username.trim();
  const email = normalizeEmail(form.email);
  const { password } = form;
  if (username === "" || email === "" || password === "") return refuse("missing_fields");
  if (!USERNAME.test(username)) return refuse("bad_username");
  if (isUsernameReserved(username)) return refuse("reserved_username");
  if (!EMAIL.safeParse(email).success) return refuse("bad_email");
  const fault = checkPasswordRules(password);
  if (fault !== null) return refuse(fault);
  return ok({ username, email, password });
}
