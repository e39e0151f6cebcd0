import type { Shape } from '#src/rules/shape/shape.ts';
import { certain, type CelType } from './language/tree.ts';

const PRINTABLE: ReadonlySet<string> = new Set([
  'string',
  'int',
  'double',
  'bool',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

/** Whether a value of the type can be part of a text. */
export function isPrintable(type: CelType): boolean {
  const present = certain(type);
  return present?.kind === 'dyn' || PRINTABLE.has(present?.name ?? '');
}

/** Whether a value of the type fits the shape. */
export function fits(type: CelType, shape: Shape): boolean {
  const present = certain(type) ?? type;
  if (present.kind === 'dyn' || present.kind === 'param') return true;
  switch (shape.kind) {
    case 'anything':
      return true;
    case 'either':
      return shape.of.some((one) => fits(present, one));
    case 'text':
      return present.name === 'string';
    case 'flag':
      return present.name === 'bool';
    case 'whole':
      return present.name === 'int';
    case 'number':
      return present.name === 'int' || present.name === 'double';
    case 'instant':
      return present.name === 'google.protobuf.Timestamp';
    case 'list':
      return present.kind === 'list' && present.valueType !== undefined && fits(present.valueType, shape.of);
    case 'record':
      return present.kind === 'map' || present.kind === 'message';
  }
}

/** Describes a shape in words of the rule language. */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return 'text';
    case 'flag':
      return 'true or false';
    case 'whole':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'instant':
      return 'a timestamp';
    case 'list':
      return 'a list';
    case 'record':
      return 'a map';
    case 'either':
      return [...new Set(shape.of.map(describeShape))].join(' or ');
    case 'anything':
      return 'any value';
  }
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  uint: 'an unsigned whole number',
  double: 'a decimal number',
  bool: 'true or false',
  bytes: 'bytes',
  null: 'null',
  'google.protobuf.Timestamp': 'a timestamp',
  'google.protobuf.Duration': 'a duration',
};

/** Describes a type in words of the rule language. */
export function describeType(type: CelType | undefined): string {
  switch (type?.kind) {
    case 'list':
      return `a list of ${plural(type.valueType)}`;
    case 'map':
      return 'a map';
    case 'message':
      return NAMES[type.name] ?? 'an object';
    case 'optional':
      return `${describeType(type.valueType)} that may be absent`;
    case 'primitive':
      return NAMES[type.name] ?? type.name;
    default:
      return 'any value';
  }
}

const NAMED: ReadonlySet<string> = new Set(['string', 'int', 'double', 'bool', 'google.protobuf.Timestamp', 'google.protobuf.Duration']);
const OF: Readonly<Record<string, string>> = { string: ' of texts', int: ' of numbers', double: ' of numbers' };

/** Describes a type by name; undefined for types that rules do not use. */
export function describeTypeName(name: string): string | undefined {
  if (NAMED.has(name)) return NAMES[name];
  const [, element] = /^list<(\w+)>$/u.exec(name) ?? [];
  if (element !== undefined) return `a list${OF[element] ?? ''}`;
  return name === 'A' || name === 'dyn' ? 'any value' : undefined;
}

function plural(type: CelType | undefined): string {
  switch (type?.name) {
    case 'string':
      return 'texts';
    case 'int':
    case 'double':
      return 'numbers';
    case 'bool':
      return 'booleans';
    case 'google.protobuf.Timestamp':
      return 'timestamps';
    default:
      return type?.kind === 'message' ? 'objects' : 'values';
  }
}
