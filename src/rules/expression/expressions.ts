import type { Catalogue } from '#src/operation/catalogue.ts';
import type { JsonObject } from '#src/operation/json.ts';
import { hash } from '../firing.ts';
import type { Field } from '../shape/shape.ts';
import { shapeOfValues, shapeText } from '../shape/value-shape.ts';
import type { StepNames } from '../step.ts';
import { compileExpression, type Expression } from './expression.ts';
import { BoundedCache } from './language/bounded-cache.ts';
import { createEnvironment, createRoot, type Environment } from './language/environment.ts';
import { certain } from './language/tree.ts';
import { variablesOf, type ScopeKind } from './scopes.ts';

/** An environment takes 100 KiB and up, an expression some. */
const MOST_ENVIRONMENTS = 40;
const MOST_EXPRESSIONS = 500;
/** A rule has two: with very many rules, those at work. */
const MOST_NAMES = 200;

/** Where an expression stands, and what can be named there. */
export interface Place {
  readonly kind: ScopeKind;
  readonly names: StepNames;
  /** The list of the step, whose elements are `it`. */
  readonly forEach?: string | undefined;
}

/** Compiles expressions, and remembers the last ones. */
export interface Expressions {
  /** The expression, checked; an `ExpressionError` says what is wrong with it. It sees the constants of its place. */
  compile(source: string, place: Place): Expression;
}

// Rendering is given a step and the catalogue and nothing else; what is remembered changes no answer.
const remembered = new WeakMap<Catalogue, Expressions>();

/** The expressions over the records of a catalogue. */
export function expressionsOf(catalogue: Catalogue): Expressions {
  const known = remembered.get(catalogue) ?? createExpressions(catalogue);
  remembered.set(catalogue, known);
  return known;
}

function createExpressions(catalogue: Catalogue): Expressions {
  const root = createRoot();
  const environments = new BoundedCache<Environment>(MOST_ENVIRONMENTS);
  const compiled = new BoundedCache<Expression>(MOST_EXPRESSIONS);

  function environmentOf(key: string, { kind, names, forEach }: Place): Environment {
    return environments.get(key, () => {
      const variables = variablesOf(kind, names, catalogue);
      return createEnvironment(root, forEach === undefined ? variables : new Map([...variables, ...elementOf(forEach, { kind, names })]));
    });
  }

  function elementOf(forEach: string, place: Place): readonly (readonly [string, Field])[] {
    const environment = environmentOf(placeKey(place), place);
    const { valueType } = certain(compileExpression(forEach, environment).type) ?? {};
    const it: Field = valueType ? environment.fieldOf(valueType) : { shape: { kind: 'anything' }, optional: false };
    return [
      ['it', it],
      ['index', { shape: { kind: 'whole' }, optional: false }],
    ];
  }

  return {
    compile(source, place) {
      const key = placeKey(place);
      const expression = compiled.get(`${key} ${source}`, () => compileExpression(source, environmentOf(key, place)));
      return withConstants(expression, place.names.constants);
    },
  };
}

/** Rules with values of one kind share an expression, and each has its own values. */
function withConstants(expression: Expression, constants: StepNames['constants']): Expression {
  if (!constants) return expression;
  return { ...expression, run: (inputs, options) => expression.run({ ...inputs, ...constants }, options) };
}

const placeKeys = new BoundedCache<Map<string, string>, StepNames>(MOST_NAMES);

/** The same for places with the same names; names never change. */
function placeKey({ kind, names, forEach = '' }: Place): string {
  const known = placeKeys.get(names, () => new Map());
  const at = forEach === '' ? kind : `${kind} ${forEach}`;
  const key = known.get(at) ?? hash(...describe({ kind, names, forEach }));
  known.set(at, key);
  return key;
}

/** All that tells one place from another. */
function describe({ kind, names, forEach = '' }: Place): readonly string[] {
  const { watch, per, byAccount, steps, accounts, lists, constants } = names;
  const item = kind === 'fixed' ? [] : [watch, byAccount === true];
  const firing = kind === 'fixed' || kind === 'item' ? [] : [per];
  const results = kind === 'step' || kind === 'quiet' ? [Object.entries(steps), accounts, lists, forEach] : [];
  return [kind, shapeKey(constants), JSON.stringify([item, firing, results])];
}

const shapes = new WeakMap<JsonObject, string>();

function shapeKey(constants: StepNames['constants']): string {
  if (!constants) return '';
  const known = shapes.get(constants) ?? shapeText(shapeOfValues([constants]));
  shapes.set(constants, known);
  return known;
}
