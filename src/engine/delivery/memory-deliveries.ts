import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { isNamed } from '#src/rules/results.ts';
import { DELETIONS, LOOKED_BACK_MS, ROLE_CHANGES, targetIn, type DeliveryRows, type SeenDelivery } from './delivery-rows.ts';
import { withOrdering, type DeliveryStore } from './delivery-store.ts';
import type { Delivery } from './delivery.ts';
import { isComparable, repeatKeyOf, toWaitsUntilMs, type MemoryDelivery } from './memory-delivery.ts';
import { lastInMemory } from './memory-episode.ts';
import type { MemoryTable } from './memory-table.ts';
import { reopen } from './memory-reopen.ts';
import { byPosition, isRepeat, type OpenDelivery } from './ordering.ts';
import { isNextAnswer } from './question.ts';

/** The deliveries of a table in memory, as the delivery engine takes them. */
export function createMemoryDeliveries(table: MemoryTable): DeliveryStore {
  return withOrdering(createRows(table));
}

function createRows(table: MemoryTable): DeliveryRows {
  function aheadOf({ account, queue, order, part }: Pick<OpenDelivery, 'account' | 'queue' | 'order' | 'part'>): readonly MemoryDelivery[] {
    return table.open
      .filter(({ delivery }) => delivery.account === account && delivery.queue === queue && delivery.state !== 'asked')
      .filter((row) => byPosition(row, { order, part }) < 0);
  }

  return {
    claim: () => Promise.resolve({ [Symbol.dispose]: () => undefined }),
    accounts: () => Promise.resolve([...new Set(table.open.map(({ delivery }) => delivery.account))]),
    find: (id) => Promise.resolve(table.rows.get(id)?.delivery),
    load: (ids) => Promise.resolve(ids.flatMap((id) => table.rows.get(id)?.delivery ?? [])),
    begun: (account) =>
      Promise.resolve(table.open.map(({ delivery }) => delivery).filter((one) => one.account === account && one.state === 'sending')),

    candidates(account, { nowMs, after, heldQueues, limit }) {
      const found = table.open
        .filter(({ delivery }) => delivery.account === account && delivery.dueAt.getTime() <= nowMs)
        .map(toOpen)
        .filter((one) => !after || (one.state !== 'sending' && byPosition(one, after) > 0))
        .filter((one) => !heldQueues.includes(one.queue) || one.state !== 'pending' || (one.expiresMs ?? Infinity) < nowMs);
      const isLater = ({ state }: OpenDelivery): number => (state === 'sending' ? 0 : 1);
      return Promise.resolve(found.toSorted((a, b) => isLater(a) - isLater(b)).slice(0, limit));
    },

    ahead(delivery, { after, limit }) {
      const found = aheadOf(delivery).filter((row) => !after || byPosition(row, after) > 0);
      return Promise.resolve(found.slice(0, limit).map(toOpen));
    },

    behind(ids) {
      const rows = ids.flatMap((id) => table.rows.get(id) ?? []);
      const found = rows.filter(({ delivery: { account, queue }, order, part }) => aheadOf({ account, queue, order, part }).length > 0);
      return Promise.resolve(new Set(found.map(({ delivery }) => delivery.id)));
    },

    needs: (ids) => Promise.resolve(ids.flatMap((id) => table.needsOf(id))),
    waitingNeeds: () => table.waitingNeeds(),
    dependents: (ids) => table.dependentsOf(ids),

    plan({ id }) {
      const row = table.rows.get(id);
      if (!row) return Promise.reject(new Error(`there is no delivery ${id}`));
      const { planned, firing, names = firing.names, element } = row;
      const isEpisodeOpen = table.isEpisodeOpen(firing.episode);
      const hasNeeds = table.needs.get(id).size > 0;
      return Promise.resolve({ step: planned.step, scope: firing.scope, names, element, isEpisodeOpen, hasNeeds });
    },

    needed(id) {
      const found = [...table.needs.get(id)].flatMap(({ needed, reads, stops }) => {
        const row = table.rows.get(needed);
        return row ? [{ row, reads, stops }] : [];
      });
      return Promise.resolve(found.toSorted((a, b) => byPosition(a.row, b.row)).map(({ row, ...need }) => ({ ...toSeen(row), ...need })));
    },

    ofFirings: (ids) => Promise.resolve(table.ofFirings(ids).map(toSeen)),
    ofEpisode: (one, steps) => Promise.resolve(lastInMemory(table.episodes.get(one.episode), one, steps).map(toSeen)),

    hasOpen: ({ rule, episode, section }) =>
      Promise.resolve(table.open.some(({ delivery: one }) => one.rule === rule && one.episode === episode && one.section === section)),

    nextDueMs(account, nowMs) {
      const later = table.open.filter(({ delivery }) => delivery.account === account).map(({ delivery }) => delivery.dueAt.getTime());
      const nextMs = Math.min(...later.filter((dueMs) => dueMs > nowMs));
      return Promise.resolve(nextMs === Infinity ? undefined : nextMs);
    },

    retryRefused({ nowMs, account }) {
      for (const row of table.open) {
        const { error, dueAt, state, withdrawn } = row.delivery;
        const isMeant = !withdrawn && (account === undefined || row.delivery.account === account);
        if (isMeant && state !== 'asked' && error?.fault === 'unauthorized' && dueAt.getTime() > nowMs)
          row.delivery = { ...row.delivery, dueAt: new Date(nowMs) };
      }
      return Promise.resolve();
    },

    lastSent(delivery) {
      const before = table.rows.get(delivery.id)?.seq ?? Infinity;
      const repeats = [...table.repeats.get(repeatKeyOf(delivery))];
      const last = repeats.findLast(
        (row) =>
          row.seq < before &&
          // A list that was withdrawn before it was rendered counts for each of its elements.
          (row.delivery.element === delivery.element || row.delivery.element === undefined) &&
          isComparable(row.delivery),
      );
      return Promise.resolve(last?.delivery.state === 'sent' ? last.delivery : undefined);
    },

    unedited({ id, rule, episode, account }, message) {
      const isAbout = ({ params, result }: Delivery): boolean => isNamed(result, message) || params?.['message'] === message;
      const its = [...table.episodes.get(episode)].map(({ delivery }) => delivery);
      const [one, ...others] = its.filter(
        (each) => each.id !== id && each.rule === rule && each.account === account && each.since !== undefined && isAbout(each),
      );
      const isSent = one?.state === 'sent' && one.omitted === undefined && isNamed(one.result, message) && others.length === 0;
      return Promise.resolve(isSent ? one : undefined);
    },

    edited({ rule, episode, account }, id) {
      // Sample records of other episodes, and of the later parts of a thread, have the same ids.
      const isMade = ({ delivery: one }: MemoryDelivery): boolean =>
        one.rule === rule && one.account === account && one.state === 'sent' && one.after === undefined && isNamed(one.result, id);
      const [first, ...later] = [...table.episodes.get(episode)].filter(isMade).map((row) => row.delivery);
      return Promise.resolve(first && { mention: first.params?.['mention'], result: (later.at(-1) ?? first).result });
    },

    isKnownMissing({ rule, episode, account, firing, do: verb }, target) {
      const isOf = (one: Delivery): boolean => one.rule === rule && one.account === account && targetIn(one.params) === target;
      const isDeleted = (one: Delivery): boolean => DELETIONS.includes(one.do) && one.state === 'sent' && one.firing !== firing;
      const wasMissing = (one: Delivery): boolean => one.do === verb && one.state === 'failed' && one.error?.fault === 'missing';
      const isMissing = ({ delivery: one }: MemoryDelivery): boolean => isOf(one) && (isDeleted(one) || wasMissing(one));
      return Promise.resolve(table.episodes.get(episode).values().some(isMissing));
    },

    roleChanges({ rule, episode, account }, user) {
      const its = [...table.episodes.get(episode)].map(({ delivery }) => delivery);
      const added = its
        .filter((one) => one.rule === rule && one.do === 'discord.addRole' && one.state === 'sent')
        .map(({ result }) => result);
      const isAbout = (result: Json | undefined): boolean =>
        isNamed(result, user) || (isJsonObject(result) && added.some((one) => isJsonObject(one) && one['id'] === result['id']));
      const isMeant = (one: Delivery): boolean =>
        ROLE_CHANGES.some((verb) => verb === one.do) &&
        (one.state === 'sent' ? isAbout(one.result) : one.state === 'sending' && one.account === account);
      const all = table.all().map(({ delivery }) => delivery);
      return Promise.resolve(all.filter((one) => isMeant(one) && table.isEpisodeOpen(one.episode)));
    },

    taken({ id, account, since }) {
      const fromMs = (since?.getTime() ?? 0) - LOOKED_BACK_MS;
      const others = [...table.rows.values()].map(({ delivery }) => delivery).filter((one) => one.id !== id && one.account === account);
      const recent = others.filter(({ sentAt }) => sentAt !== undefined && sentAt.getTime() >= fromMs);
      return Promise.resolve(
        new Set(recent.flatMap(({ result }) => (isJsonObject(result) && typeof result['id'] === 'string' ? [result['id']] : []))),
      );
    },

    change(delivery, change, { parts = [], evenIfWithdrawn = false } = {}) {
      const row = table.rows.get(delivery.id);
      if (!row || row.delivery.state !== delivery.state || row.delivery.firing !== delivery.firing) return Promise.resolve(undefined);
      if (row.delivery.withdrawn && !evenIfWithdrawn && isRepeat(delivery, change)) return Promise.resolve(undefined);
      if (isNextAnswer(delivery, change) && row.delivery.result !== delivery.result) return Promise.resolve(undefined);
      table.change(row, change, parts);
      return Promise.resolve(row.delivery);
    },

    reopen(delivery, change, reopening) {
      const row = table.rows.get(delivery.id);
      if (!row || row.delivery.state !== delivery.state || row.delivery.firing !== delivery.firing) return Promise.resolve(undefined);
      return Promise.resolve(reopen(table, row, { change, ...reopening }));
    },
  };
}

function toOpen({ delivery, order, part, beginsMs }: MemoryDelivery): OpenDelivery {
  const { id, account, queue, since, expiresAt, maxAgeMs } = delivery;
  const state = delivery.state as OpenDelivery['state']; // only open deliveries are passed
  return {
    id,
    account,
    queue,
    state,
    order,
    part,
    beginsMs,
    expiresMs: expiresAt?.getTime(),
    maxAgeMs,
    isBegun: since !== undefined,
  };
}

function toSeen(row: MemoryDelivery): SeenDelivery {
  const { delivery, planned } = row;
  const { id, firing, step, account, element, after, state, reason, result, omitted, origins } = delivery;
  const about = { waitsUntilMs: toWaitsUntilMs(row), plan: planned.step, reasonKind: reason?.kind };
  return { id, firing, step, account, element, after, state, result, omitted, origins, ...about };
}
