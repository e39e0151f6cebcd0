import type { Json } from '#src/operation/json.ts';
import type { Mark } from '../../episode.ts';
import type { Item } from '../../poll.ts';
import type { Change } from './change.ts';
import { valueAt, withValue } from './field-path.ts';
import type { Followed, Following } from './following.ts';
import { lookedAt, restMs } from './mark.ts';

const LONGEST_VALUE = 60;

/** Follows fields whose values may change; as an episode opens they are taken as they are. */
export function followFields(
  fields: readonly string[],
  { episode: { item, marks = {} }, previous, opens, slotMs, settleMs }: Following,
): Followed {
  const looked = fields.map((field) => {
    const name = markOf(field);
    const value = valueAt(item, field);
    const mark = Object.hasOwn(marks, name) ? marks[name] : undefined;
    return { name, field, mark: mark && !opens ? lookedAt(mark, value, { slotMs, from: mark.said }) : { said: value } };
  });
  const due = looked.filter(({ mark }) => restMs(mark, { slotMs, settleMs }) === 0);
  return {
    marks: looked.map(({ name, mark }) => [name, mark] as const),
    changes: due.length === 0 ? [] : [toChange(due, previous)],
    begun: looked
      .filter(({ mark }) => mark.sinceMs === slotMs && settleMs > 0)
      .map(({ field, mark }) => ({ kind: 'changed', fields: [{ field, is: shown(mark.next) }] })),
  };
}

interface Due {
  readonly name: string;
  readonly field: string;
  readonly mark: Mark;
}

function toChange(due: readonly Due[], previous: Item | undefined): Change {
  return {
    kind: 'changed',
    isWatched: true,
    previous: due.reduce<Item>((item, { field, mark }) => withValue(item, field, mark.said), previous ?? {}),
    happened: { kind: 'changed', fields: due.map(({ field, mark }) => ({ field, is: shown(mark.next), was: shown(mark.said) })) },
    marks: due.map(({ name }) => name),
    wasHeld: due.every(({ mark }) => mark.held === true),
  };
}

/** What the mark of a field is called. */
function markOf(field: string): string {
  return `changed ${field}`;
}

function shown(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
