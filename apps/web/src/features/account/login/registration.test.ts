import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { describe, expect, it } from "vitest";
import { findRegistrationRefusal, toFailureText, toRefusedField } from "./registration.ts";

const GOOD = { username: "Amaka_Plays", email: "amaka@example.com", password: "kola-nut" };

describe("findRegistrationRefusal", () => {
  it("accepts a complete registration", () => {
    expect(findRegistrationRefusal(GOOD)).toBeNull();
  });

  it.each(["username", "email", "password"] as const)("reports a missing %s first [VALID-02]", (field) => {
    expect(findRegistrationRefusal({ ...GOOD, [field]: "" })?.text).toBe("Please fill in all required fields");
  });

  it("refuses a password below six characters", () => {
    expect(findRegistrationRefusal({ ...GOOD, password: "12345" })?.text).toBe(
      "Password must be at least 6 characters",
    );
    expect(findRegistrationRefusal({ ...GOOD, password: "123456" })).toBeNull();
  });

  it.each(["ab", "a".repeat(21), "two words", "naïve", "a.b.c"])(
    "is another username than %s [ENT-02b]",
    (username) => {
      expect(findRegistrationRefusal({ ...GOOD, username })?.code).toBe("bad_username");
    },
  );

  it("refuses an address without text on both sides of the @", () => {
    for (const email of ["amaka", "@example.com", "amaka@", "a b@example.com"]) {
      expect(findRegistrationRefusal({ ...GOOD, email })?.code).toBe("bad_email");
    }
  });

  it("maps a refusal to the field it is about", () => {
    expect(toRefusedField({ code: "username_taken", title: "", text: "" })).toBe("username");
    expect(toRefusedField({ code: "missing_fields", title: "", text: "" })).toBeNull();
  });
});

describe("a failed registration", () => {
  it("shows the specification's text for a fault of the server, else the refusal's text [ERR-04]", () => {
    for (const code of ["something_went_wrong", "unavailable"] as const) {
      expect(toFailureText(toRefusalView(code))).toBe("An error occurred during registration");
    }
    expect(toFailureText(toRefusalView("username_taken"))).toBe("That username is taken");
  });
});
