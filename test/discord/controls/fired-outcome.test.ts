import { expect, test } from 'vitest';
import { settle } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf } from '../../support/firings.ts';
import { openControls, textOf } from './fixture.ts';

const FILES = {
  'hello.yaml': `id: hello
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { do: discord.send, with: { channel: live, content: hi } }
`,
};

test('/automation why says that a pause withdrew messages of a firing', async () => {
  await using fixture = await openControls({
    files: FILES,
    async before(store) {
      for (const rule of ['hello', 'old']) {
        await store.ruleStates.changePauses([rule], { pause: { by: 'grace' } });
        const fired = firing([creating(['discord'])], { rule, id: `firing of ${rule}`, episode: rule });
        const about = { item: 'ada', message: 'ada went live', details: { firing: fired.id } };
        const decision = { rule, atMs: Date.now(), outcome: 'fired', ...about } as const;
        await store.ruleStates.commit(committing([fired], { rule, decisions: [decision] }));
      }
      await store.ruleStates.retire('old');
    },
  });

  const why = textOf(await fixture.owner.command('automation why', { rule: 'hello' }));
  const card = textOf(await fixture.owner.command('automation show', { rule: 'hello' }));
  const item = textOf(await fixture.owner.command('automation why', { item: 'ada' }));
  const german = textOf(await fixture.german.command('automation why', { rule: 'hello' }));
  const germanCard = textOf(await fixture.german.command('automation show', { rule: 'hello' }));

  for (const text of [why, card, item]) expect(text).toContain('ada went live; messages were withdrawn: grace paused the rule');
  // The withdrawn delivery did not fail, and its outcome is known.
  expect(card).toContain('Open and notable deliveries');
  expect(germanCard).toContain('Offene und auffällige Zustellungen');
  expect(german).toContain('zurückgezogene Nachrichten: grace hat die Regel angehalten');
});

test('/automation why says that the delivery of a firing failed', async () => {
  await using fixture = await openControls({
    files: FILES,
    async before(store) {
      const fired = firing([creating(['discord'])], { rule: 'hello' });
      const about = { item: 'ada', message: 'ada went live', details: { firing: fired.id } };
      const decision = { rule: 'hello', atMs: Date.now(), outcome: 'fired', ...about } as const;
      await store.ruleStates.commit(committing([fired], { rule: 'hello', decisions: [decision] }));
      await settle(store, keysOf(fired)[0], { state: 'failed', error: { fault: 'forbidden', message: 'no permission' } });
    },
  });

  const why = textOf(await fixture.owner.command('automation why', { rule: 'hello' }));
  const german = textOf(await fixture.german.command('automation why', { rule: 'hello' }));

  expect(why).toContain('ada went live; 1 delivery failed: no permission');
  expect(german).toContain('; 1 Zustellung fehlgeschlagen: ');
});
