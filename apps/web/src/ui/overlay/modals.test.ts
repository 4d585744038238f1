import { expect, test } from "vitest";
import { addModal, onModalsChanged, topModal } from "./modals.ts";

/** A stand-in: only its identity matters here. */
function makeModal(): HTMLElement {
  return {} as HTMLElement;
}

test("reports the dialog opened last as the topmost, in any closing order", () => {
  const [lower, upper] = [makeModal(), makeModal()];
  expect(topModal()).toBeNull();
  const closeLower = addModal(lower);
  expect(topModal()).toBe(lower);
  const closeUpper = addModal(upper);
  expect(topModal()).toBe(upper);
  closeLower();
  expect(topModal()).toBe(upper);
  closeUpper();
  expect(topModal()).toBeNull();
});

test("calls a listener for each opened or closed dialog until it unsubscribes", () => {
  const heard: (HTMLElement | null)[] = [];
  const forget = onModalsChanged(() => heard.push(topModal()));
  const modal = makeModal();
  addModal(modal)();
  expect(heard).toEqual([modal, null]);
  forget();
  addModal(modal)();
  expect(heard).toHaveLength(2);
});
