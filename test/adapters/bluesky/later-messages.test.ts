import { expect, test } from 'vitest';
import { openBluesky } from './open-bluesky.ts';
import { DID, scriptBluesky, session } from './script-bluesky.ts';

const sender = { did: DID };
const written = (id: string) => ({ id, text: `message ${id}`, sender, sentAt: '2026-11-20T18:00:00Z' });
const deleted = (id: string) => ({ $type: 'chat.bsky.convo.defs#deletedMessageView', id, rev: id, sender, sentAt: '2026-11-20T18:00:00Z' });

test('only the messages after a deleted message are read', async () => {
  const convo = { id: 'c', members: [{ did: DID, handle: 'ada.test' }] };
  await using scripted = await scriptBluesky(
    [
      ['GET /xrpc/chat.bsky.convo.getConvo?convoId=c', { json: { convo } }],
      ['GET /xrpc/chat.bsky.convo.getMessages?convoId=c&limit=100', { json: { messages: [written('3'), deleted('2'), written('1')] } }],
    ],
    { kept: (url) => session(1, url) },
  );

  const { messages } = await scripted.social.getConversation('c', { maxId: '2' });

  expect(messages?.map(({ id }) => id)).toEqual(['3']);
});

test('an unknown message is missing in its conversation', async () => {
  await using fixture = await openBluesky();
  const { conversationId } = await fixture.social.sendMessage(fixture.other, 'hello');

  await expect(fixture.social.getConversation(conversationId, { maxId: 'unknown' })).rejects.toMatchObject({
    fault: 'missing',
    message: expect.stringContaining('message unknown'),
  });
});
