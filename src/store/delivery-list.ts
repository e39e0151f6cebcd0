import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Listing } from '#src/clients/operation/listing.ts';
import type { DeliveryFilter } from '#src/engine/delivery/delivery-log.ts';
import { wordsOf } from '#src/engine/delivery/delivery-texts.ts';
import type { Delivery, DeliveryState } from '#src/engine/delivery/delivery.ts';
import { DELIVERY_COLUMNS, toDelivery, type DeliveryRow } from './delivery-row.ts';
import { INDEXED, IN_ANY_STATE, OPEN_STATES, WRITES } from './delivery-states.ts';
import { isPostgres } from './dialect.ts';
import { LIMIT, positionOf, toListing } from './listing.ts';
import type { Tables } from './tables.ts';

/** The number of rows that one statement compares with a filter. The first statement of a page compares fewer rows. */
const EXAMINED = 2_000;
const GROWTH = 4;
/** The number of rows that are counted to find the smallest index. */
const PROBED = 2_000;
/** The number of words of a search whose index may be used. */
const FOUND_WORDS = 8;
/** The sort of so many rows is faster than a comparison of all rows. */
const SORTED = 10_000;
/** PostgreSQL expects half a percent of the rows for a word that is not among the most common ones. */
const EXPECTED_PART = 0.0051;
/** A restored or a changed clock, and commits in parallel, give so many rows a time before that of an older row. */
const DISORDERED = 1_000;

/** A filter as SQL: in the form that an index answers, and in a form that keeps the database from using the index. */
interface Term {
  /** Absent: there is no index. */
  readonly find?: Source | undefined;
  readonly compare: RawBuilder<SqlBool>;
}

/** Rows of an index. */
interface Source {
  readonly from: RawBuilder<unknown>;
  /** Absent: all rows. */
  readonly condition?: RawBuilder<SqlBool>;
  /** The column that has the order. */
  readonly seq: RawBuilder<number>;
  /** The value of a column that comes before the position in the index. */
  readonly key?: { readonly column: RawBuilder<string>; readonly value: string };
  /** Whether it is read in any order, because it has few rows. */
  readonly isSmall?: boolean;
  /** Whether each statement passes over all rows before its range, so that few statements are better. */
  readonly isPassedOver?: boolean;
  /** Whether some of its rows do not match, so that all are compared. */
  readonly isInexact?: boolean;
  /** The number of rows that the database expects; absent: they can be counted. */
  readonly expected?: number;
}

const DELIVERY = sql`"delivery"`;
const SEQ = sql<number>`seq`;
/** The database has no index of the expression, so it uses the index of another condition, and sorts. */
const PLAIN_SEQ = sql<number>`seq + 0`;
const ALL: Source = { from: DELIVERY, seq: SEQ };
const EVERYWHERE: Range = { above: -1, below: Number.MAX_SAFE_INTEGER, isUpward: false };
const COLUMNS = sql.join(DELIVERY_COLUMNS.map((column) => sql.ref(column)));

/** The rows between two positions, without these positions, in a direction. */
interface Range {
  readonly above: number;
  readonly below: number;
  readonly isUpward: boolean;
}

/**
 * A page of the deliveries that match a filter.
 *
 * One index finds rows in their order, and the other conditions are compared with some rows at a time. A page within a time limit ends after
 * the statement that exceeds it, with a cursor.
 */
export async function listDeliveries(db: Kysely<Tables>, filter: DeliveryFilter, examined = EXAMINED): Promise<Listing<Delivery>> {
  const { cursor, limit = LIMIT, order = 'newest', idle = false, withinMs = Infinity } = filter;
  const begunMs = performance.now();
  const isUpward = order === 'oldest';
  const position = positionOf(cursor);
  const period = await rangeOf(db, filter, isUpward);
  let range = position === undefined ? period : after(period, position);
  const { source, others } = await planOf(db, await termsOf(db, filter));
  const conditions = idle ? others : [...others, IN_ANY_STATE.condition];
  const rows: DeliveryRow[] = [];
  for (let compared = source.isPassedOver ? examined : limit * GROWTH; ; compared *= GROWTH) {
    const left = limit + 1 - rows.length;
    const most = source.isSmall ? 2 * SORTED : others.length === 0 ? left : Math.min(compared, examined);
    const positions = await positionsIn(db, source, range, most);
    rows.push(...(await rowsAt(db, positions, { conditions, range, limit: left })));
    const end = positions.length < most ? undefined : positions.at(-1);
    if (rows.length > limit || end === undefined) return toListing(rows, limit, toDelivery);
    range = after(range, end);
    if (performance.now() - begunMs > withinMs) return { items: rows.map(toDelivery), cursor: String(end) };
  }
}

