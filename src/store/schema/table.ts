import type { Generated, GeneratedAlways } from 'kysely';

type ColumnType = 'text' | 'integer' | 'bigint' | 'bytes' | 'sequence' | 'plainText' | 'float' | 'smallint' | 'uuid' | 'jsonb';

/** What the database computes a column from: an SQL expression, or a field of a JSON column. */
type Computed = { readonly from: string } | { readonly field: readonly [column: string, field: string] };

/** How a column is created. */
export interface ColumnDefinition {
  readonly type: ColumnType;
  readonly isOptional?: boolean | undefined;
  readonly defaultsTo?: string | number | undefined;
  readonly computed?: Computed | undefined;
  readonly references?: string | undefined;
  readonly check?: string | undefined;
}

/** A column; `V` is the type of its values in queries. */
export class Column<V> {
  declare readonly values: V;
  readonly definition: ColumnDefinition;

  constructor(definition: ColumnDefinition) {
    this.definition = definition;
  }

  /** It may be null. */
  optional(): Column<V | null> {
    return new Column({ ...this.definition, isOptional: true });
  }

  /** It has this value unless a row names another one. */
  defaultsTo(value: string | number): Column<Generated<V>> {
    return new Column({ ...this.definition, defaultsTo: value });
  }

  /** The database computes it. */
  computed(computed: Computed): Column<GeneratedAlways<V>> {
    return new Column({ ...this.definition, computed, isOptional: true });
  }

  /** `key`: the table and column of its value, and what happens if that row is deleted. */
  references(key: string): Column<V> {
    return new Column({ ...this.definition, references: key });
  }

  check(condition: string): Column<V> {
    return new Column({ ...this.definition, check: condition });
  }
}

/** Text that compares by its bytes. */
export const text = <V extends string = string>(): Column<V> => new Column({ type: 'text' });
/** A number of 32 bits. */
export const integer = <V extends number = number>(): Column<V> => new Column({ type: 'integer' });
/** A number that may be larger than 32 bits: milliseconds since 1970, or a count. */
export const bigint = (): Column<number> => new Column({ type: 'bigint' });
export const bytes = (): Column<Uint8Array> => new Column({ type: 'bytes' });
/** A number that increases with each row: the key of its table. */
export const sequence = (): Column<Generated<number>> => new Column({ type: 'sequence' });
/** Text of PostgreSQL that compares in the order of its locale. */
export const plainText = (): Column<string> => new Column({ type: 'plainText' });
export const float = (): Column<number> => new Column({ type: 'float' });
export const smallint = <V extends number = number>(): Column<V> => new Column({ type: 'smallint' });
export const uuid = (): Column<string> => new Column({ type: 'uuid' });
export const jsonb = (): Column<unknown> => new Column({ type: 'jsonb' });

/** An index of a table: its columns, and the condition of a partial index. */
interface Index {
  readonly on: string;
  readonly where?: string | undefined;
  readonly isUnique?: boolean | undefined;
}

type Columns = Readonly<Record<string, Column<unknown>>>;

/** The keys and indexes of a table. A table with a sequence has no other key. */
interface TableOptions<Name extends string> {
  readonly key?: readonly Name[] | undefined;
  readonly unique?: readonly Name[] | undefined;
  /** By name, without the name of the table. */
  readonly indexes?: Readonly<Record<string, Index>> | undefined;
  /** Whether SQLite keeps the rows in the order of the key. */
  readonly withoutRowId?: boolean | undefined;
  /** The percentage of a page of PostgreSQL that inserts fill. Updates use the rest. */
  readonly fillFactor?: number | undefined;
}

/** A table: its columns, keys and indexes. */
export interface Table<C extends Columns = Columns> extends TableOptions<string> {
  readonly columns: C;
}

export function table<C extends Columns>(columns: C, options: TableOptions<keyof C & string> = {}): Table<C> {
  return { columns, ...options };
}

/** The rows of some tables, as Kysely takes them. */
export type RowsOf<T extends Readonly<Record<string, Table>>> = {
  readonly [Name in keyof T]: { -readonly [C in keyof T[Name]['columns']]: T[Name]['columns'][C]['values'] };
};

