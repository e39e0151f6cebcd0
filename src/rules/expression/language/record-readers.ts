import { Optional, type Environment } from '@marcbachmann/cel-js';
import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { mergeShapes } from '#src/rules/shape/operation-shapes.ts';
import type { Field, RecordShape, Shape } from '#src/rules/shape/shape.ts';
import { withoutPlaceholders } from './author-text.ts';
import { EntryFields } from './list-entries.ts';
import { certain, type CelType } from './tree.ts';

/** The type of a value in expressions, and its conversion from the stored value. */
export interface Reader {
  /** The type name of the CEL library. */
  readonly type: string;
  read(stored: Json | undefined): unknown;
}

const KINDS: Readonly<Record<string, 'text' | 'flag' | 'whole' | 'number' | 'instant'>> = {
  string: 'text',
  bool: 'flag',
  int: 'whole',
  double: 'number',
  'google.protobuf.Timestamp': 'instant',
};

const PRINTABLE: ReadonlySet<Shape['kind']> = new Set(['text', 'flag', 'whole', 'number', 'instant']);

/** A record in an expression. It converts fields on access, and missing fields are empty. */
export class FilledRecord {
  readonly #stored: JsonObject;

  constructor(stored: JsonObject) {
    this.#stored = stored;
  }

  static storedOf(record: FilledRecord): JsonObject {
    return record.#stored;
  }
}

/** The readers of an environment. They register a record type on first use. */
export class RecordReaders {
  readonly #environment: Environment;
  readonly #known = {
    certain: new Map<RecordShape, Reader>(),
    maybe: new Map<RecordShape, Reader>(),
    sparse: new Map<RecordShape, Reader>(),
    entry: new Map<RecordShape, Reader>(),
  };
  readonly #registered = new Map<string, Field>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The fields of a record type; undefined for other types and for records with any fields. */
  fieldsOf(type: string): readonly string[] | undefined {
    const shape = this.#registered.get(type)?.shape;
    return shape?.kind === 'record' && shape.entry !== 'open' ? [...shape.fields.keys()] : undefined;
  }

  /** The fields that entries of a list have, if they can have others. */
  usualFieldsOf(type: string): readonly string[] {
    const shape = this.#registered.get(type)?.shape;
    return shape?.kind === 'record' && shape.entry === 'open' ? [...shape.fields.keys()] : [];
  }

  /** Whether it is the type of an entry of a list. */
  isEntry(type: string): boolean {
    const shape = this.#registered.get(type)?.shape;
    return shape?.kind === 'record' && shape.entry !== undefined;
  }

  /** The fields of a record type that are records with such a field. */
  holdersOf(type: string, field: string): readonly string[] {
    const shape = this.#registered.get(type)?.shape;
    if (shape?.kind !== 'record') return [];
    return [...shape.fields].flatMap(([name, inner]) => (inner.shape.kind === 'record' && inner.shape.fields.has(field) ? [name] : []));
  }

  /** A field of a record type that fits into text: its id, if it has one. */
  printableFieldOf(type: string): string | undefined {
    const shape = this.#registered.get(type)?.shape;
    if (shape?.kind !== 'record') return undefined;
    const printable = [...shape.fields].flatMap(([name, field]) =>
      // The keys of a map of vars can be any text.
      PRINTABLE.has(field.shape.kind) && /^[A-Za-z_]\w*$/u.test(name) ? [name] : [],
    );
    // An answer is compared by its choice.
    return ['choice', 'id'].find((name) => printable.includes(name)) ?? printable[0];
  }

  /** The shape of a record type; undefined for other types. */
  shapeOf(type: string): Shape | undefined {
    return this.#registered.get(type)?.shape;
  }

  /** The shape of a type, for use in another environment. */
  fieldOf(type: CelType): Field {
    const present = certain(type) ?? type;
    const record = this.#registered.get(present.name);
    if (record) return record;
    if (present.kind === 'list' && present.valueType)
      return { shape: { kind: 'list', of: this.fieldOf(present.valueType).shape }, optional: false };
    return { shape: { kind: KINDS[present.name] ?? 'anything' }, optional: type.kind === 'optional' };
  }

  /** The reader of a field. `lacking`: its record may be absent. */
  readerOf(name: string, { shape, optional }: Field, lacking: boolean): Reader {
    const maybe = optional || lacking;
    switch (shape.kind) {
      case 'text':
        return { type: 'string', read: readText };
      case 'flag':
        return { type: 'bool', read: (stored) => stored === true };
      case 'whole':
        return numeric(name, { type: 'int', maybe, convert: toWhole });
      case 'number':
        return numeric(name, { type: 'double', maybe, convert: toNumber });
      case 'instant':
        return numeric(name, { type: 'google.protobuf.Timestamp', maybe, convert: toInstant });
      case 'list':
        return this.#listReader(name, shape.of);
      case 'record':
        return shape.entry ? this.#entryReader(shape) : this.#recordReader(shape, maybe);
      case 'either':
        return this.readerOf(name, { shape: mergeShapes(shape), optional }, lacking);
      case 'anything':
        return { type: 'dyn', read: fromJson };
    }
  }

  /** The reader of a value of a map. Missing fields of a record are absent, because a look-up returns an optional value. */
  sparseReaderOf(name: string, shape: Shape): Reader {
    if (shape.kind !== 'record') return this.readerOf(name, { shape, optional: false }, false);
    if (shape.entry) return { type: 'dyn', read: fromJson };
    const known = this.#known.sparse.get(shape);
    const reader = known ?? this.#register(shape, 'sparse');
    this.#known.sparse.set(shape, reader);
    return reader;
  }

  #listReader(name: string, of: Shape): Reader {
    const element = this.readerOf(name, { shape: of, optional: false }, false);
    return { type: `list<${element.type}>`, read: (stored) => (Array.isArray(stored) ? stored.map((one) => element.read(one)) : []) };
  }

  #recordReader(shape: RecordShape, maybe: boolean): Reader {
    const kind = maybe ? 'maybe' : 'certain';
    const known = this.#known[kind];
    const reader = known.get(shape) ?? this.#register(shape, kind);
    known.set(shape, reader);
    return reader;
  }

  #entryReader(shape: RecordShape): Reader {
    const reader = this.#known.entry.get(shape) ?? this.#registerEntry(shape);
    this.#known.entry.set(shape, reader);
    return reader;
  }

  #registerEntry(shape: RecordShape): Reader {
    class Kind extends EntryFields {}
    const readers = new Map([...shape.fields].map(([name, field]) => [name, this.readerOf(name, field, false)]));
    const fields = Object.fromEntries([...readers].map(([name, reader]) => [name, reader.type]));
    const type = `Record${this.#registered.size}`;
    this.#environment.registerType(type, shape.entry === 'open' ? { ctor: Kind } : { ctor: Kind, fields });
    this.#environment.registerOperator(`string in ${type}: bool`, (name: string, entry: Kind) => entry.has(name));
    this.#registered.set(type, { shape, optional: false });
    const readField = (name: string, stored: Json | undefined): unknown => {
      const reader = readers.get(name);
      return reader ? reader.read(stored) : fromJson(stored);
    };
    return {
      type,
      read(stored) {
        const there = Object.entries(isJsonObject(stored) ? stored : {}).flatMap(([name, value]) =>
          value === undefined || value === null ? [] : [[name, readField(name, value)] as const],
        );
        return new Kind(there, (name) => readField(name, undefined));
      },
    };
  }

  #register(shape: RecordShape, kind: 'certain' | 'maybe' | 'sparse'): Reader {
    const maybe = kind === 'maybe';
    class Kind extends FilledRecord {}
    const types: Record<string, string> = {};
    for (const [name, field] of shape.fields) {
      const reader = this.readerOf(name, kind === 'sparse' ? { ...field, optional: false } : field, maybe);
      types[name] = reader.type;
      Object.defineProperty(Kind.prototype, name, {
        get(this: Kind) {
          const stored = FilledRecord.storedOf(this)[name];
          return kind === 'sparse' && stored === undefined ? undefined : reader.read(stored);
        },
      });
    }
    const type = `Record${this.#registered.size}`;
    this.#environment.registerType(type, { ctor: Kind, fields: types });
    this.#registered.set(type, { shape, optional: maybe });
    return { type, read: (stored) => new Kind(isJsonObject(stored) ? stored : {}) };
  }
}

