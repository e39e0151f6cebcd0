import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Poll } from '#src/rules/poll.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { aStep, cardRule, MINUTE, START_MS, stream } from '../rules/evaluate/fixture.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Every 10 seconds. Most polls find what the last one found. */
const LISTS = ['ada', 'ada', 'ada', 'ada', 'ada grace', 'ada grace', 'ada grace', 'grace', 'grace', 'grace', 'grace linus', 'grace linus'];
const EVERY_MS = 10_000;
const rules = {
  'a rule for new items': cardRule({
    schedule: { everyMs: EVERY_MS },
    while: [],
    finally: [],
    watched: { changes: [{ kind: 'entered' }], confirm: { new: 1, gone: 1 } },
  }),
  'a rule with data of each poll': cardRule({
    schedule: { everyMs: EVERY_MS },
    while: [],
    finally: [aStep()],
    watched: { confirm: { new: 1, gone: 2 }, graceMs: MINUTE },
  }),
};

const listOf = (names: string): Poll => ({ items: names.split(' ').map((name) => stream(name)), complete: true });

/** The files of a state as they are on the disk at least: as after the last commit that waited for it. */
function copyState(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of ['state.sqlite', 'state.sqlite-wal']) if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
}

interface Run {
  readonly folder: string;
  readonly rule: ReturnType<typeof cardRule>;
  readonly lists: readonly string[];
  readonly startMs: number;
  readonly onCommit?: (mayBeLost: boolean) => void;
}

/** Runs a slot for each list, and resolves with the items that were announced so far. */
async function run({ folder, rule, lists, startMs, onCommit = () => undefined }: Run): Promise<readonly string[]> {
  const clock = new ManualClock(startMs);
  await using store = await openStore({ file: join(folder, 'state.sqlite'), clock });
  let names = '';
  const scheduler = await createScheduler({
    rules: [rule],
    states: store.ruleStates,
    read: async (due, onPoll) => {
      for (const one of due) await onPoll(one.rule.id, listOf(names));
    },
    advance,
    onCommit: ({ mayBeLost = false }) => onCommit(mayBeLost),
    clock,
    log: silentLog,
  });
  for (const list of lists) {
    names = list;
    await scheduler.tick();
    await clock.advance(EVERY_MS);
  }
  return await announced(store);
}

async function announced(store: Store): Promise<readonly string[]> {
  const { items } = await store.deliveryLog.list({ limit: 100 });
  return items
    .filter(({ section }) => section === 'then')
    .map(({ episode }) => episode.split('@')[0] ?? '')
    .toSorted();
}

test.for(Object.entries(rules))('a power failure loses and repeats no announcement: %s', async ([, rule]) => {
  using folder = temporaryFolder();
  let lost = 0;
  for (let before = 1; before < LISTS.length; before++) {
    const [live, disk] = [join(folder.path, `live ${before}`), join(folder.path, `disk ${before}`)];
    let sinceSync = 0;
    const onCommit = (mayBeLost: boolean): void => {
      sinceSync = mayBeLost ? sinceSync + 1 : 0;
      if (!mayBeLost) copyState(live, disk);
    };
    const sent = await run({ folder: live, rule, lists: LISTS.slice(0, before), startMs: START_MS, onCommit });
    lost += sinceSync;
    const startMs = START_MS + before * EVERY_MS;
    expect([before, ...(await run({ folder: disk, rule, lists: [], startMs }))]).toEqual([before, ...sent]);

    const items = await run({ folder: disk, rule, lists: LISTS.slice(before), startMs });

    expect([before, ...items]).toEqual([before, 'grace', 'linus']);
  }
  expect(lost).toBeGreaterThan(LISTS.length / 2);
});
