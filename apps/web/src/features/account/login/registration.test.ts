import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { describe, expect, it } from "vitest";
import { findRegistrationFaults, toFailureText, toRefusedErrors } from "./registration.ts";

const GOOD = { username: "Amaka_Plays", email: "amaka@example.com", password: "kola-nut" };

describe("findRegistrationFaults", () => {
  it("accepts a complete registration", () => {
    expect(findRegistrationFaults(GOOD)).toBeNull();
  });

  // [VALID-02 §5] Registration with a missing field shows 'Please fill in all required fields'.
  it.each(["username", "email", "password"] as const)("reports a missing %s first [VALID-02]", (field) => {
    const faults = findRegistrationFaults({ ...GOOD, username: "a.b", [field]: "" });
    expect(faults?.refusal.text).toBe("Please fill in all required fields");
    expect(faults?.errors[field]).toBe("Please fill in this field");
  });

  it("marks every faulty field, and no other", () => {
    expect(findRegistrationFaults({ ...GOOD, username: "ab", password: "12345" })).toMatchObject({
      refusal: { code: "bad_username" },
      errors: {
        username: toRefusalView("bad_username").text,
        password: "Password must be at least 6 characters",
      },
    });
    expect(findRegistrationFaults({ ...GOOD, password: "12345" })?.errors).not.toHaveProperty("username");
  });

  it("refuses a password below six characters", () => {
    expect(findRegistrationFaults({ ...GOOD, password: "12345" })?.refusal.text).toBe(
      "Password must be at least 6 characters",
    );
    expect(findRegistrationFaults({ ...GOOD, password: "123456" })).toBeNull();
  });

  it.each(["ab", "a".repeat(21), "two words", "naïve", "a.b.c"])("is another username than %s [ENT-02]", (username) => {
    expect(findRegistrationFaults({ ...GOOD, username })?.refusal.code).toBe("bad_username");
  });

  it("refuses an address without text on both sides of the @", () => {
    for (const email of ["amaka", "@example.com", "amaka@", "a b@example.com"]) {
      expect(findRegistrationFaults({ ...GOOD, email })?.refusal.code).toBe("bad_email");
    }
  });

  it("maps a refusal to the field it is about", () => {
    expect(toRefusedErrors({ code: "username_taken", title: "", text: "taken" })).toEqual({ username: "taken" });
    expect(toRefusedErrors({ code: "missing_fields", title: "", text: "" })).toEqual({});
  });
});

describe("a failed registration", () => {
  // [ERR-04 §8] A failed registration shows 'Registration failed' with the reason, or 'An error occurred during
  // registration'.
  it("shows the specification's text for a fault of the server, else the refusal's text [ERR-04]", () => {
    for (const code of ["something_went_wrong", "unavailable"] as const) {
      expect(toFailureText(toRefusalView(code))).toBe("An error occurred during registration");
    }
    expect(toFailureText(toRefusalView("username_taken"))).toBe("That username is taken");
  });
});