/** The SQL of a database. */
export interface DdlDialect {
  readonly types: Readonly<Partial<Record<ColumnType, string>>>;
  /** The SQL that reads a field of a JSON column. */
  field(column: string, field: string, type: string): string;
  /** How a computed column is kept. */
  readonly computed: 'virtual' | 'stored';
  /** What follows the columns of a table. */
  ending(table: Pick<Table, 'withoutRowId' | 'fillFactor'>): string;
}

/** The statements that create tables and their indexes. */
export function createTables(tables: Readonly<Record<string, Table>>, dialect: DdlDialect): string {
  return Object.entries(tables)
    .flatMap(([name, one]) => [createTable(name, one, dialect), ...createIndexes(name, one)])
    .join('\n');
}

/** What a version adds to the schema: tables, and columns and indexes of existing tables. */
export interface Addition {
  readonly tables?: Readonly<Record<string, Table>>;
  readonly columns?: Readonly<Record<string, Columns>>;
  readonly indexes?: Readonly<Record<string, Table['indexes']>>;
}

export type WithColumns<Rows, Added extends Readonly<Record<string, Columns>>> = {
  readonly [Name in keyof Rows]: Name extends keyof Added
    ? Rows[Name] & { -readonly [C in keyof Added[Name]]: Added[Name][C]['values'] }
    : Rows[Name];
};

/** The statements that add tables, columns and indexes. */
export function addToSchema({ tables = {}, columns = {}, indexes = {} }: Addition, dialect: DdlDialect): string {
  const added = Object.entries(columns).flatMap(([name, its]) =>
    Object.entries(its).map(([column, { definition }]) => `alter table ${name} add column ${describeColumn(column, definition, dialect)};`),
  );
  const indexed = Object.entries(indexes).flatMap(([name, its]) => createIndexes(name, { indexes: its }));
  return [createTables(tables, dialect), ...added, ...indexed].join('\n');
}

function createTable(name: string, { columns, key = [], unique, ...options }: Table, dialect: DdlDialect): string {
  const [single] = key.length === 1 ? key : [];
  const lines = Object.entries(columns).map(([column, { definition }]) => describeColumn(column, definition, dialect, column === single));
  if (key.length > 1) lines.push(`primary key (${quotedList(key)})`);
  if (unique) lines.push(`unique (${quotedList(unique)})`);
  return `create table ${name} (${lines.join(', ')})${dialect.ending(options)};`;
}

function describeColumn(name: string, its: ColumnDefinition, dialect: DdlDialect, isKey = false): string {
  const kept = isKey ? 'primary key' : its.isOptional || its.type === 'sequence' ? '' : 'not null';
  return [`"${name}"`, typeOf(its, dialect), kept, ...clauses(its, dialect)].filter(Boolean).join(' ');
}

function typeOf({ type }: ColumnDefinition, { types }: DdlDialect): string {
  const found = types[type];
  if (found === undefined) throw new Error(`the database has no columns of the type ${type}`);
  return found;
}

function clauses(definition: ColumnDefinition, dialect: DdlDialect): readonly string[] {
  const { defaultsTo, computed, references, check } = definition;
  const value = computed && ('from' in computed ? computed.from : dialect.field(...computed.field, typeOf(definition, dialect)));
  return [
    defaultsTo === undefined ? '' : `default ${typeof defaultsTo === 'string' ? `'${defaultsTo}'` : defaultsTo}`,
    value === undefined ? '' : `generated always as (${value}) ${dialect.computed}`,
    references === undefined ? '' : `references ${references}`,
    check === undefined ? '' : `check (${check})`,
  ];
}

function createIndexes(name: string, { indexes = {} }: Pick<Table, 'indexes'>): readonly string[] {
  return Object.entries(indexes).map(([index, { on, where, isUnique = false }]) => {
    const condition = where === undefined ? '' : ` where ${where}`;
    return `create ${isUnique ? 'unique ' : ''}index ${name}_${index} on ${name} (${on})${condition};`;
  });
}

/** The names of columns in a statement. */
export function quotedList(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}