function numeric(
  name: string,
  { type, maybe, convert }: { readonly type: string; readonly maybe: boolean; readonly convert: (stored: Json | undefined) => unknown },
): Reader {
  if (maybe) return { type: `optional<${type}>`, read: (stored) => Optional.of(convert(stored)) };
  return {
    type,
    read(stored) {
      const value = convert(stored);
      if (value === undefined) throw new RangeError(`${name} is missing`);
      return value;
    },
  };
}

function readText(stored: Json | undefined): string {
  return typeof stored === 'string' ? withoutPlaceholders(stored) : typeof stored === 'number' ? String(stored) : '';
}

function toNumber(stored: Json | undefined): number | undefined {
  return typeof stored === 'number' ? stored : undefined;
}

function toWhole(stored: Json | undefined): bigint | undefined {
  return typeof stored === 'number' && Number.isFinite(stored) ? BigInt(Math.trunc(stored)) : undefined;
}

function toInstant(stored: Json | undefined): Date | undefined {
  const instant = typeof stored === 'string' ? new Date(stored) : undefined;
  return instant && !Number.isNaN(instant.getTime()) ? instant : undefined;
}

/** Converts JSON without a shape. The library wants whole numbers as bigint. */
function fromJson(stored: Json | undefined): unknown {
  if (typeof stored === 'string') return withoutPlaceholders(stored);
  if (typeof stored === 'number') return Number.isSafeInteger(stored) ? BigInt(stored) : stored;
  if (Array.isArray(stored)) return stored.map((one: Json) => fromJson(one));
  if (isJsonObject(stored)) return new Map(Object.entries(stored).map(([key, value]) => [key, fromJson(value)]));
  return stored ?? null;
}
