import { join } from 'node:path';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import { createMemoryDeliveries } from '#src/engine/delivery/memory-deliveries.ts';
import { MemoryTable } from '#src/engine/delivery/memory-table.ts';
import { withDeliveryMessage, type DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { Firing, Section } from '#src/rules/firing.ts';
import { copyDatabase } from '#src/store/sqlite/copy.ts';
import { openStore, type Store } from '#src/store/store.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { committing } from '../support/firings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Stored deliveries, and the actions on their rules. */
export interface Stored extends AsyncDisposable {
  readonly deliveries: DeliveryStore;
  commit(fired: Firing, slotMs: number): Promise<void>;
  pause(rule: string): Promise<void>;
  resume(rule: string): Promise<void>;
  delete(rule: string): Promise<void>;
  disable(rule: string): Promise<void>;
  /** Turns a rule on. Absent: the deliveries do not store withdrawals. */
  readonly enable?: ((rule: string) => Promise<void>) | undefined;
  paused(): ReturnType<Store['ruleStates']['paused']>;
  /** Restores a copy of the present state; absent: the deliveries cannot be copied. */
  copy?: () => Promise<Stored>;
}

/** The deliveries of a store. */
export function inStore({ deliveries, ruleStates, ...store }: Store): Stored {
  return {
    deliveries,
    commit: async (fired, slotMs) => void (await ruleStates.commit(committing([fired], { rule: fired.rule, slotMs }))),
    pause: async (rule) => void (await ruleStates.changePauses([rule], { pause: { by: 'ada' } })),
    resume: async (rule) => void (await ruleStates.changePauses([rule], { resume: 'now' })),
    delete: (rule) => ruleStates.retire(rule),
    disable: (rule) => ruleStates.disable(rule),
    enable: (rule) => ruleStates.reinstate([rule]),
    paused: () => ruleStates.paused(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Deliveries in SQLite. */
export async function inSqlite(clock: ManualClock): Promise<Stored> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(temporaryFolder({ inMemory: true }));
  const file = join(path, 'fanfare.sqlite');
  const store = stack.use(await openStore({ file, clock }));
  const opened = stack.move();
  let copies = 0;
  return {
    ...inStore(store),
    async copy() {
      const to = join(path, `copy-${++copies}.sqlite`);
      await copyDatabase({ from: file, to });
      const copy = await openStore({ file: to, clock });
      await copy.restores.note();
      await copy.restores.begin();
      return inStore(copy);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const SECTIONS: readonly Section[] = ['then', 'while', 'finally', 'quiet'];

/** Deliveries in memory, with the withdrawals of a slot instead of those of an action. */
export function inMemory(clock: ManualClock): Promise<Stored> {
  const table = new MemoryTable();
  const people = new Map<string, { readonly person: { readonly by: string; readonly atMs: number } }>();
  const queues = new Map<string, string>();
  const withdraw = (rule: string, sections: readonly Section[], reason: DeliveryReason): void => {
    const of = { queue: queues.get(rule) ?? '' };
    const because = withDeliveryMessage(reason);
    const withdrawals = sections.map((section) => ({ rule, of, section, message: because.message }));
    table.commit({ withdrawals, firings: [], nowMs: clock.nowMs() });
  };
  return Promise.resolve({
    deliveries: createMemoryDeliveries(table),
    commit(fired) {
      queues.set(fired.rule, fired.queue);
      return Promise.resolve(table.commit({ withdrawals: [], firings: [fired], nowMs: clock.nowMs() }));
    },
    pause(rule) {
      people.set(rule, { person: { by: 'ada', atMs: clock.nowMs() } });
      return Promise.resolve(withdraw(rule, ['then', 'quiet'], { kind: 'rulePaused', by: 'ada' }));
    },
    resume: (rule) => Promise.resolve(void people.delete(rule)),
    delete(rule) {
      withdraw(rule, SECTIONS, { kind: 'ruleDeleted' });
      const asked = table.open.filter(({ delivery }) => delivery.rule === rule && delivery.state === 'asked');
      for (const row of asked)
        table.change(row, { state: 'asked', dueAt: new Date(clock.nowMs()), withdrawn: withDeliveryMessage({ kind: 'ruleDeleted' }) }, []);
      return Promise.resolve();
    },
    disable: (rule) => Promise.resolve(withdraw(rule, SECTIONS, { kind: 'ruleDisabled' })),
    paused: () => Promise.resolve(people),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}
