import { expect, test } from 'vitest';
import { controlApi } from '../../support/control-api.ts';
import { eventually } from '../../support/fanfare-process.ts';
import { idOf, openControls, textOf } from './fixture.ts';

const FILES = {
  'card.yaml': `id: card
when: { every: 5s, watch: streaming.getStreams, with: { users: [ada] }, settle: 0s }
then:
  - { id: card, do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }}!" } }
while:
  - { id: board, do: discord.put, with: { channel: live, name: board, content: "\${{ item.viewerCount }} viewers at \${{ string(now) }}" } }
`,
};

test('a rule whose messages fail is orange with the cause, and the account stays connected', async () => {
  await using fixture = await openControls({ files: FILES, orders: [{ do: 'end', user: 'ada' }] });
  const control = controlApi(fixture.sandbox.url);
  const healthy = textOf(await fixture.owner.command('automation list'));
  await control('/discord/permissions', { channel: 'live', deny: ['SendMessages'] });
  fixture.order({ do: 'goLive', user: 'ada' });
  await eventually(
    'a failed message and a failed edit',
    () => fixture.keep(async ({ deliveryLog }) => (await deliveryLog.list({ rule: 'card', state: 'failed' })).items.length >= 2),
    60_000,
  );

  const list = textOf(await fixture.owner.command('automation list'));
  const card = textOf(await fixture.owner.command('automation show', { rule: 'card' }));
  const deliveries = textOf(await fixture.owner.command('deliveries'));
  const previewed = idOf(await fixture.owner.command('automation preview', { rule: 'card' }));
  const preview = await eventually('the preview', async () => {
    const text = JSON.stringify(await fixture.reload(previewed));
    return text.includes('Preview: card') && text;
  });
  const status = textOf(await fixture.owner.command('status'));

  const cause = 'does not have the permission Send Messages in \\\\#live';
  expect(healthy).toContain('**card** 🟢 on');
  for (const text of [list, card]) {
    expect(text).toContain('🟠 on, but');
    expect(text).toContain(cause);
  }
  expect(deliveries).toMatch(/\*\*failed\*\* · \*\*card\*\* · card · Ada → #live/u);
  expect(deliveries.match(/❌ \*\*failed\*\* · \*\*card\*\* · board · Ada → #live/gu)).toHaveLength(1);
  expect(preview).toContain(cause);
  expect(status).toContain('🟢 **discord**: connected');
  expect(status).not.toContain('🔴');
});
