import type { Catalogue } from '#src/operation/catalogue.ts';
import type { StepNames } from '../step.ts';
import { compileExpression, type Expression } from './expression.ts';
import { BoundedCache } from './language/bounded-cache.ts';
import { createEnvironment, createRoot, type Environment } from './language/environment.ts';
import { variablesOf, type ScopeKind } from './scopes.ts';

/** An environment takes 100 KiB and up, an expression some. */
const MOST_ENVIRONMENTS = 40;
const MOST_EXPRESSIONS = 500;

/** Where an expression stands, and what can be named there. */
export interface Place {
  readonly kind: ScopeKind;
  readonly names: StepNames;
}

/** Compiles expressions, and remembers the last ones. */
export interface Expressions {
  /** The expression, checked; an `ExpressionError` says what is wrong with it. */
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

  return {
    compile(source, { kind, names }) {
      const key = JSON.stringify([kind, kind === 'fixed' ? '' : names.watch, kind === 'step' ? Object.entries(names.steps) : []]);
      return compiled.get(`${key}${source}`, () => {
        const environment = environments.get(key, () => createEnvironment(root, variablesOf(kind, names, catalogue)));
        return compileExpression(source, environment);
      });
    },
  };
}
