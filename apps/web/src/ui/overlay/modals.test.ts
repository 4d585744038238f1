import { expect, test } from "vitest";
import { addModal, onModalsChanged, topModal } from "./modals.ts";

/** Nothing is asked of it here but which one it is. */
function makeModal(): HTMLElement {
  return {} as HTMLElement;
}

test("the topmost dialog is the one opened last of those still open, in whatever order they close", () => {
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

test("each dialog that opens or closes is told of until nobody listens", () => {
  const heard: (HTMLElement | null)[] = [];
  const forget = onModalsChanged(() => heard.push(topModal()));
  const modal = makeModal();
  addModal(modal)();
  expect(heard).toEqual([modal, null]);
  forget();
  addModal(modal)();
  expect(heard).toHaveLength(2);
});
