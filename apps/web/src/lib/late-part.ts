import { type ComponentType, createElement, lazy, useState } from "react";
import { fetchPart, loadPart } from "./part.ts";

interface Loaded<Props> {
  readonly default: ComponentType<Props>;
}

export interface FetchedAhead {
  /**
   * Fetches it before it is shown. Resolves once it is there, or cannot be had now: then nothing has happened, and who shows it asks for it
   * anew. Nothing is loaded anew for what was only fetched ahead.
   */
  readonly fetchAhead: () => Promise<void>;
  /** Whether it will be drawn at once. */
  readonly isHere: () => boolean;
}

/** A component with a chunk of its own. */
export type LatePart<Props> = ComponentType<Props> & FetchedAhead;

const near: FetchedAhead[] = [];

/** A `latePart` that who is at the page may ask for next, such as a dialog behind a button: it is fetched as soon as the page is at rest. */
export function nearPart<Props extends object>(load: () => Promise<Loaded<Props>>): LatePart<Props> {
  const part = latePart(load);
  near.push(part);
  return part;
}

/** What is near to all that has been loaded, and not yet there itself. */
export function listAwaited(): readonly FetchedAhead[] {
  return near.filter((part) => !part.isHere());
}

/**
 * A part of whatever is being loaded that is needed later, or never. It is fetched when it is shown; what is there already is drawn with what is
 * around it, for React lets 300 ms pass between showing that something loads and showing it.
 *
 * @param isKept whether the device keeps it
 */
export function latePart<Props extends object>(load: () => Promise<Loaded<Props>>, isKept = false): LatePart<Props> {
  let here: ComponentType<Props> | null = null;
  let ahead: Promise<void> | null = null;
  let late: ComponentType<Props> | null = null;
  let isLost = false;

  async function fetch(): Promise<void> {
    try {
      here = (await fetchPart(load)).default;
    } catch {
      // Perhaps nobody ever wants it.
      ahead = null;
    }
  }

  async function loadWanted(): Promise<Loaded<Props>> {
    await ahead;
    if (here !== null) return { default: here };
    try {
      const part = await loadPart(load, { isKept });
      here = part.default;
      return part;
    } catch (fault) {
      isLost = true;
      throw fault;
    }
  }

  function toLate(): ComponentType<Props> {
    late ??= lazy(loadWanted);
    return late;
  }

  function Part(props: Props) {
    const [shown] = useState<ComponentType<Props>>(() => here ?? toLate());
    return createElement(shown, props);
  }
  return Object.assign(Part, {
    fetchAhead() {
      // Who shows it after this has it fetched again: what failed was told of to who showed it then.
      if (isLost) late = null;
      isLost = false;
      ahead ??= fetch();
      return ahead;
    },
    isHere: () => here !== null,
  });
}
