import type { Path } from '#src/rules/document/report.ts';
import { conditionSource } from '#src/rules/expression/condition.ts';
import { ExpressionError } from '#src/rules/expression/expression-error.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import type { Inputs } from '#src/rules/expression/expression.ts';
import { toJson } from '#src/rules/expression/language/results.ts';
import { literalOf } from '#src/rules/expression/constraints.ts';
import { certain, fieldAccess, knownTypeOf, operandsOf, walk, written, type Node } from '#src/rules/expression/language/tree.ts';
import { KEPT_SHAPES } from '#src/rules/expression/scopes.ts';
import { fits } from '#src/rules/expression/type-fit.ts';
import type { RuleDraft } from '#src/rules/grammar/rule-file.ts';
import { isReadable } from '#src/rules/grammar/scalars.ts';
import { isKept, keptFault, MOST_KEPT_VALUES } from '#src/rules/kept-values.ts';
import type { KeptValue } from '#src/rules/rule.ts';

import type { KeptJson, KeptType, StepNames } from '#src/rules/step.ts';
import type { CheckContext } from './check-context.ts';
import { checkTyped } from './check-expression.ts';

/** A stored value as the file has it. */
interface WrittenValue {
  readonly name: string;
  readonly start: KeptJson;
  readonly next: string;
  readonly path: Path;
  /** Whether it is an expression alone, which starts with 0. */
  readonly isShort: boolean;
}

/** The types of the stored values, for the names of expressions; undefined: the rule has none. */
export function keptTypes(draft: RuleDraft, names: StepNames, { catalogue }: CheckContext): StepNames['keep'] {
  const written = writtenValues(draft);
  if (written.length === 0) return undefined;
  const types: Record<string, KeptType> = Object.fromEntries(written.map(({ name, start }) => [name, typeOfStart(start)]));
  // A value that starts with 0 can get fractions, which shows only in the type of its expression.
  for (let isStable = false; !isStable;) {
    isStable = true;
    for (const { name, next } of written) {
      if (types[name] !== 'whole' || becomes('whole', next, types)) continue;
      types[name] = 'number';
      isStable = false;
    }
  }
  // Without the type that is meant, each expression that reads the value would have an error too.
  for (const { name, next, isShort } of written) {
    if (!isShort || types[name] !== 'number' || becomes('number', next, types)) continue;
    types[name] = NOT_NUMBERS.find((type) => becomes(type, next, { ...types, [name]: type })) ?? 'number';
  }
  return types;

  function becomes(type: KeptType, next: string, keep: Readonly<Record<string, KeptType>>): boolean {
    return isOfType(type, next, { site: { kind: 'firing', names: { ...names, keep: { ...keep } } }, catalogue });
  }
}

const NOT_NUMBERS: readonly KeptType[] = ['text', 'texts', 'flag'];

