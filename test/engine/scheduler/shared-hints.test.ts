import { expect, test } from 'vitest';
import { createSharedScheduler } from '#src/engine/scheduler/shared-scheduler.ts';
import type { SharedAgenda } from '#src/engine/scheduler/shared-agenda.ts';
import { silentLog } from '#src/log.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeRule } from '../../support/rules.ts';

test('many hints about a rule that runs elsewhere ask for it as often as one hint', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  let [asked, isKnown] = [0, true];
  const unused = () => Promise.reject(new Error('hints do not use this'));
  const agenda: SharedAgenda = {
    wasDown: false,
    put: () => Promise.resolve(),
    // Another worker has the rule.
    async take() {
      asked++;
      return undefined;
    },
    has: () => Promise.resolve(isKnown),
    release: unused,
    drop: unused,
    distribute: unused,
    status: unused,
    plansOf: unused,
    work: unused,
  };
  const scheduler = await createSharedScheduler({
    rules: [makeRule({ id: 'live' })],
    states: store.ruleStates,
    read: unused,
    advance,
    onCommit: () => undefined,
    clock,
    log: silentLog,
    agenda,
  });

  const hurried = Array.from({ length: 20 }, (_, index) => scheduler.hurry([{ rule: 'live', names: [`name-${index}`] }]));
  await clock.advance(1_000);

  expect(asked).toBe(6);
  isKnown = false;
  await clock.advance(200);
  await Promise.all(hurried);
});
