import { SECOND_MS } from "@holo/kernel/instant.ts";
import { ROOT_CONTEXT, type Span, SpanKind, type Tracer, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { loadVersion } from "../build.ts";
import type { Log } from "../log.ts";
import type { CommandTrace, Stage, Tracing } from "./tracing.ts";

interface OtlpOptions {
  /** The collector's base URL; spans go to its `/v1/traces`. */
  readonly endpoint: string;
  /** The share of commands that are traced, from 0 to 1. */
  readonly share: number;
  readonly instanceId: string;
  readonly log: Log;
}

const SEND_EVERY_MS = SECOND_MS;

/** Sends spans over OTLP with HTTP and JSON. A collector that is away costs spans, never play. */
export function openOtlpTracing({ endpoint, share, instanceId, log }: OtlpOptions): Tracing {
  const exporter = toLogged(new OTLPTraceExporter({ url: toUrl(endpoint) }), log);
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        "service.name": "holo-arena",
        "service.version": loadVersion(),
        "service.instance.id": instanceId,
      }),
    ),
    sampler: new TraceIdRatioBasedSampler(share),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: SEND_EVERY_MS })],
  });
  const tracer = provider.getTracer("holo-arena");
  return {
    start(command, gameId) {
      const attributes = { "holo.command": command, ...(gameId !== null && { "holo.game_id": gameId }) };
      const root = tracer.startSpan(`command ${command}`, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT);
      return root.isRecording() ? makeCommandTrace(tracer, root) : null;
    },
    close: () => provider.shutdown(),
  };
}

function makeCommandTrace(tracer: Tracer, root: Span): CommandTrace {
  const context = trace.setSpan(ROOT_CONTEXT, root);
  let stage: Span | null = null;
  let isEnded = false;
  return {
    enter(next: Stage) {
      stage?.end();
      stage = isEnded ? null : tracer.startSpan(next, {}, context);
    },
    end(outcome) {
      isEnded = true;
      stage?.end();
      stage = null;
      root.setAttribute("holo.outcome", outcome);
      root.end();
    },
  };
}

function toUrl(endpoint: string): string {
  return `${endpoint.replace(/\/+$/, "")}/v1/traces`;
}

function toLogged(exporter: SpanExporter, log: Log): SpanExporter {
  return {
    export(spans, report) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined)
          log.warn({ err: result.error, spans: spans.length }, "traces could not be sent");
        report(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
