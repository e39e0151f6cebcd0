import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { withoutParts } from '#src/clients/operation/part.ts';
import { mentions } from '#src/clients/operation/find-lost.ts';
import { attemptIdentity } from './attempt-identity.ts';
import type { EngineContext } from './engine-context.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { failureOf } from './failure.ts';
import { arrived } from './question.ts';
import { withDeliveryMessage } from './reason.ts';
import { retrySearchMs, searchAgainMs, UNCLEAR_FOR_MS } from './retry.ts';
import type { DueStep } from './rendering.ts';
import { withoutPart } from './without-part.ts';

/** After a restore: the change of a delivery that was sent after the backup was made; undefined: it was not sent. */
export async function searchBefore(delivery: Delivery, params: JsonObject, context: EngineContext): Promise<DeliveryChange | undefined> {
  const { do: verb, account, searchSince, since = searchSince, creates, omitted } = delivery;
  if (!searchSince || !since || !creates) return undefined;
  const { deliveries, search, clock, random, signal } = context;
  const identity = attemptIdentity(delivery, context);
  const now = new Date(clock.nowMs());
  // The lost state may have sent it until now.
  const { lostAt = now } = delivery;
  const nowMs = now.getTime();
  const waitedMs = nowMs - lostAt.getTime();
  const retryMs = nowMs + retrySearchMs(waitedMs, random);
  const later = { state: 'pending', lostAt, dueAt: new Date(retryMs) } as const;
  const wanted = { ...delivery, since };
  const about = aboutOf((await deliveries.prepare(delivery)).due, params);
  const taken = await deliveries.taken(wanted);
  let found: Awaited<ReturnType<typeof search>>;
  try {
    found = await search({
      do: verb,
      account,
      params: withoutParts(params, omitted),
      ...identity,
      since,
      taken,
      about,
      lostAt,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    const without = withoutPart(error, { delivery, params }, context);
    if (without) return without;
    const failure = failureOf(error);
    // A later search would fail as well.
    if (failure.remedy === 'stop') return { state: 'unknown', params, since, attemptedAt: now, error: failure.error, ...doubt(account) };
    const dueAt = new Date(Math.max(retryMs, failure.retryAt?.getTime() ?? 0));
    return { ...later, dueAt, error: failure.error };
  }
  if (found === 'absent') return undefined;
  const sent = { params, since, attemptedAt: now };
  const unclearToMs = lostAt.getTime() + UNCLEAR_FOR_MS;
  if (found === 'cannotTell' && nowMs >= unclearToMs) return { state: 'unknown', ...sent, ...doubt(account) };
  if (found === 'cannotTell' || 'conclusiveAt' in found) {
    const endMs = found === 'cannotTell' ? unclearToMs : found.conclusiveAt.getTime();
    return { ...later, dueAt: new Date(Math.min(nowMs + searchAgainMs(waitedMs, random), endMs)) };
  }
  // Another delivery may have claimed the record during the search.
  if (isTaken(found.found, await deliveries.taken(wanted))) return later;
  return {
    ...arrived({ ...delivery, params }, { result: found.found, sentAt: now }, context),
    ...sent,
    ...withDeliveryMessage({ kind: 'sentBeforeRestore', account }),
  };
}

function doubt(account: string): Pick<DeliveryChange, 'message' | 'reason'> {
  return withDeliveryMessage({ kind: 'maybeSentBeforeRestore', account });
}

/** Whether another delivery has reported the record. */
export function isTaken(record: Json, taken: ReadonlySet<string>): boolean {
  return isJsonObject(record) && typeof record['id'] === 'string' && taken.has(record['id']);
}

/** The names and addresses of the item of a step that its parameters contain. */
function aboutOf({ scope, element }: DueStep, params: JsonObject): readonly string[] {
  const named = namesOf(element ? element.it : scope.item).filter((name) => name.length > 1 && mentions(params, [name]));
  return [...new Set(named)];
}

function namesOf(about: Json | undefined): readonly string[] {
  if (typeof about === 'string') return [about];
  if (!isJsonObject(about)) return [];
  const { url, name, displayName, owner } = about;
  return [url, name, displayName].filter((one) => typeof one === 'string').concat(namesOf(owner));
}
