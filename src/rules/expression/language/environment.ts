import { Environment as Cel } from '@marcbachmann/cel-js';
import type { Field } from '../../shape/shape.ts';
import type { CallForm, Known } from '../complaints/unknown.ts';
import { registerFunctions } from './functions.ts';
import { registerOperators } from './operators.ts';
import { RecordReaders, type Reader } from './record-readers.ts';
import type { CelType } from './tree.ts';

/** The names that an expression can use, and what each of them is. */
export type Variables = ReadonlyMap<string, Field>;

/** Where expressions are checked and run. */
export interface Environment {
  readonly cel: Cel;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly known: Known;
  /** What a value of a type of this environment is. */
  fieldOf(type: CelType): Field;
}

const LIMITS = { maxAstNodes: 300, maxDepth: 32, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 };

/** The functions and operators of expressions. */
export interface Root {
  readonly cel: Cel;
  readonly functions: Known['functions'];
}

/** An environment without names, which others are made from. */
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
  return { cel, functions: formsOf(cel) };
}

function formsOf(cel: Cel): Known['functions'] {
  const forms = new Map<string, readonly CallForm[]>();
  for (const { name, receiverType, params } of cel.getDefinitions().functions) {
    forms.set(name, [...(forms.get(name) ?? []), { on: receiverType ?? undefined, given: params.map(({ type }) => type) }]);
  }
  return forms;
}

/** An environment with these names. */
export function createEnvironment(root: Root, variables: Variables): Environment {
  const cel = root.cel.clone();
  const records = new RecordReaders(cel);
  const readers = new Map<string, Reader>();
  for (const [name, field] of variables) {
    const reader = records.readerOf(name, field, false);
    cel.registerVariable(name, reader.type);
    readers.set(name, reader);
  }
  return {
    cel,
    readers,
    fieldOf: (type) => records.fieldOf(type),
    known: {
      names: [...variables.keys()],
      functions: root.functions,
      fieldsOf: (type) => records.fieldsOf(type),
      spokenFieldOf: (type) => records.spokenFieldOf(type),
      ownersOf: (field) => [...readers].flatMap(([name, { type }]) => (records.fieldsOf(type)?.includes(field) ? [name] : [])),
    },
  };
}
