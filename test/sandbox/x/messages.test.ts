import { describe, expect, test } from 'vitest';
import { scene, type Scene } from './scene.ts';

async function two(here: Scene) {
  const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
  return { person, x: await here.xdkOf(), other: await here.xdkOf(person?.handle) };
}

const ordered = (...ids: readonly string[]): string => ids.toSorted((a, b) => Number(BigInt(a) - BigInt(b))).join('-');

describe('messages between two', () => {
  test('are sent and read by both, in a conversation whose id is made of theirs', async () => {
    await using here = await scene();
    const { x, other, person } = await two(here);
    const id = person?.id ?? '';

    const sent = await x.directMessages.createByParticipantId(id, { text: 'Hi & welcome' });
    await here.clock.advance(1000);
    const back = await other.directMessages.createByConversationId(sent.data?.dmConversationId ?? '', { text: 'Thanks' });
    const read = await x.directMessages.getEventsByParticipantId(id, {
      dmEventFields: ['sender_id', 'created_at', 'dm_conversation_id'] as never, // the client's type lacks what its server takes
      expansions: ['sender_id'],
    });
    const theirs = await other.directMessages.getEventsByConversationId(sent.data?.dmConversationId ?? '');

    expect(sent.data?.dmConversationId).toBe(ordered(id, here.selfId));
    expect(read.data?.slice(0, 2)).toMatchObject([
      { id: back.data?.dmEventId, eventType: 'MessageCreate', text: 'Thanks', senderId: id, dmConversationId: sent.data?.dmConversationId },
      { id: sent.data?.dmEventId, text: 'Hi &amp; welcome', senderId: here.selfId },
    ]);
    expect(new Set(read.includes?.users?.map((user) => user.id))).toEqual(new Set([id, here.selfId]));
    expect(theirs.data?.[0]).toMatchObject({ id: back.data?.dmEventId });
    expect((await x.directMessages.getEventsById(sent.data?.dmEventId ?? '')).data).toMatchObject({ text: 'Hi &amp; welcome' });
  });

  test('all conversations together go back a month', async () => {
    await using here = await scene();
    const { x, person } = await two(here);
    const { data } = await x.directMessages.createByParticipantId(person?.id ?? '', { text: 'Soon old' });
    const before = await x.directMessages.getEvents();
    await here.clock.advance(31 * 86_400_000);
    const later = await here.xdkOf();

    expect(before.data?.some(({ id }) => id === data?.dmEventId)).toBe(true);
    expect((await later.directMessages.getEvents()).data?.some(({ id }) => id === data?.dmEventId) ?? false).toBe(false);
    expect((await later.directMessages.getEventsByParticipantId(person?.id ?? '')).data?.some(({ id }) => id === data?.dmEventId)).toBe(
      true,
    );
  });

  test('a post is shared by its address, and a picture by its id', async () => {
    await using here = await scene();
    const { x, person } = await two(here);
    const post = await x.posts.create({ text: 'Shared' });
    const picture = await x.media.upload({ media: PIXEL, mediaCategory: 'dm_image' });

    await x.directMessages.createByParticipantId(person?.id ?? '', { text: `Look: https://x.com/fanfare/status/${post.data?.id}` });
    await x.directMessages.createByParticipantId(person?.id ?? '', { attachments: [{ mediaId: picture.data?.id ?? '' }] });
    const { data, includes } = await x.directMessages.getEventsByParticipantId(person?.id ?? '', {
      expansions: ['referenced_posts', 'attachments.media_keys'],
      dmEventFields: ['attachments'],
    });

    expect(data?.slice(0, 2)).toMatchObject([
      { attachments: { mediaKeys: [picture.data?.mediaKey] } },
      { referencedPosts: [{ id: post.data?.id }] },
    ]);
    expect(includes).toMatchObject({
      posts: [{ id: post.data?.id, text: 'Shared' }],
      media: [{ mediaKey: picture.data?.mediaKey, type: 'photo' }],
    });
  });

  test('what is not one’s own conversation cannot be read, nor an empty message sent', async () => {
    await using here = await scene();
    const { x, person } = await two(here);
    const [stranger, friend] = here.sandbox.world.people.slice(0, 2);

    await expect(x.directMessages.getEventsByConversationId(ordered(stranger?.id ?? '', friend?.id ?? ''))).rejects.toMatchObject({
      status: 403,
    });
    await expect(x.directMessages.createByParticipantId(person?.id ?? '', {})).rejects.toMatchObject({ status: 400 });
    await expect(x.directMessages.createByParticipantId('77', { text: 'Hi' })).rejects.toMatchObject({ status: 404 });
  });
});

test('people come together in a group, which the other client reads, too', async () => {
  await using here = await scene();
  const { accessToken } = await here.session();
  const { v2 } = here.twitterApi(accessToken);
  const members = here.sandbox.world.people.slice(0, 2).map(({ id }) => id);

  const answer = await v2.createDmConversation({ conversation_type: 'Group', participant_ids: members, message: { text: 'Welcome' } });
  const { data: group } = answer as unknown as { data: typeof answer }; // it comes in `data`, whatever the client's type says
  await v2.sendDmInConversation(group.dm_conversation_id, { text: 'Anybody?' });
  const events = await v2.listDmEventsOfConversation(group.dm_conversation_id, {
    'dm_event.fields': ['participant_ids', 'sender_id'] as never[],
  }); // as its server takes them

  expect(group.dm_conversation_id).toMatch(/^\d+$/);
  expect(events.events.map(({ event_type: type }) => type).toSorted()).toEqual(['MessageCreate', 'MessageCreate', 'ParticipantsJoin']);
  const joined = events.events.find(({ event_type: type }) => type === 'ParticipantsJoin');
  expect(joined).toMatchObject({ participant_ids: [here.selfId, ...members] });
});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