/** The part of a range behind a position. */
function after(range: Range, position: number): Range {
  const { above, below, isUpward } = range;
  return isUpward ? { ...range, above: Math.max(above, position) } : { ...range, below: Math.min(below, position) };
}

/** The conditions of a filter, except those of time. */
async function termsOf(
  db: Kysely<Tables>,
  { rule, item, account, episode, state, text, sinceMs, untilMs }: DeliveryFilter,
): Promise<readonly Term[]> {
  const words = wordsOf(text ?? '');
  return [
    ...(rule === undefined ? [] : [equal(db, 'rule', rule)]),
    ...(item === undefined ? [] : [equal(db, 'item', item)]),
    ...(account === undefined ? [] : [equal(db, 'account', account)]),
    ...(episode === undefined ? [] : [{ compare: sql<SqlBool>`episode || '' = ${episode}` }]),
    ...(state === undefined ? [] : [stateTerm(state)]),
    ...(await Promise.all(words.map((word, index) => wordTerm(db, word, { isFound: index < FOUND_WORDS })))),
    ...(sinceMs === undefined ? [] : [{ compare: sql<SqlBool>`created_ms + 0 >= ${sinceMs}` }]),
    ...(untilMs === undefined ? [] : [{ compare: sql<SqlBool>`created_ms + 0 < ${untilMs}` }]),
  ];
}

function equal(db: Kysely<Tables>, name: 'rule' | 'item' | 'account', value: string): Term {
  const column = sql.ref<string>(name);
  const compare = sql<SqlBool>`${column} || '' = ${value}`;
  if (!isPostgres(db)) return { find: { from: DELIVERY, condition: sql`${column} = ${value}`, seq: SEQ }, compare };
  // With an equality, PostgreSQL may expect that the newest rows of all deliveries have the value, and read them all.
  return { find: { from: DELIVERY, condition: sql`${column} is not null`, seq: SEQ, key: { column, value } }, compare };
}

function stateTerm(state: DeliveryState): Term {
  const indexed = INDEXED[state];
  const isSmall = OPEN_STATES.has(state) || state === 'unknown';
  return {
    find: indexed && { from: DELIVERY, condition: indexed.condition, seq: indexed.seq, isSmall },
    compare: state === 'sent' ? sql`state || '' = 'sent' and ${WRITES}` : sql`state || '' = ${state}`,
  };
}

/** Deliveries with this word. */
async function wordTerm(db: Kysely<Tables>, word: string, { isFound }: { readonly isFound: boolean }): Promise<Term> {
  // A word has no character with a meaning in a pattern.
  const compare = sql<SqlBool>`' ' || words || ' ' like ${`% ${word} %`}`;
  if (!isFound) return { compare };
  if (!isPostgres(db)) {
    const matching = sql`select rowid as seq from delivery_words where delivery_words match ${`"${word}"`}`;
    const from = sql`(${matching} union all select seq from unindexed_delivery)`;
    return { find: { from, seq: SEQ, isPassedOver: true, isInexact: true }, compare };
  }
  const condition = sql<SqlBool>`string_to_array(words, ' ') @> array[cast(${word} as text)]`;
  const [expected, all] = [await expectedRows(db, condition), await expectedRows(db, sql`true`)];
  // The index has no order, so all its rows would be sorted.
  const isRare = expected <= Math.max(SORTED, all * EXPECTED_PART);
  return { find: isRare ? { from: DELIVERY, condition, seq: PLAIN_SEQ, expected, isSmall: true } : undefined, compare };
}

interface ExpectedRows {
  readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[];
}

