let modals: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

/** Registers a modal dialog above all others. Returns the function that removes it. */
export function addModal(modal: HTMLElement): () => void {
  publish([...modals, modal]);
  return () => publish(modals.filter((other) => other !== modal));
}

/**
 * Null while no modal dialog is open. Everything outside of it is inert, so toasts must be rendered
 * inside it.
 */
export function topModal(): HTMLElement | null {
  return modals.at(-1) ?? null;
}

export function onModalsChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(next: readonly HTMLElement[]): void {
  modals = next;
  // `:has(dialog)` would make every insertion restyle the whole page.
  globalThis.document?.documentElement.classList.toggle("has-modal", modals.length > 0);
  for (const listener of listeners) listener();
}
