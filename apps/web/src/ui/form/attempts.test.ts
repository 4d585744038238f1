import { expect, test } from "vitest";
import { makeAttempts } from "./attempts.ts";

const REFUSED = { ok: false, refusal: "wrong_password" } as const;
const WRONG = { title: "Not added", text: "Wrong password." };

/** A form whose answers come when the test gives them. */
function openForm() {
  let shown: { readonly text: string } | null = null;
  const form = makeAttempts((failure) => {
    shown = failure;
  });
  const answers: ((answer: { readonly ok: boolean }) => void)[] = [];
  async function submit(): Promise<void> {
    const answer = await form.attempt(() => new Promise<{ readonly ok: boolean }>((resolve) => answers.push(resolve)));
    if (answer?.ok === false) form.setFailure(WRONG);
  }
  return { ...form, submit, answers, shown: () => shown };
}

// [ERR-48 §8] No form shows the refusal of an earlier attempt beside corrected fields or after a later attempt.
test("shows the refusal of an attempt until the next one begins [ERR-48]", async () => {
  const form = openForm();
  const first = form.submit();
  form.answers[0]?.(REFUSED);
  await first;
  expect(form.shown()).toBe(WRONG);
  const second = form.submit();
  expect(form.shown()).toBeNull();
  form.answers[1]?.({ ok: true });
  await second;
  expect(form.shown()).toBeNull();
});

test("drops the refusal of fields that were corrected or sent again before it came [ERR-48]", async () => {
  const form = openForm();
  const slow = form.submit();
  form.setFailure(null);
  form.answers[0]?.(REFUSED);
  await slow;
  expect(form.shown()).toBeNull();
  const [earlier, later] = [form.submit(), form.submit()];
  form.answers[2]?.({ ok: true });
  await later;
  form.answers[1]?.(REFUSED);
  await earlier;
  expect(form.shown()).toBeNull();
});
