import { Environment as Cel } from '@marcbachmann/cel-js';
import type { Field } from '../../shape/shape.ts';
import type { CallForm, Vocabulary } from '../diagnostics/unknown-names.ts';
import { registerFunctions } from './functions.ts';
import { registerOperators } from './operators.ts';
import { RecordReaders, type Reader } from './record-readers.ts';
import type { CelType } from './tree.ts';

/** The variables of an expression and their shapes. */
export type Variables = ReadonlyMap<string, Field>;

/** An environment of the CEL library with the variables of a site. */
export interface Environment {
  readonly cel: Cel;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly known: Vocabulary;
  /** The shape of a type of this environment. */
  fieldOf(type: CelType): Field;
}

const LIMITS = { maxAstNodes: 300, maxDepth: 32, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 };

/** The functions and operators of expressions. */
export interface Root {
  readonly cel: Cel;
  readonly functions: Vocabulary['functions'];
}

/** Makes the environment that all others copy. */
export function createRoot(): Root {
  const cel = new Cel({
    unlistedVariablesAreDyn: false,
    enableOptionalTypes: true,
    // Parameters of steps mix texts and numbers in one map.
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  });
  registerOperators(cel);
  registerFunctions(cel);
  return { cel, functions: formsOf(cel) };
}

function formsOf(cel: Cel): Vocabulary['functions'] {
  const forms = new Map<string, readonly CallForm[]>();
  for (const { name, receiverType, params } of cel.getDefinitions().functions) {
    forms.set(name, [...(forms.get(name) ?? []), { on: receiverType ?? undefined, parameters: params.map(({ type }) => type) }]);
  }
  return forms;
}

/** Makes an environment with these variables. */
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
      printableFieldOf: (type) => records.printableFieldOf(type),
      ownersOf: (field) => [...readers].flatMap(([name, { type }]) => (records.fieldsOf(type)?.includes(field) ? [name] : [])),
    },
  };
}
