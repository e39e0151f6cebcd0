import type { JsonObject } from '#src/operation/json.ts';
import type { Rendered } from '#src/rules/render.ts';
import type { OutboxContext } from './context.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { failureOf } from './failure.ts';
import { afterFailure, gaveUp, RETRY_MS } from './retry.ts';

/** Makes one attempt at a pending delivery, where there still is something to send. */
export async function send(delivery: Delivery, context: OutboxContext): Promise<void> {
  const drafted = tooLate(delivery, context) ?? (await draft(delivery, context));
  if ('state' in drafted) {
    await context.record(delivery, drafted);
    return;
  }

  const now = new Date(context.clock.nowMs());
  const { params } = drafted;
  const { since = now, giveUpAt = new Date(now.getTime() + RETRY_MS) } = delivery;
  const begun = await context.record(delivery, {
    state: 'sending',
    attempts: delivery.attempts + 1,
    params,
    since,
    giveUpAt,
    attemptedAt: now,
    dueAt: now,
    error: undefined,
    reason: undefined,
  });
  // Otherwise it was withdrawn in the meantime.
  if (begun) await context.record(begun, await attempt(begun, { params, since }, context));
}

function tooLate({ expiresAt, since, giveUpAt, error }: Delivery, { clock }: OutboxContext): DeliveryChange | undefined {
  const now = new Date(clock.nowMs());
  if (expiresAt && !since && now > expiresAt) {
    return { state: 'skipped', reason: `too late: it was worth saying until ${expiresAt.toISOString()}` };
  }
  if (giveUpAt && now > giveUpAt) return gaveUp(error);
  return undefined;
}

/** The parameters to send, or what becomes of the delivery instead. */
async function draft(delivery: Delivery, context: OutboxContext): Promise<{ readonly params: JsonObject } | DeliveryChange> {
  if (delivery.params) return { params: delivery.params };
  const rendered = await render(delivery, context);
  if ('skip' in rendered) return { state: 'skipped', reason: rendered.skip };
  if ('failure' in rendered) return { state: 'failed', error: { fault: 'expression', message: rendered.failure } };
  const { params } = rendered;
  const repeats = delivery.section === 'while' && !delivery.afresh && looksLike(await context.deliveries.lastSent(delivery), params);
  return repeats ? { state: 'skipped', reason: 'unchanged' } : { params };
}

async function render(delivery: Delivery, { deliveries, render: say, log }: OutboxContext): Promise<Rendered> {
  const { due, results } = await deliveries.prepare(delivery);
  try {
    return await say(due, results);
  } catch (error) {
    log.error({ delivery: delivery.id, error }, 'a step could not be rendered');
    return { failure: failureOf(error).error.message };
  }
}

/** Equal as text: what is undefined was never written down. */
function looksLike(last: JsonObject | undefined, params: JsonObject): boolean {
  return JSON.stringify(last) === JSON.stringify(params);
}

async function attempt(
  delivery: Delivery,
  { params, since }: { readonly params: JsonObject; readonly since: Date },
  { perform, clock, random, log, signal }: OutboxContext,
): Promise<DeliveryChange> {
  const { id: key, do: verb, account } = delivery;
  try {
    const result = await perform({ do: verb, account, params, key, since, signal });
    return { state: 'sent', sentAt: new Date(clock.nowMs()), result };
  } catch (error) {
    // Cut off by the end of the program: the next start finds out what became of it.
    signal.throwIfAborted();
    const failure = failureOf(error);
    if (failure.error.fault === 'defect') log.error({ delivery: key, error }, 'an attempt ended in a defect');
    return afterFailure(failure, delivery, { nowMs: clock.nowMs(), random });
  }
}
