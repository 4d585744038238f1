let modals: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

/** A modal dialog is open from now on, above all others, until the function that is returned is called. */
export function addModal(modal: HTMLElement): () => void {
  publish([...modals, modal]);
  return () => publish(modals.filter((other) => other !== modal));
}

/**
 * The modal dialog above all others; null while none is open. Browsers let nothing outside of it be pressed or heard, whatever is drawn above it: what
 * is to be has to stand within it.
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
  for (const listener of listeners) listener();
}
