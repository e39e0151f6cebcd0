import { expect } from 'vitest';
import { sendMessage } from '#src/clients/social/messages.ts';
import { faultOf, idsOf, now, recover, type PromiseTest } from './social-fixture.ts';

/** Direct messages. */
export function socialMessagesContract(promise: PromiseTest): void {
  promise('only the recipient gets a message, with its exact text', ['sendMessage', 'getConversation'], async ({ ground, social }) => {
    const text = 'Congratulations! <b>Really</b>\nask @grace';

    const message = await social.sendMessage(ground.other, text);
    const conversation = await social.getConversation(await social.getUserInfo(ground.other));
    const other = await ground.as?.(ground.other);

    expect(message).toMatchObject({ platform: ground.platform.name, text, sender: { handle: ground.handle }, createdAt: now(ground) });
    expect(conversation.messages?.map((one) => one.text)).toEqual([text]);
    expect(conversation).toMatchObject({ id: message.conversationId, kind: 'direct' });
    if (other) expect((await other.getInbox()).items[0]?.lastMessage?.text).toBe(text);
    expect((await (await ground.as?.('grace'))?.getInbox())?.items.filter(({ lastMessage }) => lastMessage?.text === text) ?? []).toEqual(
      [],
    );
    expect((await social.getPosts(ground.handle)).items.filter(({ visibility }) => visibility !== 'direct')).toEqual([]);
  });

  promise(
    'messages in both directions are one conversation, oldest first',
    ['sendMessage', 'getInbox', 'getConversation'],
    async ({ ground, social }) => {
      const first = await social.sendMessage(ground.other, 'one');
      await ground.clock.advance(1000);
      const second = await social.sendMessage(ground.other, 'two');

      const inbox = await social.getInbox({ user: ground.other });
      const { messages } = await social.getConversation(second.conversationId);
      const after = await social.getConversation(second.conversationId, { maxId: first.id });

      expect(idsOf(inbox)).toEqual([second.conversationId]);
      expect(inbox.items[0]?.lastMessage?.text).toBe('two');
      expect(messages?.map(({ text }) => text)).toEqual(['one', 'two']);
      expect(after.messages?.map(({ text }) => text)).toEqual(['two']);
    },
  );

  promise('a new message is unread in the inbox', ['getInbox'], async ({ ground, social, as }) => {
    const other = await as(ground.other);
    await other.sendMessage(ground.handle, 'Hello!');

    const [conversation] = await social.getInbox();

    expect(conversation).toMatchObject({
      unread: !ground.hidesViewer,
      lastMessage: { text: 'Hello!', sender: { handle: ground.other } },
    });
  });

  promise('a reply names the message that it replies to', ['sendMessage.replyToMessage'], async ({ ground, social }) => {
    const first = await social.sendMessage(ground.other, 'one');

    const second = await social.sendMessage(ground.other, 'two', { replyToMessage: first });

    expect(second.replyTo).toBe(first.id);
  });

  promise('a message is found after a lost response', ['sendMessage'], async ({ ground, social }) => {
    const since = now(ground);
    ground.loseNextAnswer();

    const fault = await faultOf(social.sendMessage(ground.other, 'lost', { key: 'k', since }));
    const recovery = await recover(social, sendMessage.declared, { user: ground.other, text: 'lost' }, { key: 'k', since });

    expect(fault).toBe('unanswered');
    expect(recovery).toMatchObject({ found: { text: 'lost' } });
  });

  promise('a reaction appears on its message', ['sendMessageReaction', 'sendMessage', 'getConversation'], async ({ ground, social }) => {
    const message = await social.sendMessage(ground.other, 'one');

    await social.sendMessageReaction('🎉', message);
    const { messages } = await social.getConversation(message.conversationId);

    expect(messages?.[0]?.reactions).toMatchObject([{ emoji: '🎉', user: { handle: ground.handle } }]);
  });

  promise('a message to an unknown user fails', ['sendMessage'], async ({ social }) => {
    await expect(social.sendMessage('nobody_at_all', 'Hello?')).rejects.toMatchObject({ fault: 'missing' });
  });
}
