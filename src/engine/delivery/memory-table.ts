import { deserialize, serialize } from 'node:v8';
import type { StateChange } from '#src/rules/episode.ts';
import type { Firing, Withdrawal } from '#src/rules/firing.ts';
import { episodeReads, needsOf, waitsOf, type Need } from '#src/rules/needs.ts';
import { isSettled, type Delivery, type DeliveryChange, type Part } from './delivery.ts';
import { needsOfParts, newDelivery, partsOf } from './new-delivery.ts';
import { findWaitingForOperator } from './due.ts';
import { byPosition, isConcerned, latestBeginMs, withdrawal, type NeedState } from './ordering.ts';
import { isComparable, repeatKeyOf, type MemoryDelivery } from './memory-delivery.ts';
import { lastInMemory, neededRows } from './memory-episode.ts';
import { ValueIndex } from './value-index.ts';

/** The last instant that a date has. */
const NEVER_MS = 8.64e15;

/** The decisions of a slot. */
export interface CommittedSlot {
  readonly withdrawals: readonly Withdrawal[];
  readonly firings: readonly Firing[];
  /** The episodes that the slot wrote and deleted. */
  readonly change?: Pick<StateChange, 'put' | 'drop'> | undefined;
  /** Episodes without further firings. */
  readonly over?: readonly string[] | undefined;
  readonly nowMs: number;
}

interface Snapshot {
  readonly rows: readonly MemoryDelivery[];
  readonly needs: readonly Need[];
  readonly over: ReadonlySet<string>;
  readonly openEpisodes: ReadonlySet<string>;
  readonly seq: number;
}

/** Deliveries and needs in memory: none, or those of a snapshot. */
export class MemoryTable {
  readonly rows = new Map<string, MemoryDelivery>();
  /** By the id of the delivery that needs another one. */
  readonly needs = new ValueIndex<Need>();
  /** By the id of the delivery that is needed. */
  readonly dependents = new ValueIndex<Need>();
  /** By `repeatKey`, in the order in which they were stored. */
  readonly repeats = new ValueIndex<MemoryDelivery>();
  readonly #firings = new ValueIndex<MemoryDelivery>();
  readonly episodes = new ValueIndex<MemoryDelivery>();
  readonly #settledFirings = new Set<string>();
  readonly #over = new Set<string>();
  readonly #openEpisodes = new Set<string>();
  #open: MemoryDelivery[] = [];
  #seq = 0;

  constructor(snapshot?: Uint8Array) {
    if (!snapshot) return;
    const { rows, needs, over, openEpisodes, seq } = deserialize(snapshot) as Snapshot; // `snapshot()` made it
    for (const row of rows) this.#insert(row);
    for (const need of needs) this.#insertNeed(need);
    for (const episode of over) this.#over.add(episode);
    for (const episode of openEpisodes) this.#openEpisodes.add(episode);
    this.#seq = seq;
  }

