import { expect } from 'vitest';
import { sendMessage } from '#src/clients/social/messages.ts';
import { faultOf, idsOf, now, recover, type PromiseTest } from './social-fixture.ts';

/** Direct messages. */
export function socialMessagesContract(promise: PromiseTest): void {
  promise('only the recipient gets a message, with its exact text', ['sendMessage', 'getConversation'], async ({ fixture, social }) => {
    const text = 'Congratulations! <b>Really</b>\nask @grace';

    const message = await social.sendMessage(fixture.other, text);
    const conversation = await social.getConversation(await social.getUserInfo(fixture.other));
    const other = await fixture.as?.(fixture.other);

    expect(message).toMatchObject({ platform: fixture.platform.name, text, sender: { handle: fixture.handle }, createdAt: now(fixture) });
    expect(conversation.messages?.map((one) => one.text)).toEqual([text]);
    expect(conversation).toMatchObject({ id: message.conversationId, kind: 'direct' });
    if (other) expect((await other.getInbox()).items[0]?.lastMessage?.text).toBe(text);
    expect((await (await fixture.as?.('grace'))?.getInbox())?.items.filter(({ lastMessage }) => lastMessage?.text === text) ?? []).toEqual(
      [],
    );
    expect((await social.getPosts(fixture.handle)).items.filter(({ visibility }) => visibility !== 'direct')).toEqual([]);
  });

  promise(
    'messages in both directions are one conversation, oldest first',
    ['sendMessage', 'getInbox', 'getConversation'],
    async ({ fixture, social }) => {
      const first = await social.sendMessage(fixture.other, 'one');
      await fixture.clock.advance(1000);
      const second = await social.sendMessage(fixture.other, 'two');

      const inbox = await social.getInbox({ user: fixture.other });
      const { messages } = await social.getConversation(second.conversationId);
      const after = await social.getConversation(second.conversationId, { maxId: first.id });

      expect(idsOf(inbox)).toEqual([second.conversationId]);
      expect(inbox.items[0]?.lastMessage?.text).toBe('two');
      expect(messages?.map(({ text }) => text)).toEqual(['one', 'two']);
      expect(after.messages?.map(({ text }) => text)).toEqual(['two']);
    },
  );

  promise('the conversation with an unknown user is missing', ['getInbox'], async ({ social }) => {
    await expect(social.getInbox({ user: 'nobody_at_all' })).rejects.toMatchObject({ fault: 'missing' });
  });

  promise('a new message is unread in the inbox', ['getInbox'], async ({ fixture, social, as }) => {
    const other = await as(fixture.other);
    await other.sendMessage(fixture.handle, 'Hello!');

    const [conversation] = await social.getInbox();

    expect(conversation).toMatchObject({
      unread: !fixture.hidesViewer,
      lastMessage: { text: 'Hello!', sender: { handle: fixture.other } },
    });
  });

  promise('a reply names the message that it replies to', ['sendMessage.replyToMessage'], async ({ fixture, social }) => {
    const first = await social.sendMessage(fixture.other, 'one');

    const second = await social.sendMessage(fixture.other, 'two', { replyToMessage: first });

    expect(second.replyTo).toBe(first.id);
  });

  promise(
    'a conversation has all replies to the same message',
    ['sendMessage.replyToMessage', 'getConversation'],
    async ({ fixture, social }) => {
      const first = await social.sendMessage(fixture.other, 'one');
      for (const text of ['two', 'three']) {
        await fixture.clock.advance(1000);
        await social.sendMessage(fixture.other, text, { replyToMessage: first });
      }

      const { messages } = await social.getConversation(first.conversationId);

      expect(messages?.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    },
  );

  promise('a message is found after a lost response', ['sendMessage'], async ({ fixture, social }) => {
    const since = now(fixture);
    fixture.loseNextAnswer();

    const fault = await faultOf(social.sendMessage(fixture.other, 'lost', { key: 'k', since }));
    const recovery = await recover(social, sendMessage.declared, { user: fixture.other, text: 'lost' }, { key: 'k', since });

    expect(fault).toBe('unanswered');
    expect(recovery).toMatchObject({ found: { text: 'lost' } });
  });

  promise('a reaction appears on its message', ['sendMessageReaction', 'sendMessage', 'getConversation'], async ({ fixture, social }) => {
    const message = await social.sendMessage(fixture.other, 'one');

    await social.sendMessageReaction('🎉', message);
    const { messages } = await social.getConversation(message.conversationId);

    expect(messages?.[0]?.reactions).toMatchObject([{ emoji: '🎉', user: { handle: fixture.handle } }]);
  });

  promise('a message to an unknown user fails', ['sendMessage'], async ({ social }) => {
    await expect(social.sendMessage('nobody_at_all', 'Hello?')).rejects.toMatchObject({ fault: 'missing' });
  });
}
