import { catalogue } from '#src/clients/catalogue.ts';
import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import { deliveryTexts, mainText } from '#src/engine/delivery/delivery-texts.ts';
import type { Delivery, DeliveryState } from '#src/engine/delivery/delivery.ts';
import type { DeliveryLog, Latest } from '#src/engine/delivery/delivery-log.ts';
import { choicesOf } from '#src/engine/delivery/question.ts';
import type { ServerDeliveries } from '#src/engine/delivery/server-deliveries.ts';
import { POST_RULE } from '#src/engine/posting/posts.ts';
import { originsIn } from '#src/rules/audience/origin.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import { firedItem } from '#src/rules/evaluate/items/item-fields.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import type { Rule } from '#src/rules/rule.ts';
import { storedStep, storedStepPosition, type StepPosition } from '#src/rules/step-name.ts';
import { isRead } from '#src/engine/delivery/is-read.ts';
import { aboutEndedStreams } from './live-streams.ts';
import type { DeliveryList, DeliveryView, ShownDelivery } from './records.ts';

/** The order of `deliverySlice`: deliveries that need an operator, then open ones, then finished ones. */
const GROUPS: readonly (readonly DeliveryState[])[] = [['unknown'], ['failed'], ['pending', 'sending', 'asked'], ['sent', 'skipped']];

/** A delivery as the page and the API show it. */
export function toDeliveryView(delivery: Delivery & Pick<ShownDelivery, 'isOver' | 'channel'>): DeliveryView {
  const {
    id,
    rule,
    textVersion,
    item,
    episode,
    step,
    do: verb,
    account,
    state,
    attempts,
    createdAt,
    sentAt,
    settledAt,
    result,
    error,
    message,
    reason,
  } = delivery;
  const problem = error?.message ?? message;
  const isPrivate = isUnpublished(delivery);
  const texts = isPrivate ? [] : deliveryTexts(delivery);
  const text = mainText(texts);
  return {
    id,
    rule,
    ...(textVersion !== undefined && { textVersion }),
    episode,
    step,
    do: verb,
    ...(item && { item }),
    ...(text !== undefined && { text }),
    ...(texts.length > 0 && { texts }),
    account,
    ...(delivery.channel !== undefined && { channel: delivery.channel }),
    state,
    ...(isRead(verb) && { isRead: true }),
    ...(state === 'asked' && { choices: choicesOf(delivery) }),
    ...(delivery.isOver && { isOver: true }),
    attempts,
    createdAt,
    // Deliveries of posts have the name of the person as their occasion.
    ...(rule === POST_RULE && { by: delivery.occasion }),
    ...(state === 'pending' && delivery.since === undefined && delivery.dueAt > createdAt && { dueAt: delivery.dueAt }),
    ...(sentAt && { sentAt }),
    ...(settledAt && { settledAt }),
    ...(isJsonObject(result) && !isPrivate && { result }),
    ...(problem !== undefined && { message: problem }),
    ...(error && { fault: error.fault }),
    ...(reason && { reason }),
    ...(delivery.omitted && { omitted: delivery.omitted }),
  };
}

/**
 * Whether a step about records that not everyone can read sent its texts to no reader of them, for example a look-up of direct messages, or a
 * question about one to the assistant: people who only watch read the page too.
 */
function isUnpublished({ do: verb, origins = [], result }: Delivery): boolean {
  const declared = catalogue.get(verb);
  const isPublished = declared?.kind === 'write' && declared.publishes !== undefined;
  return !isPublished && (origins.length > 0 || originsIn(result).length > 0);
}

/** A part of the deliveries. */
export interface DeliverySliceQuery {
  readonly rule?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** The number of deliveries before the page. */
  readonly offset: number;
  readonly limit: number;
}

/** What names the steps and the items of deliveries, and knows their streams. */
export interface DeliveryNames {
  readonly rules: readonly Rule[];
  readonly episodes: Pick<EpisodeLog, 'items' | 'open'>;
}

interface DeliverySliceOptions extends DeliveryNames {
  readonly deliveryLog: Pick<DeliveryLog, 'latest'>;
  /** Only deliveries of this server. */
  readonly of?: ServerDeliveries | undefined;
  /** Servers whose members' posts are left out. */
  readonly except?: readonly string[] | undefined;
}

/** One slice of the deliveries for operators in Discord, ordered by urgency. The edits of one card are one entry. */
export async function deliverySlice(
  { rule, state, offset, limit }: DeliverySliceQuery,
  { deliveryLog, of, except, ...names }: DeliverySliceOptions,
): Promise<DeliveryList> {
  const end = offset + limit + 1;
  const all: Latest[] = [];
  for (const states of state === undefined ? GROUPS : [[state]]) {
    if (all.length < end) all.push(...(await deliveryLog.latest({ rule, states, of, except, limit: end - all.length })));
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
  // Deliveries of earlier versions have no item.
  const without = deliveries.filter(({ item }) => item === undefined);
  const items = without.length === 0 ? [] : await episodes.items(without.map(({ rule, episode }) => ({ rule, id: episode })));
  const over = await aboutEndedStreams(deliveries.filter(isLateAfterEnd), episodes);
  return (delivery) => {
    const found = delivery.item ?? items.find(({ rule, id }) => rule === delivery.rule && id === delivery.episode);
    return {
      ...shownDelivery(delivery, rules),
      ...(found && { item: 'item' in found ? firedItem(found) : found }),
      ...(over.has(delivery.id) && { isOver: true }),
    };
  };
}

/** Whether a person who decides about a delivery needs to know that its stream is over: a question, or an announcement that was not sent. */
function isLateAfterEnd({ state, section, creates }: Delivery): boolean {
  return state === 'asked' || ((state === 'failed' || state === 'unknown') && section === 'then' && creates);
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
