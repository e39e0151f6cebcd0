import { hasRestricted } from '#src/clients/operation/audience.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { firstUnits } from '#src/clients/operation/text/characters.ts';
import type { Baseline } from '#src/rules/episode.ts';
import type { Item } from '#src/rules/poll.ts';
import { HIDDEN } from '#src/rules/reasons/falsehood.ts';
import type { ChangeDetail } from '#src/rules/reasons/reason.ts';
import { valueAt, withValue } from '../items/item-fields.ts';
import { baselineOf, compared, isBegun, isSettled } from './baseline.ts';
import type { Change, Tracked, TrackedItem } from './change.ts';

const MOST_CHARACTERS = 60;

/** Tracks fields for `changed`. The values of an item that enters are its baselines. */
export function trackFields(fields: readonly string[], tracked: TrackedItem): Tracked {
  const { episode, opens, isFromOtherAccount, slotMs } = tracked;
  const baselines: (readonly [string, Baseline])[] = [];
  const due: DueField[] = [];
  const begun: ChangeDetail[] = [];
  const print = printerFor(episode.item);
  for (const field of fields) {
    const name = `changed ${field}`;
    const value = valueAt(episode.item, field);
    const known = opens || isFromOtherAccount ? undefined : baselineOf(episode, name);
    const baseline = known ? compared(known, value, { slotMs, from: known.announced }) : { announced: value };
    baselines.push([name, baseline]);
    if (isSettled(baseline, tracked)) due.push({ name, field, baseline });
    if (isBegun(baseline, tracked)) begun.push({ kind: 'changed', fields: [{ field, value: print(baseline.next) }] });
  }
  return { baselines, changes: due.length === 0 ? [] : [changeOf(due, { previous: tracked.previous, print })], begun };
}

/** A field whose new value has settled. */
interface DueField {
  readonly name: string;
  readonly field: string;
  readonly baseline: Baseline;
}

function changeOf(
  due: readonly DueField[],
  { previous = {}, print }: { readonly previous: Item | undefined; readonly print: (value: Json | undefined) => string | undefined },
): Change {
  return {
    kind: 'changed',
    isWatched: true,
    previous: due.reduce<Item>((item, { field, baseline }) => withValue(item, field, baseline.announced), previous),
    detail: {
      kind: 'changed',
      fields: due.map(({ field, baseline }) => ({ field, value: print(baseline.next), previous: print(baseline.announced) })),
    },
    baselines: due.map(({ name }) => name),
    wasDeferred: due.every(({ baseline }) => baseline.deferred === true),
  };
}

/** Prints values for reasons, without texts of an item that not everyone can read: other people read reasons. */
function printerFor(item: Item): (value: Json | undefined) => string | undefined {
  let isHidden: boolean | undefined;
  return (value) => {
    const isText = typeof value !== 'number' && typeof value !== 'boolean' && value !== undefined;
    return isText && (isHidden ??= hasRestricted(item)) ? HIDDEN : printed(value);
  };
}

function printed(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  // Every change of a long text prints it, and the search for visible characters would take longer than the rest of its evaluation.
  return text.length > MOST_CHARACTERS ? `${firstUnits(text, MOST_CHARACTERS)}…` : text;
}
