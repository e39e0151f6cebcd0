import { closestName, knownNameHint } from '#src/clients/operation/closest-name.ts';
import { formatList } from '#src/rules/messages/format.ts';
import type { IdleClause } from '../decided-clauses.ts';
import { REFUSED_FUNCTIONS } from '../language/limits.ts';
import type { Vocabulary } from '../language/environment.ts';
import { certain, written, type Node } from '../language/tree.ts';
import { ExpressionError } from '../expression-error.ts';
import { unavailableHint } from './unavailable-names.ts';

/** Functions of other languages, and their replacements. */
const INSTEAD: Readonly<Record<string, string>> = {
  min: 'write a < b ? a : b',
  max: 'write a > b ? a : b',
  replace: 'write text.split("a").join("b")',
  upper: 'write text.upperAscii()',
  toUpper: 'write text.upperAscii()',
  toUpperCase: 'write text.upperAscii()',
  lower: 'write text.lowerAscii()',
  toLower: 'write text.lowerAscii()',
  toLowerCase: 'write text.lowerAscii()',
  not: 'write ! before the condition',
  len: 'write .size() behind a list or a text',
  length: 'write .size() behind a list or a text',
  count: 'write .size() behind a list or a text',
  reverse: 'write list.sortBy(x, -x.rank), with a number of the element',
  last: 'write list[list.size() - 1]',
  slice: 'write top(list, n) for a list, truncate(text, n) for text',
  includes: 'write .contains("…") for text, x in list for a list',
  first: 'write list[0], or top(list, 1) if the list can be empty',
  format: 'write date(instant, "Europe/Paris") or compact(number)',
  formatDate: 'write date(instant, "Europe/Paris")',
  toLocaleString: 'write date(instant, "Europe/Paris") or compact(number)',
  strftime: 'write date(instant, "Europe/Paris")',
  toFixed: 'write compact(number) or string(int(x + 0.5))',
  toString: 'write string(x)',
  plural: 'write n == 1 ? "viewer" : "viewers"',
  pluralize: 'write n == 1 ? "viewer" : "viewers"',
  default: 'write either(a, b)',
  coalesce: 'write either(a, b)',
  concat: 'write a + b',
  getDay: 'write time.getDayOfWeek("Europe/Paris"), which is 0 on Sundays',
  getYear: 'write time.getFullYear("Europe/Paris")',
  round: 'write int(x + 0.5)',
  floor: 'write int(x)',
};

/** Names of firings about one item, and their replacements with `per: poll` and `per: slot`. */
const OF_MANY: Readonly<Record<string, { readonly inStep: string; readonly inRule: string }>> = {
  item: {
    inStep: 'add forEach: items, and read it',
    inRule: 'write items.exists(i, …), with i instead of item',
  },
  change: {
    inStep: 'add forEach: changes.entered (or another kind), and read it',
    inRule: 'write changes.entered.exists(c, …) (or another kind), with c instead of change',
  },
  previous: {
    inStep: 'add forEach: changes.changed (or another kind), and read it.previous',
    inRule: 'write changes.changed.exists(c, …) (or another kind), with c.previous instead of previous',
  },
};

/** Names that users expect for the item. */
const ITEMS: ReadonlySet<string> = new Set(
  'stream streams post clip video article entry webhook payload trigger event data body'.split(' '),
);

interface Place {
  readonly at: number;
  readonly known: Vocabulary;
}

export function unknownName(name: string, { at, known }: Place): ExpressionError {
  const owned = known.ownersOf(name).map((owner) => `${owner}.${name}`);
  const ofMany = known.names.includes('items') && Object.hasOwn(OF_MANY, name) ? OF_MANY[name] : undefined;
  if (ofMany !== undefined) {
    const isStep = known.names.includes('steps');
    const cure = known.names.includes('it') ? 'read it, the element of forEach' : isStep ? ofMany.inStep : ofMany.inRule;
    return new ExpressionError(`unknown variable ${name}`, { at, hint: `a rule with per: poll or slot has no ${name}: ${cure}` });
  }
  const unavailable = unavailableHint(name, known.names);
  if (unavailable !== undefined) return new ExpressionError(`unknown variable ${name}`, { at, hint: unavailable, record: name });
  const isItem = ITEMS.has(name) && known.names.includes('item');
  const meant = closestName(name, known.names) ?? (owned.length > 0 ? formatList(owned) : isItem ? 'item' : undefined);
  const there = known.names.length > 0 ? `available: ${known.names.join(', ')}` : 'no variable is available here';
  const hint = meant === undefined ? `${there}; for a text, write ${JSON.stringify(name)}` : `did you mean ${meant}?`;
  return new ExpressionError(`unknown variable ${name}`, { at, hint });
}

/** Records whose fields a rule declares. */
const DECLARED_BY_RULE: Readonly<Record<string, (field: string) => string>> = {
  'command.options': (field) => `options: { ${field}: { type: string, about: … } }`,
  item: (field) => `fields: { ${field}: text }`,
};

