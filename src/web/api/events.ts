import type { ViewEvent } from '#src/queries/records.ts';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Clock } from '#src/clock.ts';
import type { Views } from '#src/queries/views.ts';
import { Mailbox } from './mailbox.ts';
import { toDecision, toDelivery } from './wire.ts';

const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2000;
/** Who has not read this many events is told to come back: a reader that starts anew reads the lists again. */
const BACKLOG = 1000;

export interface EventsOptions {
  readonly views: Views;
  readonly clock: Clock;
  /** Ends all streams. */
  readonly closing: AbortSignal;
}

/** `/api/events`: what happens, as server-sent events named after their kind. Nothing is replayed, so `Last-Event-ID` says nothing here. */
export function events({ views, clock, closing }: EventsOptions): Hono {
  const routes = new Hono();

  routes.get('/api/events', (c) => {
    // An answer without a body has no end that would tell us that its asker has gone.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
    // Proxies would hold the events back otherwise.
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      const gone = new AbortController();
      const over = AbortSignal.any([gone.signal, closing]);
      stream.onAbort(() => gone.abort());
      // A write to somebody who does not read returns only when the stream is cut.
      over.addEventListener('abort', () => stream.abort(), { once: true });
      const mailbox = new Mailbox<ViewEvent>({ limit: BACKLOG, signal: over, overflow: () => gone.abort() });
      const unsubscribe = views.subscribe((event) => mailbox.put(event));

      try {
        await stream.write(`retry: ${RECONNECT_MS}\n\n`);
        void beat(() => stream.write(': still here\n\n'), clock, over);
        for await (const event of mailbox) await stream.writeSSE({ event: event.kind, data: JSON.stringify(toData(event)) });
      } finally {
        unsubscribe();
        gone.abort();
      }
    });
  });

  return routes;
}

function toData(event: ViewEvent): object {
  if (event.kind === 'delivery') return toDelivery(event.item);
  return event.kind === 'decision' ? toDecision(event.item) : {};
}

async function beat(write: () => Promise<unknown>, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(HEARTBEAT_MS, signal).catch(() => undefined);
    if (!signal.aborted) await write();
  }
}
