import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const Value = z.object({ stringValue: z.string().optional(), intValue: z.number().optional() });
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue ?? value.intValue])));
const Body = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              startTimeUnixNano: z.coerce.bigint(),
              endTimeUnixNano: z.coerce.bigint(),
              attributes: Attributes,
              status: z.object({ code: z.number() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** A span as it arrived, with its resource. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly isError: boolean;
  readonly worker: string | number | undefined;
}

/** A receiver of OTLP/HTTP with JSON. */
export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The bodies as they arrived. */
  readonly bodies: readonly string[];
  /** The `x-token` headers of the requests. */
  readonly tokens: readonly unknown[];
  /** The status of the next responses. */
  status: number;
}

export async function receiveOtlp(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const tokens: unknown[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url !== '/v1/traces') throw new Error(`a request to ${request.url}`);
      response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}');
      if (receiver.status !== 200) return;
      bodies.push(body);
      tokens.push(request.headers['x-token']);
      for (const { resource, scopeSpans } of Body.parse(JSON.parse(body)).resourceSpans) {
        for (const { startTimeUnixNano: began, endTimeUnixNano: ended, status, ...span } of scopeSpans.flatMap((scope) => scope.spans)) {
          const its = { beganMs: Number(began / 1_000_000n), endedMs: Number(ended / 1_000_000n), isError: status.code === 2 };
          spans.push({ ...span, ...its, worker: resource.attributes['service.instance.id'] });
        }
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    tokens,
    status: 200,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
