import { hash } from '#src/rules/firing.ts';
import type { Delivery } from './delivery.ts';
import type { EngineContext } from './engine-context.ts';

/**
 * The key of the attempts at a delivery. After a resend, it is another one, because a platform may remember the request that it refused. The
 * buttons of a question contain the id of its delivery, so its key stays.
 */
export function attemptKey({ id, do: verb, resends = [] }: Delivery, { isQuestion }: Pick<EngineContext, 'isQuestion'>): string {
  return resends.length === 0 || isQuestion(verb) ? id : hash(id, 'resend', resends.length);
}
