import { isJsonObject, type Json } from '#src/operation/json.ts';
import type { Advance } from '#src/rules/episodes/advance.ts';
import type { Item } from '#src/rules/poll.ts';
import { keyOf } from '../play.ts';
import type { ModelRule } from './model-rule.ts';

/** What came of a poll, as lines of the model. */
export function linesOf({ withdrawals, firings }: Advance, { changes }: ModelRule): readonly string[] {
  const fields = changes.flatMap((change) => ('fields' in change ? change.fields : []));
  return [
    ...withdrawals.map(({ section, of }) => `withdraw ${section} ${'episode' in of ? keyOf(of.episode) : keyOfQueue(of.queue)}`),
    ...firings.map(({ section, scope, episode }) => {
      if (section === 'while') return `while ${keyOf(episode)}`;
      if (section === 'quiet')
        return `quiet ${(scope.held ?? [])
          .map((one) => heldLine(one, fields))
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

function heldLine(held: Json, fields: readonly string[]): string {
  // A slot that was held has its changes as they were.
  if (!isJsonObject(held) || held['open'] === undefined) return changeLine(held, fields);
  return [held['kind'], at(held, 'item', 'key'), held['open'] === true ? 'open' : 'over'].map(shown).join(' ');
}

function changeLine(change: Json, fields: readonly string[], seen?: Item): string {
  if (!isJsonObject(change)) return '?';
  const { kind, from, to } = change;
  const item = seen ?? change['item'];
  const words = [shown(kind), shown(at(item, 'key'))];
  if (kind === 'moved') words.push(`${shown(from)}>${shown(to)}`);
  // Of what changed, the old value is that of `previous`.
  const changed = kind === 'changed' ? fields : [];
  return [
    ...words,
    ...changed.map((field) => `${field}=${shown(at(change, 'previous', ...field.split('.')))}>${shown(at(item, ...field.split('.')))}`),
  ].join(' ');
}

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, field) => (isJsonObject(inner) ? inner[field] : undefined), value);
}

function shown(value: Json | undefined): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

/** The item whose queue it is; '' of the rule. */
export function keyOfQueue(queue: string): string {
  return queue.replace(/#\d+$/u, '').replace(/^card\/?/u, '');
}
