import type { JsonObject } from '#src/operation/json.ts';
import type { Element } from '../../element.ts';
import type { Place } from './due.ts';
import { isOpen, type Batch, type SimulatedDelivery } from './simulated-delivery.ts';

/** Puts a delivery for each element behind the one that they come from: whoever waits for that one waits for them, too. */
export function insertElements(
  { batch, delivery }: Place,
  elements: readonly Element[],
  open: Iterable<Batch>,
): readonly SimulatedDelivery[] {
  const made = elements.map((element): SimulatedDelivery => ({
    ...delivery,
    id: `${delivery.id}/${element.key}`,
    element,
    needs: [...delivery.needs],
  }));
  for (const waiting of waitingFor(delivery, open)) {
    const need = waiting.needs.find(({ needed }) => needed === delivery.id);
    if (need) waiting.needs.push(...made.map(({ id }) => ({ ...need, needed: id })));
  }
  insertBehind({ batch, delivery }, made);
  // From now on each element says itself whether it is sent in any case.
  delivery.afresh = false;
  return made;
}

/** Puts the later posts of a thread behind its first; they are waited for, but what a thread gives is the record of its first. */
export function insertTails({ batch, delivery }: Place, rest: readonly JsonObject[], open: Iterable<Batch>): readonly SimulatedDelivery[] {
  const idOf = (part: number): string => (part === 1 ? delivery.id : `${delivery.id}#${part}`);
  const made = rest.map((params, index): SimulatedDelivery => {
    const after = idOf(index + 1);
    // It goes out however late: the thread has begun.
    const whole = { ...delivery, sinceMs: undefined, attempts: 0, result: undefined, expiresMs: undefined, state: 'pending' as const };
    return { ...whole, id: idOf(index + 2), part: index + 2, params, after, needs: [{ needed: after, reads: true, stops: false }] };
  });
  for (const waiting of waitingFor(delivery, open)) {
    const need = waiting.needs.find(({ needed }) => needed === delivery.id);
    if (need && (!need.reads || need.stops)) waiting.needs.push(...made.map(({ id }) => ({ ...need, needed: id, reads: false })));
  }
  insertBehind({ batch, delivery }, made);
  return made;
}

function waitingFor({ id }: SimulatedDelivery, open: Iterable<Batch>): readonly SimulatedDelivery[] {
  return [...open].flatMap(({ deliveries }) => deliveries.filter((one) => isOpen(one) && one.needs.some(({ needed }) => needed === id)));
}

function insertBehind({ batch, delivery }: Place, made: readonly SimulatedDelivery[]): void {
  batch.deliveries.splice(batch.deliveries.indexOf(delivery) + 1, 0, ...made);
}
