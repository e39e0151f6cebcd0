import { isJsonObject, type JsonObject } from '#src/operation/json.ts';
import type { Delivery, DeliveryState } from '#src/delivery/delivery.ts';
import type { DeliveryLog, Latest } from '#src/delivery/delivery-log.ts';
import { POST_RULE } from '#src/posting/posts.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import type { Rule } from '#src/rules/rule.ts';
import { storedStep, storedStepPosition, type StepPosition } from '#src/rules/step-name.ts';
import { deliveryText } from './delivery-text.ts';
import type { DeliveryList, DeliveryView, ShownDelivery } from './records.ts';

const OTHER_STATES = ['pending', 'sending', 'asked', 'sent', 'failed', 'skipped'] as const;

/** The order of the pages: deliveries that need an operator, then open ones, then finished ones. */
const GROUPS: readonly (readonly DeliveryState[])[] = [['unknown'], ['failed'], ['pending', 'sending', 'asked'], ['sent', 'skipped']];

/** A delivery as the page and the API show it. */
export function toDeliveryView(delivery: Delivery & Pick<ShownDelivery, 'item'>): DeliveryView {
  const { id, rule, episode, step, do: verb, account, state, attempts, createdAt, sentAt, result, error, message, reason } = delivery;
  const problem = error?.message ?? message;
  const text = deliveryText(delivery);
  return {
    id,
    rule,
    episode,
    step,
    do: verb,
    ...(delivery.item !== undefined && { item: delivery.item }),
    ...(text !== undefined && { text }),
    account,
    state,
    attempts,
    createdAt,
    // Deliveries of posts have the name of the person as their occasion.
    ...(rule === POST_RULE && { by: delivery.occasion }),
    ...(state === 'pending' && delivery.since === undefined && delivery.dueAt > createdAt && { dueAt: delivery.dueAt }),
    ...(sentAt && { sentAt }),
    ...(isJsonObject(result) && { result }),
    ...(problem !== undefined && { error: problem }),
    ...(reason && { reason }),
    ...(delivery.omitted && { omitted: delivery.omitted }),
  };
}

/** The latest deliveries: unknown ones, recent failures, then the newest. The edits of one card are one entry. */
export async function latestDeliveries(
  log: Pick<DeliveryLog, 'latest'>,
  { limit, failedSinceMs, ...names }: { readonly limit: number; readonly failedSinceMs: number } & DeliveryNames,
): Promise<readonly DeliveryView[]> {
  const [unknown, failed, others] = await Promise.all([
    log.latest({ states: ['unknown'], limit }),
    // Half of the list, so that current deliveries stay visible.
    log.latest({ states: ['failed'], limit: Math.floor(limit / 2) }),
    log.latest({ states: OTHER_STATES, limit }),
  ]);
  const first = failed.filter(({ delivery }) => delivery.createdAt.getTime() >= failedSinceMs);
  const ids = new Set(first.map(({ delivery }) => delivery.id));
  const all = [...unknown, ...first, ...others.filter(({ delivery }) => !ids.has(delivery.id))].slice(0, limit);
  const show = await showing(
    all.map(({ delivery }) => delivery),
    names,
  );
  return all.map(({ delivery, times }) => ({ ...toDeliveryView(show(delivery)), ...(times > 1 && { edits: times }) }));
}

/** A part of the deliveries. */
export interface DeliveryPageQuery {
  readonly rule?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** The number of deliveries before the page. */
  readonly offset: number;
  readonly limit: number;
}

/** What names the steps and the items of deliveries. */
export interface DeliveryNames {
  readonly rules: readonly Rule[];
  readonly episodes: Pick<EpisodeLog, 'items'>;
}

interface DeliveryPageOptions extends DeliveryNames {
  readonly deliveryLog: Pick<DeliveryLog, 'latest'>;
  /** Servers whose members' posts are left out. */
  readonly except?: readonly string[] | undefined;
}

/** One page of the deliveries, ordered by urgency. The edits of one card are one entry. */
export async function deliveryPage(
  { rule, state, offset, limit }: DeliveryPageQuery,
  { deliveryLog, except, ...names }: DeliveryPageOptions,
): Promise<DeliveryList> {
  const end = offset + limit + 1;
  const all: Latest[] = [];
  for (const states of state === undefined ? GROUPS : [[state]]) {
    if (all.length < end) all.push(...(await deliveryLog.latest({ rule, states, except, limit: end - all.length })));
  }
  const shown = all.slice(offset, offset + limit);
  const show = await showing(
    shown.map(({ delivery }) => delivery),
    names,
  );
  return { items: shown.map(({ delivery, times }) => ({ ...show(delivery), times })), more: all.length === end };
}

/** Deliveries with the names of their steps, items and channels and, for members' posts, the authors. */
export async function shownDeliveries(deliveries: readonly Delivery[], names: DeliveryNames): Promise<readonly ShownDelivery[]> {
  return deliveries.map(await showing(deliveries, names));
}

/** Reads the items of deliveries, and resolves with a function that adds the names to one of them. */
async function showing(
  deliveries: readonly Delivery[],
  { rules, episodes }: DeliveryNames,
): Promise<(delivery: Delivery) => ShownDelivery> {
  const items = deliveries.length === 0 ? [] : await episodes.items(deliveries.map(({ rule, episode }) => ({ rule, id: episode })));
  return (delivery) => {
    const found = items.find(({ rule, id }) => rule === delivery.rule && id === delivery.episode);
    return { ...shownDelivery(delivery, rules), ...(found && { item: nameOf(found.item, found.key) }) };
  };
}

/** A delivery with the names of its step and its channel and, for a member's post, the author. */
export function shownDelivery(delivery: Delivery, rules: readonly Rule[]): ShownDelivery {
  const rule = rules.find(({ id }) => id === delivery.rule);
  const channel = channelOf(delivery, rule);
  return {
    ...delivery,
    position: rule ? storedStepPosition(rule, delivery) : positionWithoutRule(delivery),
    ...(channel !== undefined && { channel }),
    ...(delivery.rule === POST_RULE && { postedBy: delivery.occasion }),
  };
}

/** The channel of a Discord delivery. Without stored parameters, a channel that its step names without an expression. */
function channelOf(delivery: Delivery, rule: Rule | undefined): string | undefined {
  if (!delivery.do.startsWith('discord.')) return undefined;
  const { channel, message }: JsonObject = delivery.params ?? (rule && storedStep(rule, delivery)?.with) ?? {};
  if (typeof channel === 'string') return isTemplate(channel) ? undefined : channel.replace(/^#/u, '');
  return typeof message === 'string' ? /^(\d+)\/\d+$/u.exec(message)?.[1] : undefined;
}

/** The position of a step of a deleted rule; waits before it are unknown. */
function positionWithoutRule({ section, step }: Delivery): StepPosition {
  return /^\d+$/u.test(step) ? { section, number: Number(step) + 1 } : { id: step, section, number: 0 };
}
