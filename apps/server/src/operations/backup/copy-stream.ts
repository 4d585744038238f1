import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import type pg from "pg";

/** How many bytes of rows are passed on together. */
const BLOCK_BYTES = 256 * 1024;

type Connection = pg.Connection & {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

/** `COPY n`, the answer to a finished copy. */
function toRowCount({ text }: { readonly text: string }): number {
  return Number(text.replace("COPY ", ""));
}

/** What the driver calls while a COPY runs. Its own queries know no COPY. */
abstract class CopyQuery implements pg.Submittable {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail("this copy reads");
  }
  handleCopyData(_message: { readonly chunk: Buffer }, _connection: Connection): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  abstract handleCommandComplete(message: { readonly text: string }, connection: Connection): void;
  handleReadyForQuery(): void {}
  abstract handleError(error: Error): void;
}

class CopyOut extends CopyQuery {
  readonly rows: Promise<number>;
  readonly stream = new PassThrough();
  readonly #settle = Promise.withResolvers<number>();
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(text: string) {
    super(text);
    this.rows = this.#settle.promise;
    this.rows.catch(() => undefined);
  }

  override handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: Connection): void {
    if (this.stream.destroyed) return;
    this.#pending.push(Buffer.from(chunk));
    this.#pendingBytes += chunk.byteLength;
    if (this.#pendingBytes < BLOCK_BYTES || this.#flush()) return;
    connection.stream.pause();
    const resume = (): void => {
      this.stream.off("drain", resume).off("close", resume);
      connection.stream.resume();
    };
    // A reader that failed emits no "drain". The rest is dropped, so that a rollback is answered.
    this.stream.on("drain", resume).on("close", resume);
  }

  handleCommandComplete(message: { readonly text: string }, connection: Connection): void {
    this.#flush();
    this.stream.end();
    // An ended stream emits no "drain", and a paused connection would not answer another query.
    connection.stream.resume();
    this.#settle.resolve(toRowCount(message));
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
    this.stream.destroy(error);
  }

  #flush(): boolean {
    const block = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return block.byteLength === 0 || this.stream.write(block);
  }
}

class CopyIn extends CopyQuery {
  readonly rows: Promise<number>;
  readonly #settle = Promise.withResolvers<number>();
  readonly #chunks: AsyncIterable<Uint8Array>;

  constructor(text: string, chunks: AsyncIterable<Uint8Array>) {
    super(text);
    this.#chunks = chunks;
    this.rows = this.#settle.promise;
  }

  override handleCopyInResponse(connection: Connection): void {
    this.#send(connection).catch((error) => {
      this.#settle.reject(error);
      connection.sendCopyFail("the backup could not be read");
    });
  }

  handleCommandComplete(message: { readonly text: string }): void {
    this.#settle.resolve(toRowCount(message));
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }

  async #send(connection: Connection): Promise<void> {
    for await (const chunk of this.#chunks) {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await once(connection.stream, "drain");
    }
    connection.endCopyFrom();
  }
}

/** Runs `COPY … TO STDOUT`. The stream must be read to its end before the next query. */
export function copyOut(client: pg.ClientBase, text: string): { readonly stream: Readable; rows: Promise<number> } {
  return client.query(new CopyOut(text));
}

export async function copyIn(client: pg.ClientBase, text: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  return await client.query(new CopyIn(text, chunks)).rows;
}
