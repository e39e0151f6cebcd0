import { expect, test } from 'vitest';
import { openChat } from './open-chat.ts';

test('a channel that hangs delays no message to another channel', async () => {
  await using fixture = await openChat();
  // The names of channels are cached from here on.
  await fixture.chat.send('general', { content: 'first' });
  const channelId = fixture.discord.channelIds.get('live') ?? '';
  fixture.discord.sandbox.faults.add({
    platform: 'discord',
    method: 'POST',
    route: `/channels/${channelId}/messages`,
    kind: 'delay',
    ms: 3_600_000,
    times: 2,
  });
  const stop = new AbortController();

  const hanging = fixture.chat.send('live', { content: 'one', signal: stop.signal });
  hanging.catch(() => undefined);
  await expect.poll(() => fixture.discord.sandbox.faults.all()).toMatchObject([{ kind: 'delay', times: 1 }]);
  await fixture.chat.send('general', { content: 'second' });

  expect((await fixture.standing('general')).map(({ content }) => content)).toEqual(['first', 'second']);
  expect(await fixture.standing('live')).toEqual([]);
  stop.abort();
});
