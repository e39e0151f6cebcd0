import type { ChaosRule } from '../history.ts';
import type { Announcement, Arrival } from './arrivals.ts';
import { readAnnouncement } from './arrivals.ts';
import type { ShownTitle, Stream } from './world.ts';
import { formatInstant } from './violations.ts';

/** One visible effect on a platform: a message, a version of a message, or a deletion. */
export interface Step {
  readonly what: Announcement['what'] | 'edited' | 'deleted';
  readonly arrival: Arrival;
  readonly item: string;
  readonly stream: string;
  readonly title: string;
  readonly atMs: number;
}

/** The steps of an arrival, oldest first; undefined: no rule of the run sends this text. */
export function stepsIn(arrival: Arrival, { shape }: Pick<ChaosRule, 'shape'>): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (const [index, { text, atMs }] of arrival.versions.entries()) {
    const read = readAnnouncement(text);
    if (!read) return undefined;
    const { what, item, stream, title } = read;
    if (index > 0 && shape !== 'card') return undefined;
    steps.push({ what: index > 0 && what === 'opened' ? 'edited' : what, arrival, item, stream, title, atMs });
  }
  const [first] = steps;
  if (first && arrival.deletedAtMs !== undefined) steps.push({ ...first, what: 'deleted', atMs: arrival.deletedAtMs });
  return steps;
}

export function formatStep({ what, arrival, stream, title, atMs }: Step): string {
  const text = [what, stream && `stream ${stream}`, title].filter((part) => part !== '').join(' ');
  return `${formatInstant(atMs)} ${arrival.account}: ${text} (${arrival.id})`;
}

export function formatStream({ handle, id, startMs, endMs, titles }: Stream): string {
  const end = endMs === undefined ? 'still live' : `ended ${formatInstant(endMs)}`;
  const shown = titles.map(({ title, fromMs }) => `${title} from ${formatInstant(fromMs)}`).join(', ');
  return `world: ${handle}, stream ${id}: went live ${formatInstant(startMs)}, ${end}; ${shown}`;
}

/** The instant in the world that a step announces; undefined: the world has no such event. */
export function eventMsOf(step: Step, stream: Stream | undefined): number | undefined {
  if (!stream) return undefined;
  if (step.what === 'closed' || step.what === 'deleted') return stream.endMs;
  return titleOf(step, stream)?.fromMs;
}

/** The title of a step in the world. */
function titleOf({ title }: Pick<Step, 'title'>, { titles }: Stream): ShownTitle | undefined {
  return titles.find((one) => one.title === title);
}