/** Names that users expect for fields, with the names of Fanfare in the order in which they fit. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['old', ['from']],
  ['before', ['from']],
  ['new', ['to']],
  ['after', ['to']],
  ['link', ['url']],
  ['name', ['displayName']],
  ['username', ['handle']],
  ['login', ['handle']],
  ['user', ['owner', 'author']],
  ['channel', ['owner']],
  ['streamer', ['owner']],
  ['author', ['owner', 'authorName']],
  ['content', ['text']],
  ['body', ['text']],
  ['message', ['text', 'content']],
  ['summary', ['text', 'description']],
  ['description', ['text']],
  ['headline', ['title']],
  ['category', ['game']],
  ['viewers', ['viewerCount']],
  ['followers', ['followerCount']],
  ['views', ['viewCount']],
  ['likes', ['likeCount']],
  ['image', ['thumbnailUrl']],
  ['thumbnail', ['thumbnailUrl']],
  ['date', ['publishedAt', 'startedAt', 'createdAt']],
  ['length', ['lengthMs', 'durationMs']],
  ['duration', ['durationMs', 'lengthMs']],
]);

/** The rank counts the items after `where`. */
const RANK = 'items have a rank after where: write the condition as if of the rule, beside when';

export function unknownField({ of, field }: { readonly of: Node; readonly field: string }, { at, known }: Place): ExpressionError {
  if (written(of) === 'lists') return unknownList(field, { at, known }, known.fieldsOf(certain(of.checkedType)?.name ?? '') ?? []);
  if (['steps', 'episode.steps'].includes(written(of)))
    return unknownStep(field, { at, known }, known.fieldsOf(certain(of.checkedType)?.name ?? '') ?? []);
  const type = certain(of.checkedType)?.name ?? '';
  const fields = known.fieldsOf(type) ?? [];
  const record = written(of);
  const [holder] = closestName(field, fields) === undefined ? known.holdersOf(type, field) : [];
  const hint = (): string => {
    if (field === 'rank' && record === 'item' && !known.names.includes('rule')) return RANK;
    if (holder !== undefined) return `did you mean ${record}.${holder}.${field}?`;
    const synonym = FIELDS.get(field)?.find((one) => fields.includes(one));
    if (synonym !== undefined) return `did you mean ${synonym}?`;
    const none = Object.hasOwn(DECLARED_BY_RULE, record) ? `add ${DECLARED_BY_RULE[record]?.(field)} to when` : 'it has no fields';
    const isEntry = known.isEntry(type) || /^lists\b/u.test(record);
    // The results of single accounts are no fields of the record.
    const likely = record.startsWith('steps.') ? fields.filter((one) => one !== 'own' && one !== 'on') : fields;
    const close = closestName(field, likely);
    const meant = close === undefined ? (fields.length > 0 ? `available: ${fields.join(', ')}` : none) : `did you mean ${close}?`;
    return isEntry && close === undefined ? `${meant}; or add ${field} to an entry of the list` : meant;
  };
  return new ExpressionError(`${record} has no ${field}`, { at, hint: hint(), record });
}

const EVERY_ENTRY = ['id', 'server'];

/** A field that no entry of a list has, with a name like that of another field. Entries with other fields can follow. */
export function misspelledField({ of, field }: { readonly of: Node; readonly field: string }, { at, known }: Place): readonly IdleClause[] {
  const fields = known.usualFieldsOf(certain(of.checkedType)?.name ?? '');
  const meant = fields.includes(field)
    ? undefined
    : closestName(
        field,
        fields.filter((name) => !EVERY_ENTRY.includes(name)),
      );
  return meant === undefined ? [] : [{ at, message: `${written(of)} has no ${field} yet`, hint: `did you mean ${meant}?` }];
}

function unknownList(name: string, { at }: Place, names: readonly string[]): ExpressionError {
  const none = `there are no lists: create lists/${name}.yaml, or run fanfare lists add ${name}`;
  return new ExpressionError(`unknown list ${name}`, { at, hint: knownNameHint(name, names, none) });
}

function unknownStep(id: string, { at }: Place, ids: readonly string[]): ExpressionError {
  return new ExpressionError(`unknown step ${id}`, { at, hint: knownNameHint(id, ids, `no step has an id: add id: ${id} to the step`) });
}

/** How to write a function of another language, for example `text.upperAscii()`; undefined if it has no replacement. */
export function replacementOf(name: string): string | undefined {
  return Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
}

export function unknownFunction(name: string, { at, known }: Place): ExpressionError {
  const instead = replacementOf(name);
  const meant = closestName(name, known.functions.keys());
  const likely = meant === undefined ? `available: ${usableFunctions(known).join(', ')}` : `did you mean ${meant}?`;
  return new ExpressionError(`unknown function ${name}`, { at, hint: instead ?? likely });
}

/** The functions that rules can use, without those of bytes. */
function usableFunctions({ functions }: Vocabulary): readonly string[] {
  const usable = [...functions].filter(([name, forms]) => !REFUSED_FUNCTIONS.includes(name) && forms.some(({ on }) => on !== 'bytes'));
  return usable.map(([name]) => name).toSorted();
}
