import { expect, test } from 'vitest';
import { openChat } from './open-chat.ts';

test('a channel that hangs delays no message to another channel', async () => {
  await using ground = await openChat();
  // The names of channels are cached from here on.
  await ground.chat.send('general', { content: 'first' });
  const channelId = ground.discord.channelIds.get('live') ?? '';
  ground.discord.sandbox.faults.add({
    platform: 'discord',
    method: 'POST',
    route: `/channels/${channelId}/messages`,
    kind: 'delay',
    ms: 3_600_000,
    times: 2,
  });
  const stop = new AbortController();

  const hanging = ground.chat.send('live', { content: 'one', signal: stop.signal });
  hanging.catch(() => undefined);
  await expect.poll(() => ground.discord.sandbox.faults.all()).toMatchObject([{ kind: 'delay', times: 1 }]);
  await ground.chat.send('general', { content: 'second' });

  expect((await ground.standing('general')).map(({ content }) => content)).toEqual(['first', 'second']);
  expect(await ground.standing('live')).toEqual([]);
  stop.abort();
});