function isOfType(
  kept: KeptType,
  text: string,
  { site, catalogue }: { readonly site: ExpressionSite } & Pick<CheckContext, 'catalogue'>,
): boolean {
  try {
    const { type } = expressionsOf(catalogue).compile(conditionSource(text).source, site);
    return type.kind !== 'dyn' && fits(type, KEPT_SHAPES[kept]);
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

const EXPECTED: Readonly<Record<KeptType, string>> = {
  whole: 'a whole number',
  number: 'a number',
  flag: 'true or false',
  text: 'text',
  texts: 'a list of texts',
};

/** The start values that stand for nothing. */
const STARTS: Readonly<Partial<Record<KeptType, string>>> = { flag: 'false', text: '""', texts: '[]' };

/** Checks the stored values of a rule; undefined: it has none. `names` has their types. */
export function checkKeep(draft: RuleDraft, names: StepNames, context: CheckContext): readonly KeptValue[] | undefined {
  const { document, report, catalogue } = context;
  const written = writtenValues(draft);
  if (written.length > MOST_KEPT_VALUES) {
    report.error(
      document.locationOf(['keep']),
      'many-values',
      `a rule has at most ${MOST_KEPT_VALUES} stored values`,
      'remove some of them',
    );
  }
  const keep = written.flatMap(({ name, start, next, path, isShort }): readonly KeptValue[] => {
    if (!isReadable(name)) {
      const message = `expressions cannot read a stored value with the name ${name}`;
      report.error(document.keyLocation(['keep'], name), 'unreadable-name', message, 'use letters, digits and _, and start with a letter');
      return [];
    }
    const type = names.keep?.[name] ?? 'text';
    if (isShort && STARTS[type] !== undefined) {
      const message = `the value is ${EXPECTED[type]}, but without start it starts with 0`;
      report.error(document.locationOf(path), 'start-value', message, `write ${name}: { start: ${STARTS[type]}, next: … }`);
      return [];
    }
    const fault = keptFault(start, type);
    if (fault !== undefined) report.error(document.locationOf(['keep', name, 'start']), 'start-value', `the start value is ${fault}`);
    if (type === 'text' || type === 'texts') checkAudienceOf(draft, name, context);
    const site: ExpressionSite = { kind: 'firing', names };
    const isExpected = (found: Parameters<typeof fits>[0]): boolean => fits(found, KEPT_SHAPES[type]);
    const checked = checkTyped(next, { path, site, expected: EXPECTED[type], isExpected }, context);
    if (!checked) return [];
    const joined = typeof start === 'string' ? joinedNumber(checked.expression.tree, { name, start }) : undefined;
    if (joined !== undefined) {
      const message = `the start value is text, so + joins: ${joined}`;
      report.warning(document.locationOf(['keep', name, 'start']), 'text-counter', message, `write start: ${Number(start)}`);
    }
    const compile = expressionsOf(catalogue).compiler(conditionSource(next).source, site);
    return [{ name, type, start, next: (scope) => computed(() => compile().run(scope as Readonly<Partial<typeof scope>> & Inputs), type) }]; // every field of a scope is JSON
  });
  return keep.length === 0 ? undefined : keep;
}

/** The first sum of a counter that is text by mistake, for example `"0" + 1 is "01"`; undefined: it has none. */
function joinedNumber(next: Node, { name, start }: { readonly name: string; readonly start: string }): string | undefined {
  if (!/^\d*$/u.test(start)) return undefined;
  let found: string | undefined;
  walk(next, (node) => {
    const operands = node.op === '+' ? operandsOf(node) : [];
    const isCounter = operands.some((one) => fieldAccess(one)?.field === name && fieldAccess(one)?.of.args === 'keep');
    const added = operands.find((one) => isNumber(one, start));
    if (!isCounter || !added) return;
    const literal = literalOf(added);
    found ??= literal === undefined ? `"${start}" + 5 is "${start}5"` : `"${start}" + ${written(added)} is "${start}${literal}"`;
  });
  return found;
}

/** Whether a counter that starts with this text adds the value. An empty text is also the start of a list in one text, for example `1, 5`. */
function isNumber(node: Node, start: string): boolean {
  const literal = literalOf(node);
  if (typeof literal === 'string') return /^\d+$/u.test(literal);
  return typeof literal === 'number' || (start !== '' && ['int', 'double'].includes(certain(knownTypeOf(node))?.name ?? ''));
}

/** A stored text has no audience, so texts of records that not everyone can read must not get into it. */
function checkAudienceOf({ when }: RuleDraft, name: string, { document, report }: CheckContext): void {
  if (when?.include === undefined) return;
  const message = `with include, the stored text ${name} could show what not everyone can read`;
  report.error(document.keyLocation(['keep'], name), 'restricted-text', message, 'store a number, or remove include');
}

function computed(run: () => unknown, type: KeptType): { readonly value: KeptJson } | { readonly error: string } {
  try {
    const value = toJson(run());
    if (!isKept(value, type)) return { error: `the value is ${keptFault(value, type) ?? 'absent'}` };
    return { value: type === 'number' ? withoutNoise(Number(value)) : value };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: error.message };
    throw error;
  }
}

/** Sums of amounts as 0.1 and 0.2 stay as people write them. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(15));
}

function writtenValues({ keep = {} }: RuleDraft): readonly WrittenValue[] {
  return Object.entries(keep).flatMap(([name, written]): readonly WrittenValue[] => {
    if (typeof written === 'string') return [{ name, start: 0, next: written, path: ['keep', name], isShort: true }];
    if (written?.next === undefined || written.start === undefined) return [];
    return [{ name, start: written.start as KeptJson, next: written.next, path: ['keep', name, 'next'], isShort: false }]; // the schema has only these types
  });
}

function typeOfStart(start: KeptJson): KeptType {
  if (typeof start === 'boolean') return 'flag';
  if (typeof start === 'number') return Number.isSafeInteger(start) ? 'whole' : 'number';
  return Array.isArray(start) ? 'texts' : 'text';
}
