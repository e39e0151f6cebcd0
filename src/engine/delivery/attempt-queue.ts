import type { Clock } from '#src/clock.ts';
import { createLimiter } from '#src/clients/operation/limiter.ts';
import { createOvertaking, type Overtaking } from './overtaking.ts';

export interface AttemptQueueOptions {
  /** The number of attempts that may be under way at once. */
  readonly atOnce: number;
  readonly clock: Clock;
}

/** The place of a delivery in an `AttemptQueue`. */
export interface QueuedAttempt {
  /** Resolves when the attempt may begin. `order`: see `EngineContext.orderOf`. */
  begin(order?: string): Promise<void>;
  /** Frees its place, because the attempt has ended or is not made. */
  end(): void;
}

/** The attempts of an account: several at once, and those with the same order one after the other. */
export interface AttemptQueue {
  /** Adds a delivery behind those that were added before. */
  add(): QueuedAttempt;
}

interface Begun {
  readonly begun: Promise<number>;
  readonly ended: Promise<void>;
}

/** The attempts of one order. */
interface Order {
  readonly overtaking: Overtaking;
  last: Begun;
  count: number;
}

export function createAttemptQueue({ atOnce, clock }: AttemptQueueOptions): AttemptQueue {
  const acquire = createLimiter(atOnce);
  const orders = new Map<string, Order>();
  /** Resolves when the delivery that was added last has its place in its order. */
  let placed: Promise<void> = Promise.resolve();

  /** Puts an attempt behind the others of its order; resolves when it is next. */
  async function wait(name: string, one: Begun): Promise<void> {
    const order = orders.get(name);
    if (!order) {
      orders.set(name, { overtaking: createOvertaking(clock), last: one, count: 1 });
      return;
    }
    const { last } = order;
    order.last = one;
    order.count += 1;
    await order.overtaking.wait([last.ended], await last.begun);
  }

  function leave(name: string): void {
    const order = orders.get(name);
    if (!order || --order.count > 0) return;
    order.overtaking[Symbol.dispose]();
    orders.delete(name);
  }

  return {
    add() {
      const before = placed;
      const place = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<number>();
      const ended = Promise.withResolvers<void>();
      placed = place.promise;
      let isEnded = false;
      let name: string | undefined;
      let release: (() => void) | undefined;
      return {
        async begin(order) {
          await before;
          name = order;
          const isNext = order === undefined ? undefined : wait(order, { begun: begun.promise, ended: ended.promise });
          place.resolve();
          await isNext;
          release = await acquire();
          begun.resolve(clock.nowMs());
        },
        end() {
          if (isEnded) return;
          isEnded = true;
          // The next one of the order waits for no attempt that was not made.
          void before.then(place.resolve);
          begun.resolve(clock.nowMs());
          ended.resolve();
          if (name !== undefined) leave(name);
          release?.();
        },
      };
    },
  };
}
