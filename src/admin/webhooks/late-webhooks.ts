import type { RepeatedRequests } from '#src/admin/actions/repeated-requests.ts';
import type { LateWebhook } from '#src/admin/queries/records.ts';
import type { WebhookSettings } from '#src/config/webhooks.ts';
import { webhookEvents, type WebhookFacts } from './webhook-events.ts';
import { GONE_KEY, refusedKey } from './refusals.ts';
import { requestOf } from './request-of.ts';
import { GIVE_UP_MS, MOST_READ } from './webhooks.ts';

/** An event that was not accepted for this long is shown. A restart of a receiver is shorter. */
const LATE_MS = 10 * 60_000;

export interface LateWebhooksParts extends Omit<WebhookFacts, 'failedAccounts'> {
  readonly webhooks: readonly WebhookSettings[];
  readonly repeatedRequests: Pick<RepeatedRequests, 'answered'>;
}

/**
 * The webhooks whose receivers have not accepted an event. The stored state shows it, so each process and each command knows, even after a restart.
 * An old event without a refusal counts as not sent yet, for example because Fanfare did not run.
 * The events of accounts have no stored time, so they are not among them.
 */
export async function lateWebhooks({ webhooks, repeatedRequests, ...facts }: LateWebhooksParts): Promise<readonly LateWebhook[]> {
  const nowMs = facts.clock.nowMs();
  const sinceMs = nowMs - GIVE_UP_MS;
  const { events } = await webhookEvents({ ...facts, failedAccounts: () => [] }, { sinceMs, limit: MOST_READ });
  const old = events.filter(({ at }) => at.getTime() >= sinceMs && at.getTime() <= nowMs - LATE_MS);
  const late = webhooks.map(async ({ name, events: types }) => {
    const wanted = old.filter(({ type }) => types.includes(type));
    const keys = wanted.flatMap(({ id }) => [id, refusedKey(id)]);
    const answered = await repeatedRequests.answered(requestOf(name, '').actor, [...keys, GONE_KEY]);
    const isGone = answered.has(GONE_KEY);
    const oldest = wanted.find(({ id }) => !answered.has(id) && (isGone || answered.has(refusedKey(id))));
    return oldest ? [{ webhook: name, since: oldest.at, isGone }] : [];
  });
  return (await Promise.all(late)).flat();
}
