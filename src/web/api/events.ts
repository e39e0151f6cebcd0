import type { ViewEvent } from '#src/queries/records.ts';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Clock } from '#src/clock.ts';
import type { Views } from '#src/queries/views.ts';
import { toDecision, toDelivery } from './wire.ts';

const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2000;
/** Fanfare disconnects a reader with this many unread events. The reader reconnects and reads the lists again. */
const MOST_UNREAD = 1000;

export interface EventsOptions {
  readonly views: Views;
  readonly clock: Clock;
  /** Ends all streams. */
  readonly closing: AbortSignal;
}

/** `/api/events`: server-sent events, named after their kind. No event is replayed, so `Last-Event-ID` has no effect. */
export function events({ views, clock, closing }: EventsOptions): Hono {
  const routes = new Hono();

  routes.get('/api/events', (c) => {
    // Without a body, the server would not notice the end of the connection.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
    // Without this header, proxies would buffer the events.
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      const disconnected = new AbortController();
      const over = AbortSignal.any([disconnected.signal, closing]);
      stream.onAbort(() => disconnected.abort());
      // A write to a reader that does not read only returns when the stream is aborted.
      over.addEventListener('abort', () => stream.abort(), { once: true });
      const unread = new EventQueue(over);
      const unsubscribe = views.subscribe((event) => {
        if (!unread.add(event)) disconnected.abort();
      });

      try {
        await stream.write(`retry: ${RECONNECT_MS}\n\n`);
        void sendHeartbeats(() => stream.write(': still here\n\n'), clock, over);
        for await (const event of unread) await stream.writeSSE({ event: event.kind, data: JSON.stringify(toData(event)) });
      } finally {
        unsubscribe();
        disconnected.abort();
      }
    });
  });

  return routes;
}

function toData(event: ViewEvent): object {
  if (event.kind === 'delivery') return toDelivery(event.item);
  return event.kind === 'decision' ? toDecision(event.item) : {};
}

async function sendHeartbeats(write: () => Promise<unknown>, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(HEARTBEAT_MS, signal).catch(() => undefined);
    if (!signal.aborted) await write();
  }
}

/** Buffers events for one reader, up to a limit. Aborting the signal ends the iteration. */
class EventQueue implements AsyncIterable<ViewEvent> {
  readonly #events: ViewEvent[] = [];
  readonly #signal: AbortSignal;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** Adds an event; false if the queue is full. */
  add(event: ViewEvent): boolean {
    if (this.#events.length >= MOST_UNREAD) return false;
    this.#events.push(event);
    this.#wake();
    return true;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ViewEvent, void> {
    while (!this.#signal.aborted) {
      const event = this.#events.shift();
      if (event !== undefined) {
        yield event;
        continue;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
