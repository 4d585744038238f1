/** Texts or bytes. */
interface FileCache<Content extends Sized> {
  /**
   * The file of that key: cached, in progress, or made now. Files are made one after the other;
   * null if too many wait.
   */
  get(key: string, make: () => Promise<Content>): Promise<Content | null>;
}

interface Sized {
  readonly length: number;
}

const WAITING_MAX = 100;

/** @param lengthMax of all cached files together, in characters or bytes */
export function openFileCache<Content extends Sized>(lengthMax: number): FileCache<Content> {
  const cached = new Map<string, Content>();
  const making = new Map<string, Promise<Content>>();
  let total = 0;
  let last: Promise<unknown> = Promise.resolve();

  function keep(key: string, content: Content): void {
    cached.set(key, content);
    total += content.length;
    for (const [oldest, { length }] of cached) {
      if (total <= lengthMax) return;
      cached.delete(oldest);
      total -= length;
    }
  }

  async function makeAndKeep(key: string, make: () => Promise<Content>): Promise<Content> {
    const turn = last.then(make, make);
    last = turn;
    try {
      const content = await turn;
      keep(key, content);
      return content;
    } finally {
      making.delete(key);
    }
  }

  return {
    async get(key, make) {
      const content = cached.get(key);
      if (content !== undefined) {
        cached.delete(key);
        cached.set(key, content);
        return content;
      }
      const made = making.get(key);
      if (made !== undefined) return await made;
      if (making.size >= WAITING_MAX) return null;
      const begun = makeAndKeep(key, make);
      making.set(key, begun);
      return await begun;
    },
  };
}
