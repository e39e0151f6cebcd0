import { sql, type Kysely } from 'kysely';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import {
  DELETIONS,
  LOOKED_BACK_MS,
  MOST_EARLIER,
  ROLE_CHANGES,
  targetIn,
  type DeliveryRows,
  type SeenDelivery,
} from '#src/engine/delivery/delivery-rows.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { Element } from '#src/rules/element.ts';
import { BoundedCache } from '#src/rules/expression/bounded-cache.ts';
import { lastOfEpisode } from '#src/rules/needs.ts';
import type { Step, StepNames } from '#src/rules/step.ts';
import { fromOptionalText, fromText } from './columns.ts';
import { IS_SENDING } from './delivery-queue.ts';
import { SEEN_COLUMNS, toSeen } from './delivery-row.ts';
import { ENDED_MS } from './episode-page.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './tables.ts';

type StoredSteps = Pick<
  DeliveryRows,
  'plan' | 'needed' | 'ofFirings' | 'ofEpisode' | 'lastSent' | 'unedited' | 'edited' | 'isKnownMissing' | 'roleChanges' | 'taken'
>;

/** The data to render a step, and the earlier attempts to compare it with. */
export function createStoredSteps(db: Kysely<Tables>): StoredSteps {
  return {
    async plan({ id, element: key }) {
      const [row] = (await findPlan(db, { id })).rows;
      if (!row) throw new Error(`there is no delivery ${id}`);
      const { element_value: value, scope, names, muted_by, has_needs } = row;
      if (scope === null) return undefined;
      const element = key === undefined || value === null ? undefined : { key, ...fromText<Omit<Element, 'key'>>(value) };
      const facts = { isEpisodeOpen: muted_by !== null, mutedBy: muted_by || undefined, hasNeeds: has_needs !== null };
      return { step: stepOf(row.plan), scope: fromText(scope), names: namesOf(names), element, ...facts };
    },

    async needed(id) {
      const { rows } = await findNeeded(db, { id });
      return rows.map((row) => ({ ...toSeen(row), reads: row.reads === 1, stops: row.stops === 1 }));
    },

    async ofFirings(firings) {
      if (firings.length === 0) return [];
      const its = db.selectFrom('delivery').select(SEEN_COLUMNS).where('firing', 'in', firings);
      return (await its.orderBy('position').orderBy('part').execute()).map(toSeen);
    },

    ofEpisode: (episode, steps) => findOfEpisode(db, episode, steps),

    async lastSent({ id, rule, episode, section, step, account, element = '' }) {
      const [last] = (await findLast(db, { id, rule, episode, section, step, account, element })).rows;
      if (last?.state !== 'sent') return undefined;
      return { params: fromOptionalText<JsonObject>(last.params), result: fromOptionalText<Json>(last.result) };
    },

    async unedited(delivery, message) {
      const [one, ...others] = (await findAttempted(db, { ...delivery, message })).rows;
      const isSent = one?.state === 'sent' && one.record === message && one.omitted === null && others.length === 0;
      return isSent ? { params: fromOptionalText<JsonObject>(one.params), result: fromOptionalText<Json>(one.result) } : undefined;
    },

    async edited({ account }, id) {
      const [last] = (await findLastOf(db, { account, id })).rows;
      if (!last) return undefined;
      const [first] = (await findFirstOf(db, { account, id })).rows;
      return { mention: fromOptionalText<JsonObject>(first?.params ?? null)?.['mention'], result: fromOptionalText<Json>(last.result) };
    },

    async isKnownMissing({ rule, episode, account, firing, do: verb }, target) {
      const rows = await db
        .selectFrom('delivery')
        .select('params')
        .where((eb) => eb.and({ rule, episode, account }))
        .where((eb) =>
          eb.or([
            eb.and({ verb, state: 'failed', fault: 'missing' }),
            eb.and([eb('verb', 'in', DELETIONS), eb('state', '=', 'sent'), eb('firing', '!=', firing)]),
          ]),
        )
        .where((eb) => eb.or([eb('params_message', '=', target), eb('params_message', 'is', null)]))
        .execute();
      return rows.some(({ params }) => targetIn(fromOptionalText<JsonObject>(params)) === target);
    },

    async roleChanges({ rule, episode, account }, user) {
      const { rows } = await findRoleChanges(db, { rule, episode, account, user });
      return rows.map(({ verb, params, result, ...of }) => {
        return { ...of, do: verb, params: fromOptionalText<JsonObject>(params), result: fromOptionalText<Json>(result) };
      });
    },

    async taken({ id, account, since }) {
      const rows = await db
        .selectFrom('delivery')
        .select('record')
        .where('account', '=', account)
        .where('record', 'is not', null)
        .where('sent_ms', '>=', (since?.getTime() ?? 0) - LOOKED_BACK_MS)
        .where('id', '!=', id)
        .execute();
      return new Set(rows.flatMap(({ record }) => record ?? []));
    },
  };
}

/** The number of rules whose names are kept. */
const MOST_NAMES = 200;

const parsedNames = new BoundedCache<StepNames>(MOST_NAMES);

/** The steps of a rule get the same object, because the compiled expressions are found by it. */
function namesOf(text: string): StepNames {
  return parsedNames.get(text, () => fromText(text));
}

/** The number of steps that are kept. */
const MOST_STEPS = 500;

const parsedSteps = new BoundedCache<Step>(MOST_STEPS);

/** The deliveries of a step have the same text. */
function stepOf(text: string): Step {
  return parsedSteps.get(text, () => fromText(text));
}

