import { closestName, knownNameHint } from '#src/clients/operation/closest-name.ts';
import { formatList } from '#src/rules/messages/format.ts';
import type { IdleClause } from '../decided-clauses.ts';
import { REFUSED_FUNCTIONS } from '../language/limits.ts';
import type { Vocabulary } from '../language/environment.ts';
import { certain, written, type Node } from '../language/tree.ts';
import { ExpressionError } from '../expression-error.ts';
import { hasField, ITEMS, meantValue, type MeantValue } from '../meant-values.ts';
import { replacementOf } from './foreign-functions.ts';
import { unavailableHint } from './unavailable-names.ts';

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
  const { expression, advice } = meantHere(name, known) ?? {};
  const isItem = ITEMS.has(name) && known.names.includes('item');
  const meant = expression ?? closestName(name, known.names) ?? (owned.length > 0 ? formatList(owned) : isItem ? 'item' : undefined);
  const there = known.names.length > 0 ? `available: ${known.names.join(', ')}` : 'no variable is available here';
  const likely = meant === undefined ? `${there}; for a text, write ${JSON.stringify(name)}` : `did you mean ${meant}?`;
  return new ExpressionError(`unknown variable ${name}`, { at, hint: advice ?? likely });
}

/** What a word of another bot means. A site without a single item reads it of all items. */
function meantHere(word: string, { has, shapeOf }: Vocabulary): MeantValue | undefined {
  const items = has('item') ? undefined : shapeOf('items');
  const meant = items?.kind === 'list' ? meantValue(word, (reference) => hasField(items.of, reference)) : undefined;
  const ofElement = meant?.expression?.replaceAll(/(?<![\w.])item\b/gu, 'i');
  return ofElement === undefined ? meantValue(word, has) : { expression: `items.map(i, ${ofElement})` };
}

/** Records whose fields a rule declares. */
const DECLARED_BY_RULE: Readonly<Record<string, (field: string) => string>> = {
  'command.options': (field) => `options: { ${field}: { type: string, about: … } }`,
  item: (field) => `fields: { ${field}: text }`,
};

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
  const has = (reference: string): boolean =>
    reference.startsWith('item.') ? hasField(known.shapeOfType(type), reference) : reference !== 'item' && known.has(reference);
  const hint = (): string => {
    if (field === 'rank' && record === 'item' && !known.names.includes('rule')) return RANK;
    const { expression, advice } = meantValue(field, has) ?? {};
    // In item.user.name, `user` is the record, and one field is shown without its record.
    const isRead = of.input.slice(at + field.length).startsWith('.');
    const meantPath = isRead ? expression?.replace(/^(item\.\w+)\.\w+$/u, '$1') : expression;
    const meantField = meantPath?.replace(/^item\.(?=\w+$)/u, '').replaceAll(/(?<![\w.])item\b/gu, record);
    if (meantField !== undefined) return `did you mean ${meantField}?`;
    if (holder !== undefined) return `did you mean ${record}.${holder}.${field}?`;
    if (advice !== undefined) return advice;
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
  const none = `there are no lists: create lists/${name}.yaml, or run npx fanfare lists add ${name}`;
  return new ExpressionError(`unknown list ${name}`, { at, hint: knownNameHint(name, names, none) });
}

function unknownStep(id: string, { at }: Place, ids: readonly string[]): ExpressionError {
  return new ExpressionError(`unknown step ${id}`, { at, hint: knownNameHint(id, ids, `no step has an id: add id: ${id} to the step`) });
}

export function unknownFunction(name: string, { at, known }: Place): ExpressionError {
  const instead = replacementOf(name);
  const { expression, advice } = meantHere(name, known) ?? {};
  const meant = expression ?? closestName(name, known.functions.keys());
  const likely = meant === undefined ? `available: ${usableFunctions(known).join(', ')}` : `did you mean ${meant}?`;
  return new ExpressionError(`unknown function ${name}`, { at, hint: instead ?? advice ?? likely });
}

/** The functions that rules can use, without those of bytes. */
function usableFunctions({ functions }: Vocabulary): readonly string[] {
  const usable = [...functions].filter(([name, forms]) => !REFUSED_FUNCTIONS.includes(name) && forms.some(({ on }) => on !== 'bytes'));
  return usable.map(([name]) => name).toSorted();
}
