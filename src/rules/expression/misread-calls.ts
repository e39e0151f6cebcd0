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

/** How a pattern without regard to case finds the same text, by comparison. */
const PATTERNS: Readonly<Record<string, (pattern: string) => string>> = {
  contains: (pattern) => pattern,
  startsWith: (pattern) => `^${pattern}`,
  endsWith: (pattern) => `${pattern}$`,
  '==': (pattern) => `^${pattern}$`,
};
/** A letter that `lowerAscii` and `upperAscii` do not change, although it has another case. `ß` is SS in capitals. */
const OTHER_LETTER = /(?![A-Za-zß])[\p{Ll}\p{Lu}]/u;

/** Finds `item.title.lowerAscii().contains("grün")`, which does not find `GRÜN`. */
export function lettersBeyondAscii(tree: Node): readonly IdleClause[] {
  const found: IdleClause[] = [];
  walk(tree, (node) => {
    const pattern = PATTERNS[node.op === '==' ? '==' : (calledName(node) ?? '')];
    const [converted, sought] = node.op === '==' ? operandsOf(node) : callArguments(node);
    const name = converted && calledName(converted);
    const literal = sought && literalOf(sought);
    if (!pattern || !converted || !sought || (name !== 'lowerAscii' && name !== 'upperAscii') || typeof literal !== 'string') return;
    const [letter] = OTHER_LETTER.exec(literal) ?? [];
    const [text] = callArguments(converted);
    if (letter === undefined || !text) return;
    const other = name === 'lowerAscii' ? letter.toUpperCase() : letter.toLowerCase();
    const escaped = literal.toLowerCase().replaceAll(/[\\^$.|?*+()[\]{}]/gu, String.raw`\$&`);
    found.push({
      at: sought.start,
      message: `${name}() does not change ${other}`,
      hint: `write rx(${written(text)}, r"(?i)${pattern(escaped)}")`,
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
