import { closestName } from '../../messages/closest-name.ts';
import { formatList } from '../../messages/format.ts';
import { certain, written, type Node } from '../language/tree.ts';
import { ExpressionError } from '../expression-error.ts';

/** A form of a function: the type names of its receiver and parameters. */
export interface CallForm {
  /** Undefined for a function without a receiver. */
  readonly on: string | undefined;
  readonly parameters: readonly string[];
}

/** The names, functions and fields of a site. */
export interface Vocabulary {
  readonly names: readonly string[];
  readonly functions: ReadonlyMap<string, readonly CallForm[]>;
  /** The fields of a record type. */
  fieldsOf(type: string): readonly string[] | undefined;
  /** A field of a record type that fits into text. */
  printableFieldOf(type: string): string | undefined;
  /** The names of records with such a field. */
  ownersOf(field: string): readonly string[];
}

/** Functions of other languages, and their replacements. */
const INSTEAD: Readonly<Record<string, string>> = {
  min: 'write a < b ? a : b',
  max: 'write a > b ? a : b',
  replace: 'text can be cut with substring and split and put together with join',
  upper: 'write .upperAscii()',
  toUpper: 'write .upperAscii()',
  toUpperCase: 'write .upperAscii()',
  lower: 'write .lowerAscii()',
  toLower: 'write .lowerAscii()',
  toLowerCase: 'write .lowerAscii()',
  len: 'write .size()',
  length: 'write .size()',
  count: 'write .size()',
  slice: 'write top(list, n) for a list, .substring(from, to) for text',
  includes: 'write .contains("…") for text, x in list for a list',
  first: 'write list[0], or top(list, 1) where the list may be empty',
  format: 'write date(instant, "Europe/Paris") or compact(number)',
  default: 'write either(a, b)',
  coalesce: 'write either(a, b)',
  concat: 'write a + b',
  round: 'write int(x + 0.5)',
  floor: 'write int(x)',
};

/** Names of firings about one item, and their replacements with `per: poll` and `per: slot`. */
const OF_MANY: Readonly<Record<string, { readonly inStep: string; readonly inRule: string }>> = {
  item: {
    inStep: 'add forEach: items, which gives each as it',
    inRule: 'ask items.exists(i, …) with i in its place',
  },
  change: {
    inStep: 'add forEach: changes.entered, or of another kind, which gives each as it',
    inRule: 'ask changes.entered.exists(c, …), or of another kind, with c in its place',
  },
  previous: {
    inStep: 'add forEach: changes.changed, or of another kind, and read it.previous',
    inRule: 'ask changes.changed.exists(c, …), or of another kind, with c.previous in its place',
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
    const cure = known.names.includes('it') ? 'forEach gives each as it' : isStep ? ofMany.inStep : ofMany.inRule;
    return new ExpressionError(`there is no ${name} here`, { at, hint: `with per: poll or slot none is meant: ${cure}` });
  }
  const meant = closestName(name, known.names) ?? (owned.length > 0 ? formatList(owned) : undefined);
  const there = known.names.length > 0 ? `in scope here: ${known.names.join(', ')}` : 'nothing is in scope here';
  const hint = meant === undefined ? there : `did you mean ${meant}?`;
  return new ExpressionError(`there is no ${name} here`, { at, hint });
}

export function unknownField({ of, field }: { readonly of: Node; readonly field: string }, { at, known }: Place): ExpressionError {
  const fields = known.fieldsOf(certain(of.checkedType)?.name ?? '') ?? [];
  const meant = closestName(field, fields);
  const all = fields.length > 0 ? `it has ${fields.join(', ')}` : 'it has none';
  return new ExpressionError(`${written(of)} has no ${field}`, { at, hint: meant === undefined ? all : `did you mean ${meant}?` });
}

export function unknownFunction(name: string, { at, known }: Place): ExpressionError {
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
  const meant = closestName(name, known.functions.keys());
  return new ExpressionError(`there is no function ${name}`, { at, hint: instead ?? (meant && `did you mean ${meant}?`) });
}
