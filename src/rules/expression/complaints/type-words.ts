import type { CelType } from '../language/tree.ts';

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  uint: 'a whole number without a sign',
  double: 'a number with a point',
  bool: 'true or false',
  bytes: 'bytes',
  null: 'null',
  'google.protobuf.Timestamp': 'an instant',
  'google.protobuf.Duration': 'a length of time',
};

/** A type in the words of a rule's author. */
export function typeWords(type: CelType | undefined): string {
  switch (type?.kind) {
    case 'list':
      return `a list of ${plural(type.valueType)}`;
    case 'map':
      return 'a map';
    case 'message':
      return WORDS[type.name] ?? 'a record';
    case 'optional':
      return `${typeWords(type.valueType)} that may be absent`;
    case 'primitive':
      return WORDS[type.name] ?? type.name;
    default:
      return 'something';
  }
}

const NAMED: ReadonlySet<string> = new Set(['string', 'int', 'double', 'bool', 'google.protobuf.Timestamp', 'google.protobuf.Duration']);
const OF: Readonly<Record<string, string>> = { string: ' of texts', int: ' of numbers', double: ' of numbers' };

/** A type by its name in the words of a rule's author; undefined for one that no author needs. */
export function typeNameWords(name: string): string | undefined {
  if (NAMED.has(name)) return WORDS[name];
  const [, element] = /^list<(\w+)>$/u.exec(name) ?? [];
  if (element !== undefined) return `a list${OF[element] ?? ''}`;
  return name === 'A' || name === 'dyn' ? 'anything' : undefined;
}

function plural(type: CelType | undefined): string {
  switch (type?.name) {
    case 'string':
      return 'texts';
    case 'int':
    case 'double':
      return 'numbers';
    case 'bool':
      return 'flags';
    case 'google.protobuf.Timestamp':
      return 'instants';
    default:
      return type?.kind === 'message' ? 'records' : 'values';
  }
}
