/** Streams a generated file with backpressure and stops when the client disconnects. */
export function toStream(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      // The adapter logs the fault, and ends the file with its message, which must reveal nothing.
      const { done, value } = await chunks.next().catch((cause: unknown) => {
        throw new Error("the file is incomplete", { cause });
      });
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return();
    },
  });
}
