import { Environment as Cel } from '@marcbachmann/cel-js';
import { shapeAt, type Field, type Shape } from '#src/rules/shape/shape.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { lookUpName, valueShape, valuesByKey } from './lookups.ts';
import { registerFunctions } from './functions.ts';
import { registerOperators } from './operators.ts';
import { RecordReaders, type Reader } from './record-readers.ts';
import type { CelType } from './tree.ts';

/** The variables of an expression and their shapes. */
export type Variables = ReadonlyMap<string, Field>;

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
  /** The fields of a record type; undefined for a record with any fields. */
  fieldsOf(type: string): readonly string[] | undefined;
  /** The fields that entries of a list have, if they can have others. */
  usualFieldsOf(type: string): readonly string[];
  /** Whether it is the type of an entry of a list. */
  isEntry(type: string): boolean;
  /** A field of a record type that fits into text. */
  printableFieldOf(type: string): string | undefined;
  /** The fields of a record type that are records with such a field. */
  holdersOf(type: string, field: string): readonly string[];
  /** The names of records with such a field. */
  ownersOf(field: string): readonly string[];
  /** Whether there is such a variable, or such a field of one: `item.owner.handle`. */
  has(this: void, reference: string): boolean;
  /** The shape of a variable. */
  readonly shapeOf: (variable: string) => Shape | undefined;
  /** The shape of a record type. */
  readonly shapeOfType: (type: string) => Shape | undefined;
}

/** An environment of the CEL library with the variables of a site. */
export interface Environment {
  readonly cel: Cel;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly known: Vocabulary;
  /** The values of look-ups, by their variables. */
  readonly lookUps: ReadonlyMap<string, LookUp>;
  /** Adds the variable of a look-up in a map, and returns its name; undefined if the variable has no such map. */
  readonly lookUp: (root: string, path: readonly string[]) => string | undefined;
  /** The shape of a type of this environment. */
  fieldOf(type: CelType): Field;
}

/** The value of a look-up. */
interface LookUp {
  /** The variable that has the map. */
  readonly root: string;
  read(stored: Json | undefined): unknown;
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
  const lookUps = new Map<string, LookUp>();

  function lookUp(root: string, path: readonly string[]): string | undefined {
    const name = lookUpName(root, path);
    if (lookUps.has(name)) return name;
    const variable = variables.get(root);
    const shape = variable && valueShape(root, variable.shape, path);
    if (!shape) return undefined;
    const reader = records.sparseReaderOf(path.at(-1) ?? root, shape);
    cel.registerVariable(name, `map<string, ${reader.type}>`);
    lookUps.set(name, {
      root,
      read: (stored) => new Map([...valuesByKey(stored, path)].map(([key, value]) => [key, reader.read(value)])),
    });
    return name;
  }

  return {
    cel,
    readers,
    lookUps,
    lookUp,
    fieldOf: (type) => records.fieldOf(type),
    known: {
      names: [...variables.keys()],
      functions: root.functions,
      fieldsOf: (type) => records.fieldsOf(type),
      usualFieldsOf: (type) => records.usualFieldsOf(type),
      isEntry: (type) => records.isEntry(type),
      printableFieldOf: (type) => records.printableFieldOf(type),
      holdersOf: (type, field) => records.holdersOf(type, field),
      ownersOf: (field) => [...readers].flatMap(([name, { type }]) => (records.fieldsOf(type)?.includes(field) ? [name] : [])),
      has: (reference) => {
        const [name = '', ...fields] = reference.split('.');
        const variable = variables.get(name);
        return variable !== undefined && shapeAt(variable.shape, fields) !== undefined;
      },
      shapeOf: (variable) => variables.get(variable)?.shape,
      shapeOfType: (type) => records.shapeOf(type),
    },
  };
}