  /** All deliveries and needs. */
  snapshot(): Uint8Array {
    const rows = this.all();
    const needs = rows.flatMap(({ delivery }) => [...this.needs.get(delivery.id)]);
    return serialize({ rows, needs, over: this.#over, openEpisodes: this.#openEpisodes, seq: this.#seq } satisfies Snapshot);
  }

  /** The deliveries that are not settled, by position. */
  get open(): readonly MemoryDelivery[] {
    return this.#open;
  }

  /** All deliveries, in the order in which they were stored. */
  all(): readonly MemoryDelivery[] {
    return [...this.rows.values()].toSorted((a, b) => a.seq - b.seq);
  }

  /** Whether the episode of a delivery is open. */
  isEpisodeOpen(episode: string): boolean {
    return this.#openEpisodes.has(episode);
  }

  /** See `RuleState.delivering`. */
  async delivering(): Promise<ReadonlyMap<string, number>> {
    const queues = Map.groupBy(await this.#openThen({ isBehindWait: false }), ({ delivery }) => delivery.queue);
    return new Map([...queues].map(([queue, its]) => [queue, new Set(its.map(({ firing }) => firing.id)).size]));
  }

  /** See `RuleState.waiting`. */
  async waiting(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const queues = Map.groupBy(await this.#openThen({ isBehindWait: true }), ({ delivery }) => delivery.queue);
    return new Map([...queues].map(([queue, its]) => [queue, new Set(its.map(({ delivery }) => delivery.episode))]));
  }

  /** The open deliveries of `then`; without those that wait for the operator. */
  async #openThen({ isBehindWait }: { readonly isBehindWait: boolean }): Promise<readonly MemoryDelivery[]> {
    const then = this.#open.filter(({ delivery, beginsMs }) => delivery.section === 'then' && (beginsMs !== -Infinity) === isBehindWait);
    if (then.length === 0) return [];
    const stuck = await findWaitingForOperator({ waitingNeeds: () => this.waitingNeeds(), dependents: (ids) => this.dependentsOf(ids) });
    return then.filter(({ delivery }) => !stuck.has(delivery.id));
  }

  /** See `DeliveryRows.waitingNeeds`. */
  waitingNeeds(): Promise<readonly NeedState[]> {
    const needs = this.#open.flatMap(({ delivery }) => this.needsOf(delivery.id));
    return Promise.resolve(needs.filter(({ state }) => state === 'unknown' || state === 'asked'));
  }

  /** See `DeliveryRows.dependents`. */
  dependentsOf(ids: readonly string[]): Promise<readonly Need[]> {
    const isOpen = ({ delivery: id }: Need): boolean => {
      const row = this.rows.get(id);
      return row !== undefined && !isSettled(row.delivery);
    };
    return Promise.resolve(ids.flatMap((id) => [...this.dependents.get(id)].filter(isOpen)));
  }

  /** What a delivery needs. */
  needsOf(id: string): readonly NeedState[] {
    return [...this.needs.get(id)].flatMap((need) => {
      const needed = this.rows.get(need.needed);
      return needed ? [{ ...need, state: needed.delivery.state, settledMs: needed.delivery.settledAt?.getTime() }] : [];
    });
  }

  /** Whether the time of an open delivery has come. */
  hasDue(nowMs: number): boolean {
    return this.#open.some(({ delivery }) => delivery.dueAt.getTime() <= nowMs);
  }

  /** When the next delivery comes due, or is too late, after an instant; undefined: nothing waits for a time. */
  nextMs(nowMs: number): number | undefined {
    let nextMs = NEVER_MS;
    for (const { delivery } of this.#open) {
      const dueMs = delivery.dueAt.getTime();
      const expiresMs = delivery.since === undefined ? this.#latestBeginMs(delivery) : undefined;
      if (dueMs > nowMs) nextMs = Math.min(nextMs, dueMs);
      else if (expiresMs !== undefined && expiresMs >= nowMs) nextMs = Math.min(nextMs, expiresMs + 1);
    }
    return nextMs === NEVER_MS ? undefined : nextMs;
  }

  #latestBeginMs({ id, expiresAt, maxAgeMs }: Delivery): number | undefined {
    return expiresAt && latestBeginMs({ expiresMs: expiresAt.getTime(), maxAgeMs }, this.needsOf(id));
  }

  /** The deliveries of these firings, by position. */
  ofFirings(ids: readonly string[]): readonly MemoryDelivery[] {
    return ids.flatMap((id) => [...this.#firings.get(id)]).toSorted(byPosition);
  }

  /** Withdraws deliveries of earlier slots, and stores the firings. */
  commit({ withdrawals, firings, change, over = [], nowMs }: CommittedSlot): void {
    for (const { rule, of, section, only, except, ...explained } of withdrawals) {
      const isTaken = ({ delivery, planned }: MemoryDelivery): boolean => isConcerned({ only, except }, delivery, planned.step);
      for (const row of this.#open.filter(isTaken)) {
        const { delivery } = row;
        const isMeant = 'queue' in of ? delivery.queue === of.queue : delivery.episode === of.episode;
        if (isMeant && delivery.rule === rule && delivery.section === section) this.#apply(row, withdrawal(delivery, explained));
      }
    }
    for (const id of change?.drop ?? []) this.#openEpisodes.delete(id);
    for (const { id, phase } of change?.put ?? []) {
      if (phase === 'closed') this.#openEpisodes.delete(id);
      else this.#openEpisodes.add(id);
    }
    for (const firing of firings) this.#add(firing, nowMs);
    for (const episode of over) {
      this.#over.add(episode);
      this.#forgetIfOver(episode);
    }
  }

  /** Changes a delivery and stores its parts. */
  change(row: MemoryDelivery, change: DeliveryChange, parts: readonly Part[]): void {
    this.#apply(row, change);
    if (parts.length > 0) this.#insertParts(row, parts);
  }

  /** Drops settled deliveries; `isRead`: later firings read them. */
  prune(isRead: (delivery: Delivery) => boolean): void {
    for (const id of this.#settledFirings) {
      const its = [...this.#firings.get(id)];
      if (its.some(({ delivery }) => !isSettled(delivery))) continue;
      for (const row of its) if (!isRead(row.delivery) && !this.#isCompared(row)) this.#remove(row);
      for (const episode of new Set(its.map(({ delivery }) => delivery.episode))) this.#forgetIfOver(episode);
    }
    this.#settledFirings.clear();
  }

  #forgetIfOver(episode: string): void {
    const its = [...this.episodes.get(episode)];
    if (!this.#over.has(episode) || its.some(({ delivery }) => !isSettled(delivery))) return;
    for (const row of its) this.#remove(row);
    this.#over.delete(episode);
  }

  #add(firing: Firing, nowMs: number): void {
    if (this.#firings.has(firing.id)) return;
    const fresh = firing.steps.filter(({ key }) => (this.rows.get(key)?.delivery.state ?? 'skipped') === 'skipped');
    const seen = neededRows(this.ofFirings(firing.sees));
    const earlier = neededRows(lastInMemory(this.episodes.get(firing.episode), firing, episodeReads(firing)));
    const all = needsOf(firing, seen, earlier);
    const needs = Map.groupBy(all, ({ delivery }) => delivery);
    const waits = waitsOf(all, [...seen, ...earlier]);
    for (const planned of fresh) {
      const delivery = newDelivery(planned, firing, { nowMs, waitsUntilMs: waits.get(planned.key) });
      const seq = ++this.#seq;
      this.#replace({
        delivery,
        planned,
        firing,
        order: seq,
        part: 0,
        beginsMs: delivery.beginsAt?.getTime() ?? -Infinity,
        seq,
        repeatKey: repeatKeyOf(delivery),
      });
      for (const need of needs.get(planned.key) ?? []) this.#insertNeed(need);
    }
  }

  #insertParts(whole: MemoryDelivery, parts: readonly Part[]): void {
    for (const { delivery, part, element = whole.element } of partsOf(whole.delivery, whole.part, parts)) {
      // A part that was withdrawn may be decided again under its old key. A part that was sent stays.
      if ((this.rows.get(delivery.id)?.delivery.state ?? 'skipped') !== 'skipped') continue;
      this.#replace({ ...whole, delivery, part, element, seq: ++this.#seq });
    }
    const { id } = whole.delivery;
    const needs = { needs: [...this.needs.get(id)], dependents: [...this.dependents.get(id)] };
    for (const need of needsOfParts(parts, needs)) this.#insertNeed(need);
    // From now on, each element has to be sent in any case, and not the list.
    if (parts.some((part) => 'element' in part)) whole.delivery = { ...whole.delivery, evenIfUnchanged: false };
  }

  #replace(row: MemoryDelivery): void {
    const before = this.rows.get(row.delivery.id);
    if (before) this.#remove(before);
    this.#insert(row);
  }

  #insert(row: MemoryDelivery): void {
    this.rows.set(row.delivery.id, row);
    this.#firings.add(row.firing.id, row);
    this.episodes.add(row.delivery.episode, row);
    this.repeats.add(row.repeatKey, row);
    if (!isSettled(row.delivery)) this.#openRow(row);
  }

  #openRow(row: MemoryDelivery): void {
    this.#open.splice(this.#open.findLastIndex((other) => byPosition(other, row) <= 0) + 1, 0, row);
  }

