import type { Firing, PlannedStep, Section } from '#src/rules/firing.ts';

/** A step of a rule and its item. */
interface DeliverySlot {
  readonly rule: string;
  readonly section: Section;
  readonly episode: string;
  readonly queue: string;
  /** The id of the step, or its position in its list from 0. */
  readonly step: string;
  readonly account: string;
  /** The key of the list element. */
  readonly element?: string | undefined;
  /** The number of the part in its thread, from 1. */
  readonly part: number;
}

/** The same for every delivery of the same step, item, account, element and part, at any time. */
export function slotKey(place: DeliverySlot): string {
  const { section, step, account, element = '', part } = place;
  return `${section} ${JSON.stringify([itemKey(place) ?? '', step, account, element, part])}`;
}

/** The slot key of a step in a firing. */
export function slotKeyIn(
  { rule, section, episode, queue }: Pick<Firing, 'rule' | 'section' | 'episode' | 'queue'>,
  { step, account, index }: Pick<PlannedStep, 'step' | 'account' | 'index'>,
  { element, part }: Pick<DeliverySlot, 'element' | 'part'>,
): string {
  return slotKey({ rule, section, episode, queue, step: step.id ?? String(index), account, element, part });
}

/** The key of the item of a delivery; undefined: it is about a whole poll or slot. */
export function itemKey({ rule, queue, episode }: Pick<DeliverySlot, 'rule' | 'queue' | 'episode'>): string | undefined {
  if (!queue.startsWith(`${rule}/`)) return undefined;
  // The id of an episode has the key of its item and the slot of its first poll.
  const end = episode.lastIndexOf('@');
  return end === -1 ? episode : episode.slice(0, end);
}

/** The slot at which an episode was first seen. */
export function beginningOf(episode: string): number | undefined {
  const beganMs = Date.parse(episode.slice(episode.lastIndexOf('@') + 1));
  return Number.isNaN(beganMs) ? undefined : beganMs;
}
