import type { Json } from '#src/clients/operation/json.ts';
import type { DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';

/** More steps mean that the engine never becomes idle. */
const MOST_STEPS = 2_000;

interface Crash {
  readonly isSent: boolean;
  readonly crash: () => void;
}

/** The end of a process during a request. Nothing of the ended process continues. */
export class SimulatedCrash {
  #next: Crash | undefined;

  /** Delivers the next delivery, and ends the process during its request, if it makes one. With `isSent`, the platform has handled this request. */
  async deliver(engine: Pick<DeliveryEngine, 'deliverNext'>, isSent: boolean): Promise<void> {
    const { promise: crashed, resolve: crash } = Promise.withResolvers<'crashed'>();
    this.#next = { isSent, crash: () => crash('crashed') };
    await Promise.race([crashed, engine.deliverNext()]);
    this.#next = undefined;
  }

  /** Makes a request to the platform. Never resolves if the process ends during it. */
  async perform(request: () => Promise<Json>): Promise<Json> {
    const next = this.#next;
    if (next && !next.isSent) return end(next);
    try {
      return await request();
    } finally {
      if (next) await end(next);
    }
  }
}

function end({ crash }: Crash): Promise<never> {
  crash();
  return new Promise<never>(() => undefined);
}

/** Delivers until nothing is due. */
export async function deliverAll(engine: Pick<DeliveryEngine, 'deliverNext'>): Promise<void> {
  for (let step = 0; await engine.deliverNext(); step++) if (step > MOST_STEPS) throw new Error('the engine never becomes idle');
}
