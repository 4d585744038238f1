import { expect, test } from "vitest";
import { EMPTY_MESSAGE, findFaults, toMessagingLink } from "./contact-form.tsx";

const MESSAGE = { name: " Ada ", email: "ada@example.com", subject: "Deposit", message: "Where is it?\n5 + 5 & more" };

// [VALID-29 §5] The contact form requires all four fields.
test("requires all four fields, and treats blank as empty [VALID-29 VALID-40]", () => {
  expect(findFaults(EMPTY_MESSAGE)).toEqual({
    name: "Please enter your name",
    email: "Please enter your email address",
    subject: "Please enter a subject",
    message: "Please enter a message",
  });
  expect(findFaults({ ...MESSAGE, subject: "  " })).toEqual({ subject: "Please enter a subject" });
  expect(findFaults({ ...MESSAGE, email: "ada" })).toEqual({ email: "Please enter a valid email" });
  expect(findFaults(MESSAGE)).toEqual({});
  const long = { ...MESSAGE, message: "a".repeat(1_512) };
  expect(findFaults(long)).toEqual({ message: "12 characters too many. At most 1500 fit." });
});

// [CONT-02 §2,7] The form with name, e-mail, subject and message opens the messaging app with everything filled in,
// and is then cleared.
test("puts the whole message into the link, any characters included, and keeps its parameters [CONT-02]", () => {
  const link = new URL(toMessagingLink("https://messages.example.com/holo?phone=234", MESSAGE));
  expect(link.searchParams.get("phone")).toBe("234");
  expect(link.searchParams.get("text")).toBe("Deposit\n\nWhere is it?\n5 + 5 & more\n\nAda, ada@example.com");
  expect(link.href).not.toContain("+");
});
