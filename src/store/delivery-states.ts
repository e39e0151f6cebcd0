import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { DELIVERY_STATES, type DeliveryState } from '#src/engine/delivery/delivery.ts';
import { READING_VERBS } from '#src/engine/delivery/is-read.ts';
import type { Tables } from './tables.ts';

/** A step of `while` without a change, or whose `if` is false, comes with every poll and tells the operator nothing. */
const IS_IDLE = sql<SqlBool>`(section = 'while' and state = 'skipped' and since_ms is null)`;

/** How a query selects deliveries in some states, so that SQLite finds them in the smallest index. */
export interface StateSelection {
  /** Leaves idle deliveries out. */
  readonly condition: RawBuilder<SqlBool>;
  /** The columns to filter and to sort by. */
  readonly rule: RawBuilder<string>;
  readonly seq: RawBuilder<number>;
}

/** An index has all deliveries of a rule, and of all rules, in order. */
const [RULE, SEQ] = [sql<string>`rule`, sql<number>`seq`];
/** The database has no index of an expression, so it uses the index of the state. */
const [PLAIN_RULE, PLAIN_SEQ] = [sql<string>`rule || ''`, sql<number>`seq + 0`];

/** Whether a delivery is on its platform, if it is sent: a step that only read has sent nothing. */
export const WRITES = sql<SqlBool>`verb not in (${sql.join(READING_VERBS.map((verb) => sql.lit(verb)))})`;

const OPEN = sql<SqlBool>`state in ('pending', 'sending', 'asked')`;

/** States with an index. Each condition repeats the condition of the index. */
export const INDEXED: Readonly<Partial<Record<DeliveryState, StateSelection>>> = {
  pending: { condition: sql`${OPEN} and state = 'pending'`, rule: PLAIN_RULE, seq: PLAIN_SEQ },
  sending: { condition: sql`state = 'sending'`, rule: PLAIN_RULE, seq: PLAIN_SEQ },
  asked: { condition: sql`state = 'asked'`, rule: PLAIN_RULE, seq: PLAIN_SEQ },
  unknown: { condition: sql`state = 'unknown'`, rule: PLAIN_RULE, seq: PLAIN_SEQ },
  // These two indexes have the order.
  failed: { condition: sql`state = 'failed'`, rule: PLAIN_RULE, seq: SEQ },
  skipped: { condition: sql`state = 'skipped' and not (section = 'while' and since_ms is null)`, rule: PLAIN_RULE, seq: SEQ },
};

export const OPEN_STATES: ReadonlySet<DeliveryState> = new Set(['pending', 'sending', 'asked']);

/** The selection of deliveries in one of these states. */
export function inStates(states: readonly DeliveryState[]): StateSelection {
  const [state, ...others] = states;
  if (state !== undefined && others.length === 0 && INDEXED[state]) return INDEXED[state];
  if (state === 'sent' && others.length === 0) return { condition: sql`state = 'sent' and ${WRITES}`, rule: RULE, seq: SEQ };
  if (states.every((one) => OPEN_STATES.has(one))) {
    return { condition: sql`${OPEN} and ${isOneOf(states)}`, rule: PLAIN_RULE, seq: PLAIN_SEQ };
  }
  return { condition: sql`${isOneOf(states)} and not ${IS_IDLE}`, rule: RULE, seq: SEQ };
}

export const IN_ANY_STATE: StateSelection = { condition: sql`not ${IS_IDLE}`, rule: RULE, seq: SEQ };

/** The number of deliveries in each state that there is, without idle ones and without sent ones that only read. Counts come from the indexes of the states, or from a counter. */
export async function countDeliveries(db: Kysely<Tables>): Promise<readonly { readonly state: DeliveryState; readonly count: number }[]> {
  const count = (condition: RawBuilder<SqlBool>): RawBuilder<number> => sql`(select count(*) from delivery where ${condition})`;
  const row = await db
    .selectNoFrom([
      count(OPEN).as('open'),
      count(sql`state = 'sending'`).as('sending'),
      count(sql`state = 'asked'`).as('asked'),
      sql<number>`(select cast(coalesce(sum(count), 0) as bigint) from sent_count where ${WRITES})`.as('sent'),
      count(inStates(['failed']).condition).as('failed'),
      count(inStates(['unknown']).condition).as('unknown'),
      count(inStates(['skipped']).condition).as('skipped'),
    ])
    .executeTakeFirstOrThrow();
  const { open, ...counts } = row;
  // No index of open deliveries has their state.
  const all = { pending: open - counts.sending - counts.asked, ...counts };
  return DELIVERY_STATES.map((state) => ({ state, count: all[state] })).filter(({ count: number }) => number > 0);
}

function isOneOf(states: readonly DeliveryState[]): RawBuilder<SqlBool> {
  return sql`state in (${sql.join(states.map((state) => sql.lit(state)))})`;
}
