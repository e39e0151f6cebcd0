import { expect, test } from 'vitest';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { renderPlainly } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { postingOver } from '../../support/posting-over.ts';

const HOUR_MS = 3_600_000;

test('a post that is moved after it was found due, and before it is read, is not sent before its new time', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  const { perform, recover, records } = new FakePlatform(clock);
  const posting = postingOver(store, clock, ['x']);
  const by = { id: '1', name: 'ada' };
  await posting.send({ text: 'Doors open', accounts: ['x'] }, { id: 'p1', by, server: 'home' });
  const find = async (id: string) => {
    await posting.move('p1', { at: new Date(clock.nowMs() + HOUR_MS), by });
    return store.deliveries.find(id);
  };
  const deliveries = { ...store.deliveries, find };
  const engine = createDeliveryEngine({ deliveries, perform, recover, render: renderPlainly, clock, log: silentLog });

  await engine.deliverNext();

  expect(records).toEqual([]);
  expect((await posting.find('p1'))?.targets).toMatchObject([{ state: 'pending' }]);
});
