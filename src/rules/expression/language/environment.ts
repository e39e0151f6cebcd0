import { Environment as Cel } from '@marcbachmann/cel-js';
import type { Field } from '../../shape/shape.ts';
import { registerFunctions } from './functions.ts';
import { registerOperators } from './operators.ts';
import { RecordTypes, type Reader } from './record-types.ts';
import type { Known } from '../complaints/unknown.ts';

/** The names that an expression can use, and what each of them is. */
export type Variables = ReadonlyMap<string, Field>;

/** Where expressions are checked and run. */
export interface Environment {
  readonly cel: Cel;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly known: Known;
}

const LIMITS = { maxAstNodes: 300, maxDepth: 32, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 };

/** The functions and operators, without a single name: what every environment begins with. */
export interface Root {
  readonly cel: Cel;
  readonly functions: ReadonlySet<string>;
}

/** Makes them known. */
export function createRoot(): Root {
  const cel = new Cel({
    unlistedVariablesAreDyn: false,
    enableOptionalTypes: true,
    // A map of texts and numbers is the parameter of many a step.
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  });
  registerOperators(cel);
  registerFunctions(cel);
  return { cel, functions: new Set(cel.getDefinitions().functions.map(({ name }) => name)) };
}

/** An environment with these names. */
export function createEnvironment(root: Root, variables: Variables): Environment {
  const cel = root.cel.clone();
  const types = new RecordTypes(cel);
  const readers = new Map<string, Reader>();
  for (const [name, field] of variables) {
    const reader = types.readerOf(name, field, false);
    cel.registerVariable(name, reader.type);
    readers.set(name, reader);
  }
  return {
    cel,
    readers,
    known: {
      names: [...variables.keys()],
      functions: root.functions,
      fieldsOf: (type) => types.fieldsOf(type),
      ownersOf: (field) => [...readers].flatMap(([name, { type }]) => (types.fieldsOf(type)?.includes(field) ? [name] : [])),
    },
  };
}
