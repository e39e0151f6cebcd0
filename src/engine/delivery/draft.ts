import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { hash, type Firing } from '#src/rules/firing.ts';
import type { Element } from '#src/rules/element.ts';
import type { Rendered } from '#src/rules/render.ts';
import type { EngineContext } from './engine-context.ts';
import { targetIn, type DeliveryRows } from './delivery-rows.ts';
import type { Prepared } from './prepare.ts';
import type { Delivery, DeliveryChange, Part } from './delivery.ts';
import { failureOf } from './failure.ts';
import { isAddedByOther } from './role-of-others.ts';
import { partId } from './thread.ts';
import { withDeliveryMessage, type DeliveryReason } from './reason.ts';
import { logFieldsOf } from './log-fields.ts';

/** The parameters that a due delivery sends, or the change that settles it without an attempt. */
export type Draft = ({ readonly params: JsonObject; readonly origins?: Delivery['origins'] } | { readonly instead: DeliveryChange }) & {
  /** The deliveries that it becomes, or that follow it. */
  readonly parts?: readonly Part[];
};

/** The part of the engine that drafting needs. */
export type DraftContext = Pick<EngineContext, 'deliveries' | 'render' | 'readsAtEachPoll' | 'log'>;

/** Renders a pending delivery. */
export async function draft(delivery: Delivery, context: DraftContext): Promise<Draft> {
  const { params, since, after } = delivery;
  // A later attempt sends the same as the first one, unless another stream added the role in the meantime.
  if (params && since) return (await isAddedByOther(delivery, params, context.deliveries)) ? skip({ kind: 'roleOfOther' }) : { params };
  if (params && after !== undefined) return reply(params, await context.deliveries.find(after));

  return draftPrepared(delivery, await context.deliveries.prepare(delivery), context);
}

/** Renders a prepared delivery. */
export async function draftPrepared(delivery: Delivery, prepared: Prepared, context: DraftContext): Promise<Draft> {
  const { stoppedBy, isOver } = prepared;
  if (isOver) return skip({ kind: 'episodeEnded' });
  if (stoppedBy) return skip({ kind: 'earlierStepFailed', ...stoppedBy });

  const rendered = await render(prepared, context);
  if ('skip' in rendered) return skip(rendered.skip);
  if ('failure' in rendered) return { instead: { state: 'failed', error: { fault: 'expression', message: rendered.failure } } };
  if ('each' in rendered) return forEach(delivery, rendered.each);
  if ('thread' in rendered) return { ...thread(delivery, rendered.thread), origins: rendered.origins };
  // A platform may list nothing of a new post for a moment, so a poll reads again.
  const target = delivery.creates || context.readsAtEachPoll(delivery.do) ? undefined : targetIn(rendered.params);
  if (target !== undefined && (await context.deliveries.isKnownMissing(delivery, target))) {
    return skip({ kind: 'alreadyDeleted' });
  }
  if (await isAddedByOther(delivery, rendered.params, context.deliveries)) return skip({ kind: 'roleOfOther' });
  const isUpdate = delivery.section === 'while' && prepared.due.step.everyMs === undefined;
  const mayRepeat = isUpdate && !context.readsAtEachPoll(delivery.do);
  const same = mayRepeat ? await sentSame(delivery, rendered.params, context.deliveries) : undefined;
  if (!same) return rendered;
  // Later steps read the result of the step that was sent.
  return { instead: { state: 'skipped', result: same.result, ...withDeliveryMessage({ kind: 'sameText' }) } };
}

/** What was sent with the text of a step of `while`: its last delivery or, before its first one, the message that it edits. */
async function sentSame(
  delivery: Delivery,
  params: JsonObject,
  { lastSent, unedited }: Pick<DeliveryRows, 'lastSent' | 'unedited'>,
): Promise<Pick<Delivery, 'params' | 'result'> | undefined> {
  const last = delivery.evenIfUnchanged ? undefined : await lastSent(delivery);
  if (last) return hasSameText(last.params, params) ? last : undefined;
  const { message, ...changes } = params;
  if (delivery.do !== 'discord.edit' || typeof message !== 'string') return undefined;
  const sent = await unedited(delivery, message);
  return sent && changesNothing(changes, sent.params) ? sent : undefined;
}

function skip(why: DeliveryReason): Draft {
  return { instead: { state: 'skipped', ...withDeliveryMessage(why) } };
}

async function render({ due, results }: Prepared, { render: renderStep, deliveries, log }: DraftContext): Promise<Rendered> {
  try {
    return await renderStep(due, results, (id) => deliveries.edited(due.delivery, id));
  } catch (error) {
    log.error({ ...logFieldsOf(due.delivery), error }, 'a step could not be rendered');
    return { failure: failureOf(error).error.message };
  }
}

function forEach({ id }: Delivery, elements: readonly Element[]): Draft {
  const parts = elements.map((element) => ({ id: hash(id, element.key), element }));
  return { ...skip(elements.length === 0 ? { kind: 'emptyList' } : { kind: 'forEachDone', count: elements.length }), parts };
}

/** The delivery is the first part itself. */
function thread({ id }: Delivery, [first, ...rest]: readonly JsonObject[]): Draft {
  if (!first) throw new Error(`delivery ${id} was rendered as an empty thread`);
  const parts = rest.map((params, index) => ({ id: partId(id, index + 2), params, after: partId(id, index + 1) }));
  return { params: first, parts };
}

function reply(params: JsonObject, before: Delivery | undefined): Draft {
  if (before?.state !== 'sent') return skip({ kind: 'previousPartNotSent' });
  const record = isJsonObject(before.result) ? before.result['id'] : undefined;
  return record === undefined ? skip({ kind: 'previousPartUnknown' }) : { params: { ...params, replyTo: record } };
}

/** An edit changes only the parts that it has, and those of a card. The picture at an address can be another one by now. */
function changesNothing({ embed, ...changes }: JsonObject, sent: JsonObject = {}): boolean {
  if (embed === undefined) return isPartOf(changes, sent);
  return isJsonObject(embed) && embed['image'] === undefined && isPartOf(changes, sent) && isPartOf(embed, sent['embed']);
}

function isPartOf(changes: JsonObject, sent: Json | undefined): boolean {
  return isJsonObject(sent) && Object.entries(changes).every(([name, value]) => JSON.stringify(value) === JSON.stringify(sent[name]));
}

/** Compares as JSON, because undefined values are not stored. */
function hasSameText(last: JsonObject | undefined, params: JsonObject): boolean {
  return JSON.stringify(last) === JSON.stringify(params);
}

/**
 * Whether a firing of `while` would send nothing if it was committed now: each of its steps is what was sent last, or is not done, and
 * none reads a platform.
 *
 * A firing that waits for something is not idle, because its content is not known yet.
 */
export async function isIdle(firing: Firing, context: DraftContext): Promise<boolean> {
  if (firing.section !== 'while' || firing.evenIfUnchanged) return false;
  const steps = await context.deliveries.project(firing);
  if (!steps) return false;
  for (const step of steps) if (!(await sendsNothing(step, context))) return false;
  return true;
}

async function sendsNothing(prepared: Prepared, context: DraftContext): Promise<boolean> {
  const { delivery } = prepared.due;
  const drafted = await draftPrepared(delivery, prepared, context);
  if (!('instead' in drafted) || drafted.instead.state !== 'skipped') return false;
  for (const part of drafted.parts ?? []) {
    if (!('element' in part)) return false;
    const due = { ...prepared.due, delivery: { ...delivery, element: part.element.key }, element: part.element };
    if (!(await sendsNothing({ ...prepared, due }, context))) return false;
  }
  return true;
}
