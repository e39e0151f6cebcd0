import { AtpAgent } from '@atproto/api';
import { expect, test } from 'vitest';
import { didOf, forMessages, openBluesky } from './open-bluesky.ts';

test('a message is sent to somebody and read by them', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const [mine, hers] = [forMessages(agent), forMessages(ada)];
  const convoId = await convoWith(mine, didOf(ada));

  const sent = (await mine.chat.bsky.convo.sendMessage({ convoId, message: { text: 'Hello, Ada!' } })).data;
  ground.clock.set(ground.clock.nowMs() + 1000);
  const facets = [
    { index: { byteStart: 0, byteEnd: 2 }, features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com' }] },
  ];
  const reply = (await hers.chat.bsky.convo.sendMessage({ convoId, message: { text: 'Hi', facets, replyTo: { messageId: sent.id } } }))
    .data;

  const { messages } = (await mine.chat.bsky.convo.getMessages({ convoId, limit: 2 })).data;
  expect(messages).toMatchObject([
    { id: reply.id, text: 'Hi', facets, sender: { did: didOf(ada) }, replyTo: { id: sent.id, text: 'Hello, Ada!' } },
    { id: sent.id, text: 'Hello, Ada!', sender: { did: didOf(agent) } },
  ]);
  const [first] = (await mine.chat.bsky.convo.listConvos()).data.convos;
  expect(first).toMatchObject({ id: convoId, lastMessage: { id: reply.id }, unreadCount: 1, status: 'accepted', muted: false });
  expect(first?.members.map(({ did }) => did).toSorted()).toEqual([didOf(agent), didOf(ada)].toSorted());
  await mine.chat.bsky.convo.updateRead({ convoId });
  expect((await mine.chat.bsky.convo.getConvo({ convoId })).data.convo.unreadCount).toBe(0);
});

test('what strangers once wrote are requests, until they are accepted', async () => {
  await using ground = await openBluesky();
  const chat = forMessages(await ground.signIn());
  const requests = (await chat.chat.bsky.convo.listConvos({ status: 'request' })).data.convos;

  await chat.chat.bsky.convo.acceptConvo({ convoId: requests[0]?.id ?? '' });

  expect(requests.length).toBeGreaterThan(0);
  expect((await chat.chat.bsky.convo.listConvos({ status: 'accepted' })).data.convos.map(({ id }) => id)).toEqual([requests[0]?.id]);
});

test('an emoji is put on a message once, up to five by one person, and taken away', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const chat = forMessages(agent);
  const convoId = await convoWith(chat, (await ground.account('ada')).did);
  const { id: messageId } = (await chat.chat.bsky.convo.sendMessage({ convoId, message: { text: 'vote' } })).data;
  const react = (value: string) => chat.chat.bsky.convo.addReaction({ convoId, messageId, value });

  for (const value of ['👍', '👍', '🎉', '👨‍👩‍👧', '🇩🇪', '❤️']) await react(value);

  const { reactions } = (await chat.chat.bsky.convo.removeReaction({ convoId, messageId, value: '🎉' })).data.message;
  await react('🎉');
  expect(reactions?.map(({ value, sender }) => [value, sender.did])).toEqual(
    ['👍', '👨‍👩‍👧', '🇩🇪', '❤️'].map((value) => [value, agent.session?.did]),
  );
  await expect(react('🚀')).rejects.toMatchObject({ status: 400, error: 'ReactionLimitReached' });
  await expect(react('x')).rejects.toMatchObject({ status: 400, error: 'ReactionInvalidValue' });
});

test('a message shows a post, and nothing longer than a thousand characters is sent', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const chat = forMessages(agent);
  const convoId = await convoWith(chat, (await ground.account('ada')).did);
  const record = await agent.post({ text: 'worth reading' });

  const embed = { $type: 'app.bsky.embed.record' as const, record: { uri: record.uri, cid: record.cid } };
  const { data } = await chat.chat.bsky.convo.sendMessage({ convoId, message: { text: '', embed } });

  expect(data.embed).toMatchObject({ record: { uri: record.uri, value: { text: 'worth reading' } } });
  const long = chat.chat.bsky.convo.sendMessage({ convoId, message: { text: 'x'.repeat(1001) } });
  await expect(long).rejects.toMatchObject({ status: 400, error: 'InvalidRequest' });
});

test('messages are not for an app password without that privilege, nor for a service that has none', async () => {
  await using ground = await openBluesky();
  const { handle: identifier, appPasswordWithoutMessages: password } = await ground.account();
  const agent = new AtpAgent({ service: ground.sandbox.url });
  await agent.login({ identifier, password });

  await expect(forMessages(agent).chat.bsky.convo.listConvos()).rejects.toMatchObject({
    status: 400,
    error: 'InvalidToken',
    message: 'Bad token method',
  });
  expect((await agent.getTimeline()).success).toBe(true);
  await expect((await ground.signIn()).chat.bsky.convo.listConvos()).rejects.toMatchObject({ status: 501, error: 'MethodNotImplemented' });
});

test.for([
  ['none', 'MessagesDisabled'],
  ['following', 'NotFollowedBySender'],
] as const)('who takes messages of %s gets none of a stranger', async ([allowIncoming, error]) => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const record = { $type: 'chat.bsky.actor.declaration', allowIncoming };
  await ada.com.atproto.repo.putRecord({ repo: didOf(ada), collection: record.$type, rkey: 'self', record });

  await expect(convoWith(forMessages(agent), didOf(ada))).rejects.toMatchObject({ status: 400, error });
  expect((await forMessages(agent).chat.bsky.convo.getConvoAvailability({ members: [didOf(ada)] })).data.canChat).toBe(false);
});

test('nobody reads a conversation in which they are not', async () => {
  await using ground = await openBluesky();
  const [agent, linus] = [await ground.signIn(), await ground.signIn('linus')];
  const convoId = await convoWith(forMessages(agent), (await ground.account('ada')).did);

  await expect(forMessages(linus).chat.bsky.convo.getMessages({ convoId })).rejects.toMatchObject({ status: 400, error: 'InvalidConvo' });
  await expect(forMessages(linus).chat.bsky.convo.getConvo({ convoId: 'nonsense' })).rejects.toMatchObject({ error: 'InvalidConvo' });
});

test('a group has a name and all of its members', async () => {
  await using ground = await openBluesky();
  const chat = forMessages(await ground.signIn());
  await ground.order('groups', { title: 'Marathon', members: ['fanfare', 'ada', 'linus'] });

  const [group] = (await chat.chat.bsky.convo.listConvos({ kind: 'group' })).data.convos;
  await chat.chat.bsky.convo.sendMessage({ convoId: group?.id ?? '', message: { text: 'Who is in?' } });

  expect(group).toMatchObject({ kind: { $type: 'chat.bsky.convo.defs#groupConvo', name: 'Marathon', memberCount: 3 } });
  const { members } = (await chat.chat.bsky.convo.getConvoMembers({ convoId: group?.id ?? '' })).data;
  expect(members.map(({ handle }) => handle)).toEqual(['fanfare', 'ada', 'linus'].map((name) => `${name}.sandbox.test`));
});

async function convoWith(chat: AtpAgent, did: string): Promise<string> {
  return (await chat.chat.bsky.convo.getConvoForMembers({ members: [did] })).data.convo.id;
}
