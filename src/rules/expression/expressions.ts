import { memoize } from '#src/clients/operation/memoize.ts';
import type { Catalogue } from '#src/clients/operation/declared.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { hash } from '#src/rules/firing.ts';
import type { Field } from '#src/rules/shape/shape.ts';
import { shapeOfValues, shapeText } from '#src/rules/shape/value-shape.ts';
import type { StepNames } from '#src/rules/step.ts';
import { compileExpression, type Expression } from './expression.ts';
import { BoundedCache } from './bounded-cache.ts';
import { createEnvironment, createRoot, type Environment } from './language/environment.ts';
import { certain } from './language/tree.ts';
import { variablesOf, type ScopeKind } from './scopes.ts';

/** An environment takes 100 KiB and more. */
const MOST_ENVIRONMENTS = 40;
const MOST_EXPRESSIONS = 500;
/** A rule has two sets of names. */
const MOST_NAMES = 200;

/** The site of an expression: its kind and the names in scope. */
export interface ExpressionSite {
  readonly kind: ScopeKind;
  readonly names: StepNames;
  /** The list expression of the step, whose elements are `it`. */
  readonly forEach?: string | undefined;
}

/** Compiles expressions and caches the last ones. */
export interface Expressions {
  /** Compiles an expression with the constants of its site. Throws an `ExpressionError`. */
  compile(source: string, site: ExpressionSite): Expression;
  /** Compiles an expression at each call, for an expression that runs often. Throws an `ExpressionError` at the call. */
  compiler(source: string, site: ExpressionSite): () => Expression;
}

/** The compiler for the records of a catalogue. Rendering has only a step and the catalogue. */
export const expressionsOf = memoize(createExpressions);

function createExpressions(catalogue: Catalogue): Expressions {
  const root = createRoot();
  const environments = new BoundedCache<Environment>(MOST_ENVIRONMENTS);
  const compiled = new BoundedCache<Expression>(MOST_EXPRESSIONS);
  /** Thousands of rules have equal conditions. */
  const compilers = new BoundedCache<() => Expression>(MOST_EXPRESSIONS);

  function environmentOf(key: string, { kind, names, forEach }: ExpressionSite): Environment {
    return environments.get(key, () => {
      const variables = variablesOf(kind, names, catalogue);
      return createEnvironment(root, forEach === undefined ? variables : new Map([...variables, ...elementOf(forEach, { kind, names })]));
    });
  }

  function elementOf(forEach: string, site: ExpressionSite): readonly (readonly [string, Field])[] {
    const environment = environmentOf(siteKey(site), site);
    const { valueType } = certain(compileExpression(forEach, environment).type) ?? {};
    const it: Field = valueType ? environment.fieldOf(valueType) : { shape: { kind: 'anything' }, optional: false };
    return [
      ['it', it],
      ['index', { shape: { kind: 'whole' }, optional: false }],
    ];
  }

  function createCompiler(source: string, site: ExpressionSite): () => Expression {
    const key = siteKey(site);
    const cacheKey = `${key} ${source}`;
    const make = (): Expression => compileExpression(source, environmentOf(key, site));
    return () => compiled.get(cacheKey, make);
  }

  return {
    compile(source, site) {
      const key = siteKey(site);
      const expression = compiled.get(`${key} ${source}`, () => compileExpression(source, environmentOf(key, site)));
      return withConstants(expression, site.names.constants);
    },

    compiler(source, site) {
      const { constants } = site.names;
      const key = siteKey(site);
      const compile = compilers.get(`${key} ${source}`, () => createCompiler(source, site));
      return constants ? () => withConstants(compile(), constants) : compile;
    },
  };
}

/** Binds constants to an expression that other rules share. */
function withConstants(expression: Expression, constants: StepNames['constants']): Expression {
  if (!constants) return expression;
  return { ...expression, run: (inputs, options) => expression.run({ ...inputs, ...constants }, options) };
}

const siteKeys = new BoundedCache<Map<string, string>, StepNames>(MOST_NAMES);

/** Equal for sites with equal names, which never change. */
function siteKey({ kind, names, forEach = '' }: ExpressionSite): string {
  const known = siteKeys.get(names, () => new Map());
  const at = forEach === '' ? kind : `${kind} ${forEach}`;
  const key = known.get(at) ?? hash(...describe({ kind, names, forEach }));
  known.set(at, key);
  return key;
}

/** Everything that distinguishes two sites. */
function describe({ kind, names, forEach = '' }: ExpressionSite): readonly string[] {
  const { watch, per, byAccount, people, personFields, command, webhook, keep, steps, accounts, choices, lists, listShapes, constants } =
    names;
  const item = kind === 'fixed' ? [] : [watch, byAccount === true, people === true && (personFields ?? true), webhook];
  const firing = kind === 'fixed' || kind === 'item' ? [] : [per, command, keep];
  const results = kind === 'step' || kind === 'quiet' ? [Object.entries(steps), accounts, choices, lists, forEach] : [];
  return [kind, constants ? shapeKey(constants) : '', JSON.stringify([item, firing, results, listShapes])];
}

const shapeKey = memoize((constants: JsonObject): string => shapeText(shapeOfValues([constants])));
