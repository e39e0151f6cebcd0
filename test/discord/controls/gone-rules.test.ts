import { expect, test } from 'vitest';
import { settle } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { openControls, textOf } from './fixture.ts';

const FILES = {
  'new.yaml': `id: new
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { do: discord.send, with: { channel: live, content: hi } }
`,
};

test('the history of a deleted or renamed rule can be read by its old id and by an item', async () => {
  await using fixture = await openControls({ files: FILES });
  await fixture.keep(async (store) => {
    const decision = { rule: 'old', atMs: SLOT_MS, outcome: 'suppressed', item: 'dennis', message: 'the fuse blew' } as const;
    const fired = firing([creating(['x'])], { rule: 'old' });
    await store.ruleStates.commit(committing([fired], { rule: 'old', decisions: [decision] }));
    await settle(store, keysOf(fired)[0], { state: 'sent' }, { params: { text: 'Dennis is live' } });
    await store.ruleStates.retire('old');
  });

  const why = textOf(await fixture.owner.command('automation why', { rule: 'old' }));
  const shown = textOf(await fixture.owner.command('automation show', { rule: 'old' }));
  const item = textOf(await fixture.owner.command('automation why', { item: 'Dennis' }));
  const german = textOf(await fixture.german.command('automation why', { rule: 'old' }));
  const deliveries = textOf(await fixture.owner.command('deliveries', { rule: 'old' }));
  const pause = textOf(await fixture.owner.command('automation pause', { rule: 'old' }));

  for (const text of [why, shown, item]) {
    expect(text).toContain('This rule was deleted or renamed: Fanfare removed it');
    expect(text).toContain('the fuse blew');
  }
  expect(german).toContain('Diese Regel wurde gelöscht oder umbenannt');
  expect(deliveries).toContain('old');
  expect(pause).toContain('There is no rule');
});
