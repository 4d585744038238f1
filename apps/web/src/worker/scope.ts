/** The part of a service worker's surroundings that ours uses: TypeScript's own description of workers does not go together with that of pages. */

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Asking extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Told extends Lasting {
  readonly data: unknown;
}

interface Happenings {
  readonly install: Lasting;
  readonly activate: Lasting;
  readonly fetch: Asking;
  readonly message: Told;
}

export interface WorkerScope {
  readonly location: Location;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly { readonly url: string }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof Happenings>(name: Name, listener: (happening: Happenings[Name]) => void): void;
}
