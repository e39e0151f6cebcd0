import { DeliveryAnswer, documented } from '#src/admin/queries/answers.ts';
import { toDeliveryView } from '#src/admin/queries/deliveries.ts';
import { canonical, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { WebhookEventType } from '#src/config/webhook-form.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import { FAILS_WITHIN_MS } from '#src/engine/delivery/retry.ts';
import type { Pause, RuleStates } from '#src/engine/scheduler/rule-states.ts';
import { hash } from '#src/rules/firing.ts';
import type { Clock } from '#src/clock.ts';
import type { AccountProblem } from '../queries/accounts.ts';
import type { AuditEntry, AuditLog } from '../actions/audit-log.ts';

/** The newest pauses and resumptions that are read at once. */
const MOST_ACTIONS = 200;

/** An event for webhooks. Its id is the same after a restart and in every process. */
export interface WebhookEvent {
  readonly id: string;
  readonly type: WebhookEventType;
  readonly at: Date;
  readonly data: object;
}

export interface WebhookFacts {
  readonly deliveryLog: Pick<DeliveryLog, 'latest'>;
  readonly ruleStates: Pick<RuleStates, 'paused'>;
  readonly auditLog: Pick<AuditLog, 'list'>;
  /** The accounts whose last use failed. */
  readonly failedAccounts: () => readonly FailedAccount[];
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** An account whose last use failed. */
interface FailedAccount extends AccountProblem {
  readonly account: string;
  readonly platform: string;
}

/** Events, also older ones than wanted. */
export interface ReadEvents {
  /** Oldest first. */
  readonly events: readonly WebhookEvent[];
  /** The id of the event of the oldest delivery that was read, if older ones were not. */
  readonly cutAt: string | undefined;
}

/** The events since an instant, and older ones. They are made from the stored state, so a process that ended loses none. `limit`: the number of deliveries. */
export async function webhookEvents(
  facts: WebhookFacts,
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
): Promise<ReadEvents> {
  const { deliveryLog, ruleStates, auditLog, failedAccounts, clock } = facts;
  const deliveries = await deliveryLog.latest({ states: ['failed', 'unknown', 'asked'], limit });
  const actions = [];
  for (const action of ['pauseRule', 'resumeRule']) actions.push(...(await auditLog.list({ action, limit: MOST_ACTIONS })).items);
  const pauses = await ruleStates.paused();
  const events = [
    ...deliveries.map(({ delivery }) => ofDelivery(delivery)),
    ...actions.flatMap(ofAction),
    ...[...pauses].flatMap(([rule, pause]) => ofPause(rule, pause)),
    ...failedAccounts().flatMap((account) => ofAccount(account, clock.nowMs())),
  ];
  const oldest = deliveries.length < limit ? undefined : deliveries.at(-1)?.delivery;
  return {
    events: events.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    cutAt: oldest && oldest.createdAt.getTime() >= sinceMs - FAILS_WITHIN_MS ? ofDelivery(oldest).id : undefined,
  };
}

const OF_STATE: Readonly<Partial<Record<Delivery['state'], WebhookEventType>>> = { failed: 'delivery.failed', asked: 'question.asked' };

function ofDelivery(delivery: Delivery): WebhookEvent {
  const { id, state, rule, episode, section, step, account, creates, settledAt, sentAt, attemptedAt, createdAt } = delivery;
  const at = settledAt ?? sentAt ?? attemptedAt ?? createdAt;
  const data = documented(DeliveryAnswer, toDeliveryView(delivery));
  // An open card is edited again and again, and fails each time for the same reason.
  const what = section === 'while' && !creates ? ['edit', rule, episode, step, account, state] : ['delivery', id, state, at.getTime()];
  return { id: idOf(...what), type: OF_STATE[state] ?? 'delivery.unknown', at, data };
}

function ofAction({ id, at, action, outcome, target, by, before = {}, after = {} }: AuditEntry): readonly WebhookEvent[] {
  if (outcome !== 'done') return [];
  // A pause that is planned or cancelled changes nothing yet.
  if (Object.keys(after).every((rule) => isSame(inForce(before[rule]), inForce(after[rule])))) return [];
  const type = action === 'pauseRule' ? 'rule.paused' : 'rule.resumed';
  return [{ id: idOf('action', id), type, at, data: { rule: target, rules: Object.keys(after), by } }];
}

/** The pause in the state of a rule, see `pauseState`, without planned ones. */
function inForce(state: Json | undefined): JsonObject {
  if (!isJsonObject(state)) return {};
  const { planned: _, ...pause } = state;
  return pause;
}

function isSame(a: JsonObject, b: JsonObject): boolean {
  return canonical(a) === canonical(b);
}

/** The begin of a pause that no action logs: by a fuse, or by a plan. */
function ofPause(rule: string, { blownMs, person }: Pause): readonly WebhookEvent[] {
  const fuse = blownMs === undefined ? [] : [{ id: idOf('fuse', rule, blownMs), atMs: blownMs, by: undefined }];
  const isPlanned = person?.plannedMs !== undefined;
  const plan = isPlanned ? [{ id: idOf('plan', rule, person.atMs), atMs: person.atMs, by: { name: person.by } }] : [];
  return [...fuse, ...plan].map(({ id, atMs, by }) => ({
    id,
    type: 'rule.paused',
    at: new Date(atMs),
    data: { rule, rules: [rule], ...(by && { by }) },
  }));
}

/** An account that needs a sign-in is an event once a day, because nothing stores when it began. */
function ofAccount({ account, platform, problem, fault }: FailedAccount, nowMs: number): readonly WebhookEvent[] {
  if (fault !== 'unauthorized') return [];
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return [{ id: idOf('account', account, day), type: 'account.signedOut', at: new Date(nowMs), data: { account, platform, problem } }];
}

function idOf(...parts: readonly (string | number)[]): string {
  return `msg_${hash('webhook', ...parts)}`;
}
