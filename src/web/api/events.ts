import { OpenAPIHono } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import { DecisionAnswer, DeliveryAnswer, documented } from '#src/admin/queries/answers.ts';
import type { ViewEvent } from '#src/admin/queries/records.ts';
import type { ApiQueries } from '#src/admin/queries/api-queries.ts';
import type { Clock } from '#src/clock.ts';
import { EventHistory } from './event-history.ts';
import type { ApiEnv } from './operations.ts';
import { STREAMS } from './routes.ts';

const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2000;
/** A reader with a session or a token reconnects after this time, so that the access is checked again. It misses no event. */
const ACCESS_MS = 10 * 60_000;

/** An answer of the API can be this old, and has no later event. */
const LONGEST_CACHED_MS = 500;

export interface EventsOptions {
  readonly apiQueries: Pick<ApiQueries, 'subscribe'>;
  readonly clock: Clock;
  /** Ends all streams. */
  readonly closing: AbortSignal;
}

/** The events of this process. */
export interface Events {
  /** `/api/events`: server-sent events, named after their kind. A reader that reconnects gets the events that it missed. */
  readonly routes: OpenAPIHono<ApiEnv>;
  /** The id of the last event that is in all answers of the API from now on. */
  readonly lastEventId: () => string;
}

/** The events and their stream. */
export function events({ apiQueries, clock, closing }: EventsOptions): Events {
  const routes = new OpenAPIHono<ApiEnv>();
  const history = new EventHistory<ViewEvent>((event, id) => `id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(toData(event))}\n\n`);
  let isSubscribed = false;

  /** The history begins with the first reader or view. */
  function subscribe(): void {
    if (isSubscribed) return;
    isSubscribed = true;
    const unsubscribe = apiQueries.subscribe((event) => history.add(event, clock.nowMs()));
    closing.addEventListener('abort', unsubscribe, { once: true });
  }

  routes.openapi(STREAMS.streamEvents, (c) => {
    // Without a body, the server would not notice the end of the connection.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
    subscribe();
    // A browser repeats the address when it reconnects, with the id of its last event in the header.
    const lastId = c.req.header('last-event-id') ?? c.req.valid('query').after;
    const isLocal = c.env.actor.id === undefined;
    // Without this header, proxies would buffer the events.
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      const disconnected = new AbortController();
      const over = AbortSignal.any([disconnected.signal, closing]);
      stream.onAbort(() => disconnected.abort());
      let wake = (): void => undefined;
      // A write to a reader that does not read only returns when the stream is aborted.
      over.addEventListener('abort', () => (stream.abort(), wake()), { once: true });
      const position = { wake: () => wake(), tooSlow: () => disconnected.abort() };
      const resumed = history.read({ ...position, after: lastId });
      const reader = resumed ?? history.read(position);

      try {
        const id = `id: ${history.lastId}\n`;
        // The id lets a reader resume that has received no event.
        await stream.write(`retry: ${RECONNECT_MS}\n${lastId === undefined ? id : ''}\n`);
        if (!resumed) await stream.write(`${id}event: reset\ndata: {}\n\n`);
        if (!isLocal)
          void clock.sleep(ACCESS_MS, over).then(
            () => disconnected.abort(),
            () => undefined,
          );
        void sendHeartbeats(() => stream.write(': still here\n\n'), clock, over);
        while (!over.aborted) {
          const text = reader?.next();
          if (text !== undefined) {
            await stream.write(text);
            continue;
          }
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          await promise;
        }
      } finally {
        reader?.close();
        disconnected.abort();
      }
    });
  });

  return {
    routes,
    lastEventId() {
      subscribe();
      return history.lastIdBefore(clock.nowMs() - LONGEST_CACHED_MS);
    },
  };
}

function toData(event: ViewEvent): object {
  if (event.kind === 'delivery') return documented(DeliveryAnswer, event.item);
  return event.kind === 'decision' ? documented(DecisionAnswer, event.item) : {};
}

async function sendHeartbeats(write: () => Promise<unknown>, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(HEARTBEAT_MS, signal).catch(() => undefined);
    if (!signal.aborted) await write();
  }
}
