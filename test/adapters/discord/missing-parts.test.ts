import { expect, test } from 'vitest';
import { missingParts } from '#src/clients/operation/client.ts';
import { openChat } from './open-chat.ts';

const FILE = 'http://127.0.0.1:9/none.png';

test.each([
  ['mention', { mention: ['<@&1202584131993600001>'] }, '"<@&1202584131993600001>" is the role of all members: write @everyone'],
  ['mention', { mention: ['Nobody'] }, 'The Discord server has no role "Nobody".'],
  ['files', { files: [FILE] }, 'The file at 127.0.0.1 cannot be attached'],
])('a message with a part that cannot be had fails before anything is sent, and names the part: %s', async (parameter, parts, message) => {
  await using fixture = await openChat();

  await expect(fixture.chat.send('live', { content: 'x', ...parts })).rejects.toMatchObject({
    message: expect.stringContaining(message),
    part: { parameter, index: 0 },
  });
  expect(await fixture.standing('live')).toEqual([]);
});

test('all unavailable parts are reported before the send', async () => {
  await using fixture = await openChat();
  const params = {
    channel: 'questions',
    content: 'x',
    mention: ['Nobody'],
    tags: ['Open', 'Shut'],
    files: [FILE, { path: 'no-such-card.png' }],
  };

  const missing = await fixture.chat[missingParts](params, {});

  expect(missing.map(({ parameter, index }) => [parameter, index])).toEqual([
    ['files', 0],
    ['files', 1],
    ['mention', 0],
    ['tags', 1],
  ]);
});
