import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import type { Rule, Watched, WatchedChange } from '#src/rules/rule.ts';

/** A change that a rule waits for, and two lists with this change between them. */
export interface Scenario {
  readonly change: WatchedChange;
  /** The list before; undefined: there was no poll before. */
  readonly before?: readonly Item[] | undefined;
  readonly now: readonly Item[];
}

/** The rule without gates and waits before a firing. */
export function eager(rule: Rule): Rule {
  const { watched } = rule;
  const prompt = { settleMs: 0, graceMs: 0, confirm: { new: 1, gone: 1 }, first: 'fire' } as const;
  return {
    ...rule,
    cooldown: undefined,
    quiet: undefined,
    limit: undefined,
    gather: undefined,
    maxAgeMs: Number.MAX_SAFE_INTEGER,
    fuse: { firings: Infinity, perMs: 1 },
    mode: 'parallel',
    max: Infinity,
    watched: watched && { ...watched, ...prompt },
  };
}

/** A scenario with the current items for each change that the rule waits for. */
export function scenariosOf({ changes, per }: Watched, items: readonly Item[], shown: number): readonly Scenario[] {
  if (per === 'slot') return [{ change: { kind: 'entered' }, now: items }];
  return changes.map((change) => {
    switch (change.kind) {
      case 'entered':
        return { change, now: items };
      case 'left':
        return { change, before: items, now: [] };
      case 'moved':
        return { change, before: [...items.slice(shown), ...items.slice(0, shown)], now: items };
      case 'changed':
        return { change, before: items.map((item) => change.fields.reduce(withOther, item)), now: items };
      case 'rose':
        if ('every' in change) return { change, before: items.map((item) => withNumber(item, change.field, 0)), now: items };
        return {
          change,
          before: items.map((item) => withNumber(item, change.field, Math.min(...change.lines.map(({ rearm }) => rearm)) - 1)),
          now: items,
        };
      case 'fell':
        return {
          change,
          before: items.map((item) => withNumber(item, change.field, Math.max(...change.lines.map(({ rearm }) => rearm)) + 1)),
          now: items,
        };
    }
  });
}

/** A list as a poll. */
export function pollOf(items: readonly Item[]): Poll {
  return { items, complete: true };
}

function withOther(item: Item, field: string): Item {
  return changeAt(item, field.split('.'), otherThan);
}

function withNumber(item: Item, field: string, value: number): Item {
  return changeAt(item, field.split('.'), () => value);
}

function changeAt(
  record: JsonObject,
  [key = '', ...rest]: readonly string[],
  change: (value: Json | undefined) => Json | undefined,
): JsonObject {
  const value = record[key];
  if (rest.length > 0) return isJsonObject(value) ? { ...record, [key]: changeAt(value, rest, change) } : record;
  return { ...record, [key]: change(value) };
}

function otherThan(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return `${value} (before)`;
  if (typeof value === 'number') return value - 1;
  return typeof value === 'boolean' ? !value : undefined;
}
