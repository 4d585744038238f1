import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

type Attributes = Readonly<Record<string, string>>;

interface TraceOfCommand {
  readonly root: Attributes;
  /** The names of its stages, by their start. */
  readonly stages: readonly string[];
}

/** Receives spans as an OpenTelemetry collector does: OTLP over HTTP, as JSON. */
export interface TestCollector {
  readonly endpoint: string;
  waitForTrace(name: string, attributes: Attributes): Promise<TraceOfCommand>;
  close(): Promise<void>;
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
}

interface ExportRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

export async function openTestCollector(): Promise<TestCollector> {
  const spans: Span[] = [];
  let received = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as ExportRequest;
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
    received.resolve();
    received = Promise.withResolvers();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  function find(name: string, attributes: Attributes): TraceOfCommand | null {
    for (const span of spans) {
      const own = Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue]));
      if (span.name !== name || Object.entries(attributes).some(([key, value]) => own[key] !== value)) continue;
      const stages = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
      stages.sort((a, b) => (BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1));
      return { root: own, stages: stages.map((stage) => stage.name) };
    }
    return null;
  }

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async waitForTrace(name, attributes) {
      for (;;) {
        const found = find(name, attributes);
        if (found !== null) return found;
        await received.promise;
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