/** See `DeliveryRows.ofEpisode`. */
export async function findOfEpisode(
  db: Kysely<Tables>,
  { rule, episode }: Pick<Delivery, 'rule' | 'episode'>,
  steps: readonly string[],
): Promise<readonly SeenDelivery[]> {
  const found: SeenDelivery[] = [];
  for (const step of steps) {
    const its = db.selectFrom('delivery').select(SEEN_COLUMNS).where('rule', '=', rule).where('episode', '=', episode);
    const rows = await its
      .where('section', '=', 'then')
      .where('step', '=', step)
      .where('after', 'is', null)
      .where('state', 'not in', ['skipped', 'failed'])
      .orderBy('seq', 'desc')
      .limit(MOST_EARLIER)
      .execute();
    found.push(...lastOfEpisode(rows.map(toSeen)));
  }
  return found;
}

/** The person who muted the open episode of a delivery; empty: no person did; null: the episode is closed or deleted. */
const mutedBy = sql<
  string | null
>`(select coalesce(muted_by, '') from episode where episode.rule = delivery.rule and episode.id = delivery.episode and episode.closed_ms is null)`;

/** 1, or null if a delivery needs no other one. */
const hasNeeds = sql<number | null>`(select 1 from need where need.delivery = delivery.id limit 1)`;

const findPlan = prepared((db, { id }: { readonly id: string }) =>
  db
    .selectFrom('delivery')
    .innerJoin('firing', 'firing.id', 'delivery.firing')
    .select([
      'plan',
      'element_value',
      'scope',
      (eb) => eb.fn.coalesce('delivery.names', 'firing.names').as('names'),
      mutedBy.as('muted_by'),
    ])
    .select(hasNeeds.as('has_needs'))
    .where('delivery.id', '=', id),
);

const findNeeded = prepared((db, { id }: { readonly id: string }) =>
  db
    .selectFrom('need')
    .innerJoin('delivery', 'delivery.id', 'need.needed')
    .select([...SEEN_COLUMNS.map((column) => `delivery.${column}` as const), 'need.reads', 'need.stops'])
    .where('need.delivery', '=', id)
    .orderBy('delivery.position')
    .orderBy('delivery.part'),
);

const findLast = prepared(
  (
    db,
    {
      id,
      rule,
      episode,
      section,
      step,
      account,
      element,
    }: Pick<Delivery, 'id' | 'rule' | 'episode' | 'section' | 'step' | 'account'> & { readonly element: string },
  ) =>
    db
      .selectFrom('delivery')
      .select(['state', 'params', 'result'])
      .where((eb) => eb.and({ rule, episode, section, step, account }))
      // A list that was withdrawn before it was rendered counts for each of its elements.
      .where('element', 'in', [element, ''])
      // A delivery that is not committed comes after all committed deliveries.
      .where('seq', '<', sql<number>`coalesce((select own.seq from delivery as own where own.id = ${id}), ${Number.MAX_SAFE_INTEGER})`)
      // A delivery that had to be sent in any case, and was not, leaves that to the next one.
      .where((eb) => eb.or([eb('since_ms', 'is not', null), eb('even_if_unchanged', '=', 1)]))
      .orderBy('seq', 'desc')
      .limit(1),
);

const findAttempted = prepared(
  (db, { id, rule, episode, account, message }: Pick<Delivery, 'id' | 'rule' | 'episode' | 'account'> & { readonly message: string }) =>
    db
      .selectFrom('delivery')
      .select(['state', 'params', 'result', 'record', 'omitted'])
      .where((eb) => eb.and({ rule, episode, account }))
      .where((eb) => eb.or([eb('record', '=', message), eb('params_message', '=', message)]))
      .where('since_ms', 'is not', null)
      .where('id', '!=', id)
      .limit(2),
);

/** A record, and the account that made it. */
interface RecordOf {
  readonly account: string;
  readonly id: string;
}

const findFirstOf = prepared((db, of: RecordOf) => sentAs(db, of).select('params').orderBy('seq').limit(1));

const findLastOf = prepared((db, of: RecordOf) => sentAs(db, of).select('result').orderBy('seq', 'desc').limit(1));

const findRoleChanges = prepared(
  (db, { rule, episode, account, user }: Pick<Delivery, 'rule' | 'episode' | 'account'> & { readonly user: string }) => {
    const its = db
      .selectFrom('delivery')
      .select('record')
      .where((eb) => eb.and({ rule, episode, verb: 'discord.addRole', state: 'sent' }));
    const sent = db.selectFrom('delivery').select('seq').where('state', '=', 'sent');
    const sending = db.selectFrom('delivery').select('seq').where('account', '=', account).where(IS_SENDING);
    const all = sent
      .where('record', '=', user)
      .unionAll(sent.where('record', 'in', its))
      .unionAll(sending);
    return db
      .selectFrom('delivery')
      .innerJoin('episode', (on) => on.onRef('episode.rule', '=', 'delivery.rule').onRef('episode.id', '=', 'delivery.episode'))
      .select(['delivery.rule', 'delivery.episode', 'account', 'verb', 'params', 'result'])
      .where('seq', 'in', all)
      .where('verb', 'in', ROLE_CHANGES)
      .where(ENDED_MS, 'is', null)
      .orderBy('seq');
  },
);

/** The deliveries that made or changed a record. */
function sentAs(db: Kysely<Tables>, { account, id }: RecordOf) {
  return db.selectFrom('delivery').where('record', '=', id).where('account', '=', account).where('state', '=', 'sent');
}
