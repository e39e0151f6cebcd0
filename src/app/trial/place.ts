import type { Firing, PlannedStep, Section } from '#src/rules/firing.ts';

/** Where in a rule something is done, and for what. */
interface Place {
  readonly rule: string;
  readonly section: Section;
  readonly episode: string;
  readonly queue: string;
  /** The step's id, else its place in its list from 0. */
  readonly step: string;
  readonly account: string;
  /** Which of a list it is done for. */
  readonly element?: string | undefined;
  /** Which part of a thread it is, from 1. */
  readonly part: number;
}

/** The same for the same step of the same item through the same account, of the same element and part: whenever it is done. */
export function placeName(place: Place): string {
  const { section, step, account, element = '', part } = place;
  return `${section} ${JSON.stringify([itemKey(place) ?? '', step, account, element, part])}`;
}

/** The place of what a step does in a firing. */
export function placeIn(
  { rule, section, episode, queue }: Pick<Firing, 'rule' | 'section' | 'episode' | 'queue'>,
  { step, account, index }: Pick<PlannedStep, 'step' | 'account' | 'index'>,
  { element, part }: Pick<Place, 'element' | 'part'>,
): string {
  return placeName({ rule, section, episode, queue, step: step.id ?? String(index), account, element, part });
}

/** The key of the item that something is done for; undefined: it is done for a whole poll or slot. */
export function itemKey({ rule, queue, episode }: Pick<Place, 'rule' | 'queue' | 'episode'>): string | undefined {
  if (!queue.startsWith(`${rule}/`)) return undefined;
  // An episode is named after its item's key and the slot of its first sight.
  const end = episode.lastIndexOf('@');
  return end === -1 ? episode : episode.slice(0, end);
}

/** The slot of an episode's first sight. */
export function beginningOf(episode: string): number | undefined {
  const beganMs = Date.parse(episode.slice(episode.lastIndexOf('@') + 1));
  return Number.isNaN(beganMs) ? undefined : beganMs;
}
