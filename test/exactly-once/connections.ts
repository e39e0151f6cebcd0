import { Agent, type Dispatcher } from 'undici';
import type { Clock } from '#src/clock.ts';
import type { Killable } from '../engine/delivery/killable.ts';

/** How late a request arrives if its sender was killed while it was on its way. */
const LATE_MS = 5_000;

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly atMs: number;
}

interface ConnectionOptions {
  readonly killable: Killable;
  /** Whether the request at which the sender was killed still arrives later. */
  readonly arrivesLate: boolean;
  /** Whether the response to a request that the platform carried out becomes a 503. */
  readonly failsAfterWrite: (request: SentRequest) => boolean;
}

/** The connections between runs of a program and the servers of a sandbox. They survive a kill. */
export interface Connections extends AsyncDisposable {
  /** All requests that reached the servers. */
  readonly requests: readonly SentRequest[];
  /** The number of requests that arrive after their senders were killed. */
  readonly late: number;
  /** The number of requests without a response. */
  readonly busy: number;
  /** The dispatcher of one run. The program can be killed at each request. */
  dispatcherFor(options: ConnectionOptions): Dispatcher;
}

/** Replays a complete response to a handler. */
type ReplayResponse = (handler: Dispatcher.DispatchHandler) => void;

export function openConnections(clock: Clock): Connections {
  const agent = new Agent();
  const requests: SentRequest[] = [];
  let busy = 0;
  let late = 0;

  /** Resolves when the response is complete or has failed. */
  async function exchange(
    options: Dispatcher.DispatchOptions,
    onStart: Dispatcher.DispatchHandler['onRequestStart'],
    { failsAfterWrite }: Pick<ConnectionOptions, 'failsAfterWrite'>,
  ): Promise<ReplayResponse> {
    const request = { method: options.method, path: options.path.split('?')[0] ?? '', atMs: clock.nowMs() };
    requests.push(request);
    busy += 1;
    const events: ReplayResponse[] = [];
    const end = Promise.withResolvers<void>();
    agent.dispatch(options, {
      onRequestStart: (...args) => onStart?.(...args),
      onResponseStart(controller, status, ...rest) {
        // A request that the platform refused was not carried out.
        const answered = status < 300 && failsAfterWrite(request) ? 503 : status;
        events.push((handler) => handler.onResponseStart?.(controller, answered, ...rest));
      },
      onResponseData: (...args) => void events.push((handler) => handler.onResponseData?.(...args)),
      onResponseEnd: (...args) => end.resolve(void events.push((handler) => handler.onResponseEnd?.(...args))),
      onResponseError: (...args) => end.resolve(void events.push((handler) => handler.onResponseError?.(...args))),
    });
    await end.promise;
    busy -= 1;
    return (handler) => events.forEach((replay) => replay(handler));
  }

  return {
    requests,
    get late() {
      return late;
    },
    get busy() {
      return busy;
    },

    dispatcherFor({ killable, arrivesLate, failsAfterWrite }) {
      const begin = killable.call(exchange);
      return agent.compose(() => (options, handler) => {
        const wasKilled = killable.isKilled;
        void begin(options, handler.onRequestStart?.bind(handler), { failsAfterWrite }).then((replay) => replay(handler));
        if (arrivesLate && !wasKilled && killable.isKilled) {
          late += 1;
          void clock.sleep(LATE_MS).then(() => exchange(options, undefined, { failsAfterWrite: () => false }));
        }
        return true;
      });
    },

    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
