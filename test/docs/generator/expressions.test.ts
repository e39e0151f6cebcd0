import { describe, expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import { EXAMPLE_NAMES, EXAMPLE_VALUES } from '../../../docs/generator/expressions/example-values.ts';
import { FUNCTION_GROUPS } from '../../../docs/generator/expressions/functions.ts';
import { OPERATORS } from '../../../docs/generator/expressions/operators.ts';
import { allVariables, siteOf } from '../../../docs/generator/expressions/sites.ts';
import { VARIABLES } from '../../../docs/generator/expressions/variables.ts';
import { expressionsOf } from '#src/rules/expression/expressions.ts';
import { createRoot } from '#src/rules/expression/language/environment.ts';
import { REFUSED_FUNCTIONS } from '#src/rules/expression/language/limits.ts';
import { toJson } from '#src/rules/expression/language/results.ts';
import { variablesOf } from '#src/rules/expression/scopes.ts';

const functions = FUNCTION_GROUPS.flatMap((group) => group.functions);
const examples = [...functions, ...OPERATORS, ...VARIABLES].flatMap((entry) => entry.examples);

describe('docs/reference/expressions.md', () => {
  test.for(examples.map(({ expression, result }) => [expression, result] as const))('%s', ([expression, result]) => {
    const value = expressionsOf(catalogue).compile(expression, siteOf(expression)).run(EXAMPLE_VALUES);

    expect(toJson(value)).toEqual(result);
  });

  test('has every function, and no other', () => {
    const registered = createRoot()
      .cel.getDefinitions()
      .functions.filter(({ name }) => !REFUSED_FUNCTIONS.includes(name))
      .map(({ name, receiverType }) => `${receiverType === null ? '' : '.'}${name}`);

    expect(functions.map(({ name }) => name).toSorted()).toEqual([...new Set(registered)].toSorted());
  });

  test('has every variable', () => {
    const documented = VARIABLES.map(({ name }) => name);

    expect([...allVariables()].filter((name) => !documented.includes(name))).toEqual([]);
  });

  test.for(['change', 'command', 'episode', 'rule'])('has every field of %s', (name) => {
    const shape = variablesOf('step', EXAMPLE_NAMES, catalogue).get(name)?.shape;
    const fields = shape?.kind === 'record' ? [...shape.fields.keys()] : [];

    expect(fields.map((field) => `${name}.${field}`).toSorted()).toEqual(
      VARIABLES.flatMap((one) => (one.name.startsWith(`${name}.`) ? [one.name] : [])).toSorted(),
    );
  });

  test('has an example with the function that it documents', () => {
    const without = functions.filter(
      ({ name, examples: evaluations }) => !evaluations.some(({ expression }) => expression.includes(`${name}(`)),
    );

    expect(without.map(({ name }) => name)).toEqual([]);
  });
});
