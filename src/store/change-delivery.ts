import { sql, type Kysely } from 'kysely';
import type { Delivery, DeliveryChange } from '#src/engine/delivery/delivery.ts';
import { isNextAnswer } from '#src/engine/delivery/question.ts';
import { isRepeat } from '#src/engine/delivery/ordering.ts';
import { toText } from './columns.ts';
import { differencesOf, toColumns } from './delivery-change-columns.ts';
import { isNotAboutToPause } from './planned-pauses.ts';
import { prepared, type Prepared } from './prepared.ts';
import { changedSettledColumn, isUnsettled } from './settled-column.ts';
import type { Tables } from './tables.ts';

interface ChangeCondition {
  /** The token of the lane; undefined: no other process can send. */
  readonly token?: number | undefined;
  /** Whether a repeat of a withdrawn delivery does not fail. */
  readonly evenIfWithdrawn?: boolean | undefined;
  /** Whether the change fails if an open delivery of another account needs this one. */
  readonly ifNoneWaits?: boolean | undefined;
  /** Whether the change fails if the account has an earlier open delivery, a search has to come first, or a pause of the rule is about to begin. */
  readonly ifAlone?: { readonly nowMs: number } | undefined;
}

/** What a statement of a change depends on. */
interface ChangeForm extends Required<Pick<ChangeCondition, 'ifNoneWaits'>> {
  readonly columns: readonly string[];
  readonly isRepeat: boolean;
  readonly isNextAnswer: boolean;
  readonly hasLease: boolean;
  readonly isFirst: boolean;
  /** Whether an attempt begins that did not begin with its commit. */
  readonly isBegin: boolean;
}

/** The statements by their form: there are as many as combinations of changed columns. */
const updates = new Map<string, Update>();

type Update = Prepared<Readonly<Record<string, unknown>>, unknown>;

/** Stores a change of a delivery; false: it is no longer in the state of `delivery`, another process holds the lane, or another condition is not met. */
export async function changeDelivery(
  db: Kysely<Tables>,
  delivery: Delivery,
  change: DeliveryChange,
  { token, evenIfWithdrawn = false, ifNoneWaits = false, ifAlone }: ChangeCondition = {},
): Promise<boolean> {
  const columns = { ...toColumns(differencesOf(delivery, change)), ...changedSettledColumn(db, delivery, change) };
  const form = {
    columns: Object.keys(columns),
    isRepeat: isRepeat(delivery, change) && !evenIfWithdrawn,
    isNextAnswer: isNextAnswer(delivery, change),
    ifNoneWaits,
    hasLease: token !== undefined,
    isFirst: ifAlone !== undefined,
    isBegin: delivery.state === 'pending' && change.state === 'sending' && ifAlone === undefined,
  };
  const key = `${form.columns.join()} ${form.isRepeat} ${form.isNextAnswer} ${ifNoneWaits} ${form.hasLease} ${form.isFirst} ${form.isBegin}`;
  const update = updates.get(key) ?? updateOf(form);
  updates.set(key, update);
  const { id, account, state, firing } = delivery;
  const { numAffectedRows } = await update(db, {
    ...columns,
    '.id': id,
    '.account': account,
    '.state': state,
    '.firing': firing,
    '.result': toText(delivery.result),
    '.token': token,
    '.nowMs': ifAlone?.nowMs ?? change.attemptedAt?.getTime() ?? null,
    '.dueMs': delivery.dueAt.getTime(),
  });
  return numAffectedRows !== 0n;
}

/** Names with a dot are those of the delivery before the change. */
function updateOf({ columns, isRepeat: isRepeated, isNextAnswer: isAnswer, ifNoneWaits, hasLease, isFirst, isBegin }: ChangeForm): Update {
  const none = sql``;
  return prepared((db, values: Readonly<Record<string, unknown>>) => {
    const { '.id': id, '.account': account, '.token': token } = values;
    // The lock makes the next holder of the lane wait for the end of this transaction.
    const held = sql`with held as (select 1 from lane where account = ${account} and token = ${token} and until_ms > now_ms() for share) `;
    const noneWaits = sql` and not exists (
      select 1 from need join delivery as dependent on dependent.id = need.delivery
      where need.needed = ${id} and dependent.account <> ${account} and dependent.state in ('pending', 'sending', 'asked'))`;
    const nowMs = values['.nowMs'] as number; // a placeholder stands for it
    const alone = sql` and "search_ms" is null and ${isNotAboutToPause(nowMs)} and not exists (
      select 1 from delivery as other where other.account = ${account} and ${isUnsettled(db, 'other')} and other.position < delivery.position)`;
    // A lane reads many deliveries at once, and a person may withdraw or move one, or a planned pause begins, before its turn.
    const unchanged = sql` and "due_ms" = ${values['.dueMs']} and ${isNotAboutToPause(nowMs)}`;
    // If it was withdrawn and decided again in the meantime, the same key names another delivery.
    return sql`${hasLease ? held : none}update "delivery"
      set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${values[column]}`))}
      where "id" = ${id} and "state" = ${values['.state']} and "firing" = ${values['.firing']}${isRepeated || isBegin ? sql` and "withdrawn" is null` : none}${
        isAnswer ? sql` and "result" is not distinct from ${values['.result']}` : none
      }${isBegin ? unchanged : none}${ifNoneWaits ? noneWaits : none}${isFirst ? alone : none}${hasLease ? sql` and exists (select 1 from held)` : none}`;
  });
}
