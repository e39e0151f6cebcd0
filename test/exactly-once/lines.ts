import { Agent, type Dispatcher } from 'undici';
import type { Clock } from '#src/clock.ts';
import type { Mortal } from '../delivery/killable.ts';

/** A request that is on its way when its sender dies may still arrive: after so long. */
const LATE_MS = 5_000;

/** A request as it went out. */
interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly atMs: number;
}

interface LifeLine {
  readonly mortal: Mortal;
  /** Whether what dies with its sender arrives all the same, later. */
  readonly arrivesLate: boolean;
  /** Whether the answer to a request becomes that of a breakdown. */
  readonly breaksDown: (request: SentRequest) => boolean;
}

/** The lines from programs that live and die to the servers of a sandbox, which outlive them. */
export interface Lines extends AsyncDisposable {
  /** Everything that reached the servers. */
  readonly requests: readonly SentRequest[];
  /** How many requests arrived, or will, after their senders had died. */
  readonly late: number;
  /** How many requests are worked on at this moment. */
  readonly busy: number;
  /** The line of one life: each request is a moment to die at. */
  of(life: LifeLine): Dispatcher;
}

/** Tells a handler all that an answer was. */
type Answer = (handler: Dispatcher.DispatchHandler) => void;

export function openLines(clock: Clock): Lines {
  const agent = new Agent();
  const requests: SentRequest[] = [];
  let busy = 0;
  let late = 0;

  /** Resolves when all of the answer is there, or none will be. */
  async function exchange(
    options: Dispatcher.DispatchOptions,
    onStart: Dispatcher.DispatchHandler['onRequestStart'],
    { breaksDown }: Pick<LifeLine, 'breaksDown'>,
  ): Promise<Answer> {
    const request = { method: options.method, path: options.path.split('?')[0] ?? '', atMs: clock.nowMs() };
    requests.push(request);
    busy += 1;
    const told: Answer[] = [];
    const end = Promise.withResolvers<void>();
    agent.dispatch(options, {
      onRequestStart: (...args) => onStart?.(...args),
      onResponseStart: (controller, status, ...rest) =>
        void told.push((handler) => handler.onResponseStart?.(controller, breaksDown(request) ? 503 : status, ...rest)),
      onResponseData: (...args) => void told.push((handler) => handler.onResponseData?.(...args)),
      onResponseEnd: (...args) => end.resolve(void told.push((handler) => handler.onResponseEnd?.(...args))),
      onResponseError: (...args) => end.resolve(void told.push((handler) => handler.onResponseError?.(...args))),
    });
    await end.promise;
    busy -= 1;
    return (handler) => told.forEach((tell) => tell(handler));
  }

  return {
    requests,
    get late() {
      return late;
    },
    get busy() {
      return busy;
    },

    of({ mortal, arrivesLate, breaksDown }) {
      const begin = mortal.call(exchange);
      return agent.compose(() => (options, handler) => {
        const wasDead = mortal.dead;
        void begin(options, handler.onRequestStart?.bind(handler), { breaksDown }).then((tell) => tell(handler));
        if (arrivesLate && !wasDead && mortal.dead) {
          late += 1;
          void clock.sleep(LATE_MS).then(() => exchange(options, undefined, { breaksDown: () => false }));
        }
        return true;
      });
    },

    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
