import { toRefusalView } from "@holo/protocol/refusals.ts";
import { describe, expect, it } from "vitest";
import { fieldOf, findFault, toFailureText } from "./registration.ts";

const GOOD = { username: "Amaka_Plays", email: "amaka@example.com", password: "kola-nut" };

describe("what a registration lacks", () => {
  it("is nothing when every field is right", () => {
    expect(findFault(GOOD)).toBeNull();
  });

  it.each(["username", "email", "password"] as const)("is told first when %s is empty [VALID-02]", (field) => {
    expect(findFault({ ...GOOD, [field]: "" })?.text).toBe("Please fill in all required fields");
  });

  it("is a longer password below six characters", () => {
    expect(findFault({ ...GOOD, password: "12345" })?.text).toBe("Password must be at least 6 characters");
    expect(findFault({ ...GOOD, password: "123456" })).toBeNull();
  });

  it.each(["ab", "a".repeat(21), "two words", "naïve", "a.b.c"])(
    "is another username than %s [ENT-02b]",
    (username) => {
      expect(findFault({ ...GOOD, username })?.code).toBe("bad_username");
    },
  );

  it("is an address with something on both sides of the @", () => {
    for (const email of ["amaka", "@example.com", "amaka@", "a b@example.com"]) {
      expect(findFault({ ...GOOD, email })?.code).toBe("bad_email");
    }
  });

  it("is shown at the field it is about, where it is about one", () => {
    expect(fieldOf({ code: "username_taken", title: "", text: "" })).toBe("username");
    expect(fieldOf({ code: "missing_fields", title: "", text: "" })).toBeNull();
  });
});

describe("a registration that came to nothing", () => {
  it("says so in the specification's words where the fault is ours, else in those of the refusal [ERR-04]", () => {
    for (const code of ["something_went_wrong", "unavailable"] as const) {
      expect(toFailureText(toRefusalView(code))).toBe("An error occurred during registration");
    }
    expect(toFailureText(toRefusalView("username_taken"))).toBe("That username is taken");
  });
});
