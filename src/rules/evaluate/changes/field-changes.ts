import type { Json } from '#src/operation/json.ts';
import type { Item } from '../../poll.ts';
import { valueAt, withValue } from '../items/item-fields.ts';
import { baselineOf, compared, isBegun, isSettled } from './baseline.ts';
import type { Tracked, TrackedItem } from './change.ts';

const MOST_CHARACTERS = 60;

/** Tracks fields for `changed`. The values of an item that enters are its baselines. */
export function trackFields(fields: readonly string[], tracked: TrackedItem): Tracked {
  const { episode, previous, opens, slotMs } = tracked;
  const all = fields.map((field) => {
    const name = `changed ${field}`;
    const value = valueAt(episode.item, field);
    const known = opens ? undefined : baselineOf(episode, name);
    return { name, field, baseline: known ? compared(known, value, { slotMs, from: known.said }) : { said: value } };
  });
  const due = all.filter(({ baseline }) => isSettled(baseline, tracked));
  const details = due.map(({ field, baseline }) => ({ field, is: printed(baseline.next), was: printed(baseline.said) }));
  return {
    baselines: all.map(({ name, baseline }) => [name, baseline]),
    changes:
      due.length === 0
        ? []
        : [
            {
              kind: 'changed',
              isWatched: true,
              previous: due.reduce<Item>((item, { field, baseline }) => withValue(item, field, baseline.said), previous ?? {}),
              detail: { kind: 'changed', fields: details },
              baselines: due.map(({ name }) => name),
              wasDeferred: due.every(({ baseline }) => baseline.held === true),
            },
          ],
    begun: all
      .filter(({ baseline }) => isBegun(baseline, tracked))
      .map(({ field, baseline }) => ({ kind: 'changed', fields: [{ field, is: printed(baseline.next) }] })),
  };
}

function printed(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
