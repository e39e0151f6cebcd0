import { expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial } from '../../../test/adapters/sandbox/open-social.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { controlApi } from '../../../test/support/control-api.ts';
import { signIn } from '../../../test/support/sandbox-people.ts';

const MINUTE_MS = 60_000;

test('people answer messages within a minute, always with the same text', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const question = await social.sendMessage('ada', 'Are you live tonight?');

  const before = (await social.getConversation('ada')).messages;
  await fixture.clock.advance(MINUTE_MS);
  const [, answer, ...more] = (await social.getConversation('ada')).messages ?? [];

  expect(before).toHaveLength(1);
  expect(more).toEqual([]);
  expect(answer).toMatchObject({ sender: { handle: 'ada' }, replyTo: question.id });
  expect((await social.getConversation('ada')).messages?.at(1)).toEqual(answer);
});

test('a person who has answered through the API gets no generated answer', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const ada = await signIn(fixture, 'ada');
  await social.sendMessage('ada', 'Hello?');
  await ada.sendMessage('fanfare', 'Here I am.');

  await fixture.clock.advance(2 * MINUTE_MS);

  const { messages } = await social.getConversation('ada');
  expect(messages?.map(({ text }) => text)).toEqual(['Hello?', 'Here I am.']);
});

test('only members can read a group', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const [grace, linus] = await Promise.all([signIn(fixture, 'grace'), signIn(fixture, 'linus')]);
  const { id } = await controlApi(fixture.sandbox.url)<{ id: string }>('/social/groups', {
    title: 'Marathon',
    members: ['fanfare', 'ada', 'grace'],
  });

  const sent = await social.sendMessage(id, 'Saturday at nine', { inGroup: true });

  expect(await grace.getConversation(id)).toMatchObject({ kind: 'group', title: 'Marathon', messages: [sent] });
  await expect(linus.getConversation(id)).rejects.toMatchObject({ fault: 'missing' });
  await expect(linus.sendMessage(id, 'me too', { inGroup: true })).rejects.toMatchObject({ fault: 'missing' });
});

test('a block stops messages between two people and hides their conversation until it ends', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const ada = await signIn(fixture, 'ada');
  const sent = await social.sendMessage('ada', 'hello');

  await ada.blockUser('fanfare');
  const refused = social.sendMessage('ada', 'hello?');
  await expect(refused).rejects.toMatchObject({ fault: 'forbidden' });
  const during = await social.getInbox({ user: 'ada' });
  await ada.unblockUser('fanfare');
  const after = await social.getInbox({ user: 'ada' });

  expect(during.length).toBe(0);
  expect(after.at(0)?.lastMessage).toEqual(sent);
});

test('conversations, reactions and read markers survive a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  async function visit(text?: string): Promise<unknown> {
    await using fixture = await openSocial({ file });
    const social = new SocialAsync(fixture);
    const ada = await signIn(fixture, 'ada');
    if (text !== undefined) await ada.sendMessageReaction('🎉', await social.sendMessage('ada', text));
    const { messages = [] } = await social.getConversation('ada');
    const contents = messages.map(({ id, text: words, reactions }) => [
      id,
      words,
      reactions.map(({ emoji, user }) => `${emoji} ${user.handle}`),
    ]);
    return { contents, unread: (await social.getInbox()).at(0)?.unread };
  }

  const before = await visit('hello');

  expect(before).toEqual({ contents: [['message-1', 'hello', ['🎉 ada']]], unread: false });
  expect(await visit()).toEqual(before);
});

test.for([
  ['a missing account', 'nobody_at_all', 'hi', {}, 'missing'],
  ['the account itself', 'fanfare', 'hi', {}, 'rejected'],
  ['a missing group', 'group-9', 'hi', { inGroup: true }, 'missing'],
  ['a person, as sound without a file', 'ada', 'hi', { audioOnly: true }, 'rejected'],
  ['a person, as a reply to a message of another conversation', 'ada', 'hi', { replyToMessage: 'letter-1' }, 'missing'],
] as const)('the platform refuses a message to %s', async ([, user, text, options, fault]) => {
  await using fixture = await openSocial();

  await expect(new SocialAsync(fixture).sendMessage(user, text, options)).rejects.toMatchObject({ name: 'PlatformError', fault });
});
