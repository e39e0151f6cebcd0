import { hash } from '#src/rules/firing.ts';
import type { Attempt } from './attempt.ts';
import type { Delivery } from './delivery.ts';
import type { EngineContext } from './engine-context.ts';

/**
 * The key and the time that are equal for all attempts at a delivery, including those of a lost state. A resend has a new key, because a
 * platform may remember the request that it refused. Buttons contain the id of their delivery, so its key stays.
 */
export function attemptIdentity(
  { id, episode, do: verb, params, resends = [] }: Delivery,
  { isQuestion }: Pick<EngineContext, 'isQuestion'>,
): Pick<Attempt, 'key' | 'decidedAt'> {
  const hasButtons = isQuestion(verb) || params?.['buttons'] !== undefined || params?.['layout'] !== undefined;
  const key = resends.length === 0 || hasButtons ? id : hash(id, 'resend', resends.length);
  const decidedMs = Date.parse(INSTANT.exec(episode)?.[0] ?? '');
  return { key, decidedAt: Number.isNaN(decidedMs) ? undefined : new Date(decidedMs) };
}

/** The end of the id of an episode, and the id of a firing without an episode: the slot. */
const INSTANT = /(?<=^|@)\d{4}-\d\d-\d\dT[\d:.]+Z$/u;
