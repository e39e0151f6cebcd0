import { literalOf } from './constraints.ts';
import type { IdleClause } from './decided-clauses.ts';
import { callArguments, calledName, certain, knownTypeOf, operandsOf, walk, written, type Node } from './language/tree.ts';

/** The parts of a time that differ between time zones. */
const ZONED: Readonly<Record<string, string>> = {
  getHours: 'hour',
  getDate: 'day',
  getDayOfMonth: 'day',
  getDayOfWeek: 'weekday',
  getDayOfYear: 'day',
  getMonth: 'month',
};

/** Finds `now.getHours()`, which is the hour in UTC and rarely that of the reader. */
export function timesInUtc(tree: Node): readonly IdleClause[] {
  const found: IdleClause[] = [];
  walk(tree, (node) => {
    const name = calledName(node) ?? '';
    const [receiver, ...rest] = callArguments(node);
    if (!Object.hasOwn(ZONED, name) || !receiver || rest.length > 0) return;
    if (certain(knownTypeOf(receiver))?.name !== 'google.protobuf.Timestamp') return;
    const zoned = (zone: string): string => `${written(receiver)}.${name}("${zone}")`;
    found.push({
      at: node.start,
      message: `${name}() is the ${ZONED[name]} in UTC`,
      hint: `write the time zone: ${zoned('Europe/Paris')}, or ${zoned('UTC')}`,
    });
  });
  return found;
}

/** A text with a placeholder at its start or its end, as in search fields. */
const WITH_WILDCARD = /^(\*?)([\p{L}\p{N}](?:[^*]*[\p{L}\p{N}])?)(\*?)$/u;
const SEARCHES: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith']);

/** Finds `item.title == "*chess*"`, in which `*` is a character like any other. */
export function wildcards(tree: Node): readonly IdleClause[] {
  const found: IdleClause[] = [];
  walk(tree, (node) => {
    const name = calledName(node) ?? '';
    const isComparison = node.op === '==' || node.op === '!=';
    const [text, sought] = isComparison ? operandsOf(node) : SEARCHES.has(name) ? callArguments(node) : [];
    const literal = sought && literalOf(sought);
    const [, before, word, behind] = (typeof literal === 'string' && WITH_WILDCARD.exec(literal)) || [];
    if (!text || !sought || word === undefined || (before === '' && behind === '')) return;
    const search = !isComparison ? name : before === '' ? 'startsWith' : behind === '' ? 'endsWith' : 'contains';
    const call = `${node.op === '!=' ? '!' : ''}${written(text)}.${search}(${JSON.stringify(word)})`;
    found.push({ at: sought.start, message: '* is a character like any other here, and no placeholder', hint: `write ${call}` });
  });
  return found;
}
