interface FileCache {
  /**
   * The text of that key: cached, in progress, or made now. Files are made one after the other;
   * null if too many wait.
   */
  get(key: string, make: () => Promise<string>): Promise<string | null>;
}

const WAITING_MAX = 100;

export function openFileCache(charactersMax: number): FileCache {
  const cached = new Map<string, string>();
  const making = new Map<string, Promise<string>>();
  let characters = 0;
  let last: Promise<unknown> = Promise.resolve();

  function keep(key: string, text: string): void {
    cached.set(key, text);
    characters += text.length;
    for (const [oldest, { length }] of cached) {
      if (characters <= charactersMax) return;
      cached.delete(oldest);
      characters -= length;
    }
  }

  async function makeAndKeep(key: string, make: () => Promise<string>): Promise<string> {
    const turn = last.then(make, make);
    last = turn;
    try {
      const text = await turn;
      keep(key, text);
      return text;
    } finally {
      making.delete(key);
    }
  }

  return {
    async get(key, make) {
      const text = cached.get(key);
      if (text !== undefined) {
        cached.delete(key);
        cached.set(key, text);
        return text;
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