/** The number of rows that PostgreSQL expects from its statistics. */
async function expectedRows(db: Kysely<Tables>, condition: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql<ExpectedRows>`explain (format json) select 1 from delivery where ${condition}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? Infinity;
}

/** The index with the fewest rows, and the conditions that are compared. */
async function planOf(
  db: Kysely<Tables>,
  terms: readonly Term[],
): Promise<{ readonly source: Source; readonly others: readonly RawBuilder<SqlBool>[] }> {
  const found = terms.flatMap((term) => (term.find ? [{ term, source: term.find }] : []));
  let best = found.length === 1 ? found[0] : found.find(({ source }) => source.isSmall && source.expected === undefined);
  let fewest = best ? 0 : Infinity;
  for (const one of best ? [] : found) {
    const count = one.source.expected ?? (await countOf(db, one.source));
    if (count < fewest) [best, fewest] = [one, count];
  }
  const others = terms.filter((term) => term !== best?.term || best.source.isInexact);
  return { source: best?.source ?? ALL, others: others.map(({ compare }) => compare) };
}

/** The number of rows of an index, up to a limit. */
async function countOf(db: Kysely<Tables>, source: Source): Promise<number> {
  // The order keeps PostgreSQL from reading the table from its beginning until it has found enough rows.
  const probed = sql`${selectFrom(source, source.seq, EVERYWHERE)} ${inOrder(source, EVERYWHERE)} limit ${sql.lit(PROBED)}`;
  const { rows } = await sql<{ readonly count: number }>`select count(*) as count from (${probed}) as probed`.execute(db);
  return Number(rows[0]?.count);
}

/** The next positions of an index. */
async function positionsIn(db: Kysely<Tables>, source: Source, range: Range, limit: number): Promise<readonly number[]> {
  const { rows } = await sql<{
    readonly seq: number;
  }>`${selectFrom(source, sql`${source.seq} as seq`, range)} ${inOrder(source, range)} limit ${limit}`.execute(db);
  return rows.map(({ seq }) => seq);
}

/** The rows at these positions that match. Read by their keys, they need no estimate of the database. */
async function rowsAt(
  db: Kysely<Tables>,
  positions: readonly number[],
  { conditions, range, limit }: { readonly conditions: readonly RawBuilder<SqlBool>[]; readonly range: Range; readonly limit: number },
): Promise<readonly DeliveryRow[]> {
  if (positions.length === 0) return [];
  const isThere = isPostgres(db)
    ? sql`seq = any(cast(${`{${positions.join(',')}}`} as bigint[]))`
    : sql`seq in (select value from json_each(${JSON.stringify(positions)}))`;
  const all = sql.join([isThere, ...conditions], sql` and `);
  const { rows } = await sql<DeliveryRow>`select ${COLUMNS} from "delivery" where ${all} ${inOrder(ALL, range)} limit ${limit}`.execute(db);
  return rows;
}

function selectFrom({ from, condition, seq, key }: Source, columns: RawBuilder<unknown>, { above, below }: Range): RawBuilder<unknown> {
  const position = (limit: number) => (key ? sql`(${key.value}, ${limit})` : sql`${limit}`);
  const place = key ? sql`(${key.column}, ${seq})` : seq;
  const limits = [sql<SqlBool>`${place} > ${position(above)}`, sql<SqlBool>`${place} < ${position(below)}`];
  return sql`select ${columns} from ${from} where ${sql.join([...(condition ? [condition] : []), ...limits], sql` and `)}`;
}

function inOrder({ seq, key }: Source, { isUpward }: Range): RawBuilder<unknown> {
  const direction = isUpward ? sql`asc` : sql`desc`;
  return key ? sql`order by ${key.column} ${direction}, ${seq} ${direction}` : sql`order by ${seq} ${direction}`;
}

/** The positions that the rows of a period have. Times increase with the position, with few exceptions. */
async function rangeOf(db: Kysely<Tables>, { sinceMs, untilMs }: DeliveryFilter, isUpward: boolean): Promise<Range> {
  let [above, below] = [-1, Number.MAX_SAFE_INTEGER];
  if (sinceMs !== undefined) {
    const first = sql`select seq from delivery where created_ms >= ${sinceMs} order by created_ms asc, seq asc limit ${sql.lit(DISORDERED)}`;
    const { rows } = await sql<{ readonly seq: number | null }>`select min(seq) as seq from (${first}) as first_rows`.execute(db);
    above = Number(rows[0]?.seq ?? below) - 1;
  }
  if (untilMs !== undefined) {
    const last = sql`select seq from delivery where created_ms < ${untilMs} order by created_ms desc, seq desc limit ${sql.lit(DISORDERED)}`;
    const { rows } = await sql<{ readonly seq: number | null }>`select max(seq) as seq from (${last}) as last_rows`.execute(db);
    below = Number(rows[0]?.seq ?? 0) + 1;
  }
  return { above, below, isUpward };
}