  #remove(row: MemoryDelivery): void {
    const { id } = row.delivery;
    this.rows.delete(id);
    this.#firings.delete(row.firing.id, row);
    this.episodes.delete(row.delivery.episode, row);
    this.repeats.delete(row.repeatKey, row);
    for (const need of this.needs.get(id)) {
      this.needs.delete(id, need);
      this.dependents.delete(need.needed, need);
    }
  }

  #insertNeed(need: Need): void {
    if (
      this.needs
        .get(need.delivery)
        .values()
        .some(({ needed }) => needed === need.needed)
    )
      return;
    this.needs.add(need.delivery, need);
    this.dependents.add(need.needed, need);
  }

  #apply(row: MemoryDelivery, change: DeliveryChange): void {
    const { delivery } = row;
    const { dueAt = delivery.dueAt, attempts = delivery.attempts } = change;
    row.delivery = { ...delivery, ...('message' in change && { reason: undefined }), ...change, dueAt, attempts };
    // The operator may have an unknown delivery sent again.
    if (isSettled(delivery) && !isSettled(row.delivery)) this.#openRow(row);
    if (!isSettled(row.delivery)) return;
    this.#open = this.#open.filter((other) => other !== row);
    this.#settledFirings.add(row.firing.id);
  }

  /** Whether the next delivery of the same step is compared with this one. */
  #isCompared({ delivery, seq, repeatKey }: MemoryDelivery): boolean {
    if (delivery.section !== 'while' || !isComparable(delivery)) return false;
    const isLater = (row: MemoryDelivery): boolean => row.seq > seq && row.delivery.element === delivery.element;
    return !this.repeats
      .get(repeatKey)
      .values()
      .some((row) => isLater(row) && isComparable(row.delivery));
  }
}
