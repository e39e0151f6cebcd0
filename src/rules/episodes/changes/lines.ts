import type { Mark } from '../../episode.ts';
import type { Item } from '../../poll.ts';
import type { WatchedChange } from '../../rule.ts';
import type { Change } from './change.ts';
import { valueAt, withValue } from './field-path.ts';
import type { Followed, Following } from './following.ts';
import { lookedAt, restMs } from './mark.ts';

export type Crossing = Extract<WatchedChange, { readonly kind: 'rose' | 'fell' }>;
type Line = Crossing['lines'][number];

/** Follows a number and its lines. The mark of a line says whether the number is known to be past it: then it is not armed. */
export function followLines(crossing: Crossing, following: Following): Followed {
  const { episode, previous, isFirst, isBaseline, slotMs, settleMs } = following;
  const { kind, field, lines } = crossing;
  const value = numberAt(episode.item, field);
  const before = previous && numberAt(previous, field);
  const looked = lines.map((line) => {
    const name = `${kind} ${field} ${line.at}`;
    const known = episode.marks && Object.hasOwn(episode.marks, name) ? episode.marks[name] : undefined;
    // Whoever comes in above a line has crossed it; whoever comes in below one has not fallen.
    const start = known ?? (isFirst && !isBaseline && kind === 'rose' ? { said: false } : undefined);
    return { name, line, mark: lookedAtLine(start, value, { kind, line, before, slotMs }) };
  });
  const due = value === undefined ? [] : looked.filter(({ mark }) => mark && restMs(mark, { slotMs, settleMs }) === 0);
  const crossed = due.filter(({ mark }) => mark?.next === true);
  return {
    marks: looked.flatMap(({ name, mark }) => {
      if (!mark) return [];
      // Back past its `rearm`: armed again, without a word.
      const rearmed = mark.next === false && due.some((one) => one.name === name);
      return [[name, rearmed ? { said: false } : mark] as const];
    }),
    changes: crossed.length === 0 ? [] : [toChange(crossed, { crossing, value, previous })],
    begun: looked
      .filter(({ mark }) => mark?.next === true && mark.sinceMs === slotMs && settleMs > 0)
      .map(({ line }) => ({ kind, field, lines: [line.at], is: value })),
  };
}

function lookedAtLine(
  mark: Mark | undefined,
  value: number | undefined,
  {
    kind,
    line,
    before,
    slotMs,
  }: { readonly kind: 'rose' | 'fell'; readonly line: Line; readonly before: number | undefined; readonly slotMs: number },
): Mark | undefined {
  // A number that is not there decides nothing.
  if (value === undefined) return mark;
  const up = kind === 'rose';
  const isPast = up ? value > line.at : value < line.at;
  const isBack = up ? value <= line.rearm : value >= line.rearm;
  if (!mark) return { said: isPast };
  const side = isPast ? true : isBack ? false : mark.said;
  return lookedAt(mark, side, { slotMs, from: before });
}

function toChange(
  crossed: readonly { readonly name: string; readonly line: Line; readonly mark: Mark | undefined }[],
  {
    crossing: { kind, field },
    value,
    previous,
  }: { readonly crossing: Crossing; readonly value: number | undefined; readonly previous: Item | undefined },
): Change {
  const from = crossed[0]?.mark?.from;
  return {
    kind,
    isWatched: true,
    previous: previous && withValue(previous, field, from),
    happened: { kind, field, lines: crossed.map(({ line }) => line.at), is: value, was: typeof from === 'number' ? from : undefined },
    marks: crossed.map(({ name }) => name),
    wasHeld: crossed.every(({ mark }) => mark?.held === true),
  };
}

function numberAt(item: Item, field: string): number | undefined {
  const value = valueAt(item, field);
  return typeof value === 'number' ? value : undefined;
}
