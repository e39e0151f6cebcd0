import { expect, test } from 'vitest';
import { settle } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { eventually } from '../../support/fanfare-process.ts';
import { idOf, openControls, textOf } from './fixture.ts';

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
  expect(pause).toContain('There is no rule “old”: it was deleted or renamed');
});

const LONG = 'a-rule-with-an-id-that-is-too-long-for-a-button';

test('a button of a deleted or renamed rule answers that the rule is gone', async () => {
  const file = (id: string): string => FILES['new.yaml'].replace('new', id);
  await using fixture = await openControls({ files: { ...FILES, 'short.yaml': file('short'), 'long.yaml': file(LONG) } });
  const cardOf = async (rule: string) => idOf(await fixture.owner.command('automation show', { rule }));
  const [short, long] = [await cardOf('short'), await cardOf(LONG)];
  fixture.write('short.yaml', file('renamed'));
  fixture.write('long.yaml', file('renamed-too'));
  await eventually('the new names', async () => (await fixture.owner.type('automation pause', { rule: 'renamed' })).length === 2);

  const paused = await fixture.owner.click(short, 'Pause');
  const previewed = await fixture.owner.click(short, 'Preview');
  const hashed = await fixture.owner.click(long, 'Pause');
  const unnamed = await fixture.owner.forge(long, 'automation:pause:~unknown:answer');
  const german = await fixture.german.click(short, 'Pause');
  const typed = await fixture.owner.command('automation pause', { rule: 'nothing' });

  const why = 'it was deleted or renamed, or its file has errors. `/automation list` shows all rules.';
  expect([paused, previewed, hashed, unnamed].map(({ message }) => message?.content)).toEqual([
    `There is no rule “short”: ${why}`,
    `There is no rule “short”: ${why}`,
    `There is no rule “${LONG.replaceAll('-', '\\-')}”: ${why}`,
    `The rule of this button no longer exists: ${why}`,
  ]);
  expect(german.message?.content).toContain('Die Regel „short“ gibt es nicht mehr');
  expect(typed.message?.content).toBe('There is no rule “nothing”. Pick one from the list that appears while you type.');
});

test('an unknown rule while a file has errors is refused with the way to the errors', async () => {
  await using fixture = await openControls({ files: { ...FILES, 'broken.yaml': 'id: broken\n' } });

  expect((await fixture.owner.command('automation pause', { rule: 'broken' })).message?.content).toBe(
    'There is no rule “broken”. Pick one from the list that appears while you type. A file has errors: see `/automation list`.',
  );
});
