import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { z } from "zod";
import { isCommonPassword } from "../password/common-passwords.ts";

export interface RegistrationForm {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** A valid form: trimmed, the address in lower case. */
export interface ParsedRegistration {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export type FormRefusal = "missing_fields" | "bad_username" | "bad_email" | PasswordRefusal;
export type PasswordRefusal = "short_password" | "long_password" | "common_password";

const USERNAME = /^[A-Za-z0-9_-]{3,20}$/;
/** `.invalid` is reserved (RFC 2606) and used for deleted accounts. */
const EMAIL = z
  .email()
  .max(254)
  .refine((email) => !email.endsWith(".invalid"));
const PASSWORD_MIN = 6;
/** In UTF-16 units, as the auth library counts at login. */
const PASSWORD_MAX = 128;

/** Addresses are compared case-insensitively, without surrounding spaces (ruling 24). */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The normalized address; null if invalid. */
export function parseEmail(text: string): string | null {
  const email = normalizeEmail(text);
  return EMAIL.safeParse(email).success ? email : null;
}

/** Why a password is not acceptable; null if it is. */
export function checkPasswordRules(password: string): PasswordRefusal | null {
  if ([...password].length < PASSWORD_MIN) return "short_password";
  if (password.length > PASSWORD_MAX) return "long_password";
  return isCommonPassword(password) ? "common_password" : null;
}

/** Refusals in the order of `FormRefusal` (specification 5, ruling 24). */
export function parseRegistration(form: RegistrationForm): Result<ParsedRegistration, FormRefusal> {
  const username = form.username.trim();
  const email = normalizeEmail(form.email);
  const { password } = form;
  if (username === "" || email === "" || password === "") return refuse("missing_fields");
  if (!USERNAME.test(username)) return refuse("bad_username");
  if (!EMAIL.safeParse(email).success) return refuse("bad_email");
  const fault = checkPasswordRules(password);
  if (fault !== null) return refuse(fault);
  return ok({ username, email, password });
}
