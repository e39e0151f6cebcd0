import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import type { Item } from '#src/rules/poll.ts';
import { keyOf } from '../run-polls.ts';
import type { ModelRule } from './model-rule.ts';

/** The effects of a poll as lines of the model. */
export function linesOf({ withdrawals, firings }: Advance, { changes }: ModelRule): readonly string[] {
  const fields = changes.flatMap((change) => ('fields' in change ? change.fields : []));
  return [
    ...withdrawals.map(({ section, of }) => `withdraw ${section} ${'episode' in of ? keyOf(of.episode) : keyOfQueue(of.queue)}`),
    ...firings.map(({ section, scope, episode }) => {
      if (section === 'while') return `while ${keyOf(episode)}`;
      if (section === 'quiet')
        return `quiet ${(scope.held ?? [])
          .map((one) => deferredLine(one, fields))
          .toSorted()
          .join(', ')}`;
      if (scope.change) return `${section} ${changeLine(scope.change, fields, scope.item)}`;
      const lists = Object.values(scope.changes ?? {}).flatMap((list) => (Array.isArray(list) ? list : []));
      return `then poll ${lists
        .map((one) => changeLine(one, fields))
        .toSorted()
        .join(', ')}`;
    }),
  ];
}

function deferredLine(deferred: Json, fields: readonly string[]): string {
  // A deferred slot has plain changes.
  if (!isJsonObject(deferred) || deferred['open'] === undefined) return changeLine(deferred, fields);
  return [deferred['kind'], at(deferred, 'item', 'key'), deferred['open'] === true ? 'open' : 'over'].map(shown).join(' ');
}

function changeLine(change: Json, fields: readonly string[], seen?: Item): string {
  if (!isJsonObject(change)) return '?';
  const { kind, from, to } = change;
  const item = seen ?? change['item'];
  const parts = [shown(kind), shown(at(item, 'key'))];
  if (kind === 'moved') parts.push(`${shown(from)}>${shown(to)} before ${shown(at(change, 'previous', 'rank'))}`);
  // Changed fields have their old value in `previous`.
  const changed = kind === 'changed' ? fields : [];
  return [
    ...parts,
    ...changed.map((field) => `${field}=${shown(at(change, 'previous', ...field.split('.')))}>${shown(at(item, ...field.split('.')))}`),
  ].join(' ');
}

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, field) => (isJsonObject(inner) ? inner[field] : undefined), value);
}

function shown(value: Json | undefined): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

/** The key of the item of a queue. Empty for the queue of the rule. */
export function keyOfQueue(queue: string): string {
  return queue.replace(/#\d+$/u, '').replace(/^card\/?/u, '');
}
