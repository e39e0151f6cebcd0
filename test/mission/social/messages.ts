import { expect } from 'vitest';
import type { StoredMessage } from '#sandbox/social/messaging/direct-messages.ts';
import type { Choice } from '#src/social/arguments.ts';
import type { SendMessageOptions } from '#src/social/messages.ts';
import type { Conversation, Message } from '#src/social/records/message.ts';
import type { User } from '#src/social/records/user.ts';
import { fileWith, PNG } from '../../support/media-files.ts';
import { answers, one, row, walks, type Case, type Row } from '../rows.ts';
import { naming, postForms, userForms } from './forms.ts';
import type { SocialGround } from './ground.ts';
import { ME, MESSAGE, ROOT } from './installation/past.ts';
import { VIDEO } from './installation/posts.ts';
import {
  emojiOf,
  messageFacts,
  seenMessage,
  seenConversation,
  sent,
  conversationFacts,
  conversationOf,
  conversations,
  unreadIn,
} from './world/messages.ts';
import { ada } from './world/people.ts';

const PAGE = 20;
const GROUP = 'group-1';

/** The id of the conversation with ada. */
function withAda(ground: SocialGround): string {
  return `${ada(ground).id}-${ME}`;
}

async function conversationWithAda(ground: SocialGround): Promise<Conversation> {
  const { items } = await ground.client.getInbox({ user: ada(ground).id });
  return items[0] ?? Promise.reject(new Error('ada has not written'));
}

async function numbered(ground: SocialGround): Promise<Message> {
  const { messages = [] } = await ground.client.getConversation(withAda(ground));
  return messages.find(({ id }) => id === MESSAGE) ?? Promise.reject(new Error('the message is gone'));
}

/** The conversation with ada in each form that a call can name it. */
const conversationForms: Readonly<Record<string, (ground: SocialGround) => Choice<Conversation> | User | Promise<Conversation | User>>> = {
  'conversation_id: str, its id': withAda,
  'conversation_id: str, a handle': () => 'ada',
  'conversation_id: int': (ground) => Number(ada(ground).id),
  'conversation_id: Conversation': conversationWithAda,
  'conversation_id: User': ({ client }) => client.getUserInfo('ada'),
};

const messageForms: Readonly<Record<'str' | 'int' | 'Message', (ground: SocialGround) => Choice<Message> | Promise<Message>>> = {
  str: () => MESSAGE,
  int: () => Number(MESSAGE),
  Message: numbered,
};

interface Sending {
  readonly to?: (ground: SocialGround) => Choice<User> | Promise<Choice<User>>;
  readonly options?: (ground: SocialGround) => SendMessageOptions | Promise<SendMessageOptions>;
  readonly stored?: (ground: SocialGround, message: Message) => Partial<StoredMessage>;
}

/** The platform then has one message more: this one. */
function sends(form: string, { to = () => 'ada', options = () => ({}), stored = () => ({}) }: Sending): Case<SocialGround> {
  return one({
    form,
    async prove(ground) {
      const before = sent(ground);
      const text = `A message with ${form}`;

      const message = await ground.client.sendMessage(await to(ground), text, await options(ground));

      const after = sent(ground);
      const { id, ...kept } = after.find((each) => each.id === message.id) ?? expect.fail('the message is not there');
      expect(after.length).toBe(before.length + 1);
      expect(kept).toEqual({
        conversationId: withAda(ground),
        senderId: ME,
        text,
        createdAtMs: ground.nowMs,
        visibleAtMs: ground.nowMs,
        media: [],
        ...stored(ground, message),
      });
      expect(seenMessage(message)).toEqual(messageFacts({ ...kept, id }));
      expect(conversationOf(ground, kept.conversationId).messages.some((each) => each.id === id)).toBe(true);
    },
  });
}

/** A reaction takes the place of the one before. */
function reacts(form: string, emoji: string, send: (ground: SocialGround) => Promise<boolean>): Case<SocialGround> {
  return one({
    form,
    async prove(ground) {
      expect(emojiOf(ground, MESSAGE)).not.toBe(emoji);

      expect(await send(ground)).toBe(true);

      expect(emojiOf(ground, MESSAGE)).toBe(emoji);
      expect((await numbered(ground)).reactions.map((each) => [each.emoji, each.user.id])).toEqual([[emoji, ME]]);
    },
  });
}

export function messageRows(): readonly Row<SocialGround>[] {
  return [
    row<SocialGround>(
      'get_inbox',
      walks(
        { 'no argument': () => undefined },
        {
          get: ({ client }, _, walk) => client.getInbox(walk),
          iter: ({ client }, _, walk) => client.iterInbox(walk),
          holds: (ground) => conversations(ground).map((conversation) => conversationFacts(ground, conversation)),
          seen: seenConversation,
          page: PAGE,
        },
      ),
      walks(
        naming(userForms('user_id'), (ground) => ada(ground).id),
        {
          get: ({ client }, user, walk) => client.getInbox({ ...walk, user }),
          iter: ({ client }, user, walk) => client.iterInbox({ ...walk, user }),
          holds: (ground) => [conversationFacts(ground, conversationOf(ground, withAda(ground)))],
          seen: seenConversation,
          page: PAGE,
        },
      ),
    ),
    row<SocialGround>(
      'get_conversation',
      answers(conversationForms, {
        call: ({ client }, conversation) => client.getConversation(conversation),
        seen: ({ id, kind, messages }) => ({ id, kind, messages: messages?.map(seenMessage) }),
        holds: (ground) => ({
          id: withAda(ground),
          kind: 'direct',
          messages: conversationOf(ground, withAda(ground)).messages.map(messageFacts),
        }),
      }),
      answers(
        { 'conversation_id: str, of a group': () => GROUP },
        {
          call: ({ client }, conversation) => client.getConversation(conversation),
          seen: ({ id, kind, title, participants }) => ({ id, kind, title, participants: participants.map((each) => each.id) }),
          holds: (ground) => ({ id: GROUP, kind: 'group', title: 'Runners', participants: conversationOf(ground, GROUP).memberIds }),
        },
      ),
      answers(
        { max_id: (ground: SocialGround) => conversationOf(ground, withAda(ground)).messages[1]?.id },
        {
          call: (ground, maxId) => ground.client.getConversation('ada', { maxId }),
          seen: ({ messages }) => messages?.map(seenMessage),
          holds: (ground) => conversationOf(ground, withAda(ground)).messages.slice(2).map(messageFacts),
        },
      ),
      one({
        form: 'conversation_id: opened, it is read',
        async prove(ground) {
          const unread = conversations(ground).find((conversation) => unreadIn(ground, conversation) > 0);
          await ground.client.getConversation(unread?.id ?? '');
          expect(unreadIn(ground, conversationOf(ground, unread?.id ?? ''))).toBe(0);
        },
      }),
    ),
    row<SocialGround>(
      'send_message',
      Object.entries(naming(userForms('username'), (ground) => ada(ground).id)).map(([form, to]) => sends(form, { to })),
      sends('text', {}),
      sends('file: str, a path', {
        options: ({ folder }) => ({ file: fileWith(PNG, { folder, name: 'card.png' }) }),
        stored: (_, { media }) => ({ media: [{ id: media[0]?.id ?? '', kind: 'image', width: 1, height: 1, sizeBytes: PNG.length }] }),
      }),
      sends('file: UploadedMedia', {
        options: () => ({ file: { platform: 'sandbox', id: VIDEO, kind: 'video', state: 'ready' } }),
        stored: () => ({ media: [{ id: VIDEO, kind: 'video', sizeBytes: 9 }] }),
      }),
      sends('audio_only: true', {
        options: () => ({ file: { platform: 'sandbox', id: VIDEO, kind: 'video', state: 'ready' }, audioOnly: true }),
        stored: () => ({ media: [{ id: VIDEO, kind: 'audio', sizeBytes: 9 }] }),
      }),
      sends('in_group: true', { to: () => GROUP, options: () => ({ inGroup: true }), stored: () => ({ conversationId: GROUP }) }),
      Object.entries(messageForms).map(([form, valueFor]) =>
        sends(`reply_to_message_id: ${form}`, {
          options: async (ground) => ({ replyToMessage: await valueFor(ground) }),
          stored: () => ({ replyTo: MESSAGE }),
        }),
      ),
      Object.entries(naming(postForms('post_id'), () => ROOT)).map(([form, valueFor]) =>
        sends(form.replace('post_id', 'quote_post_id'), {
          options: async (ground) => ({ quotePost: await valueFor(ground) }),
          stored: () => ({ sharedPostId: ROOT }),
        }),
      ),
    ),
    row<SocialGround>(
      'send_message_reaction',
      reacts('reaction_emoji: beside a Message, which says its conversation', '🎉', async (ground) =>
        ground.client.sendMessageReaction('🎉', await numbered(ground)),
      ),
      reacts('message_id: str', '👍', ({ client }) => client.sendMessageReaction('👍', MESSAGE, { conversation: 'ada' })),
      reacts('message_id: int', '🔥', ({ client }) => client.sendMessageReaction('🔥', Number(MESSAGE), { conversation: 'ada' })),
      reacts('message_id: Message', '🐈', async (ground) => ground.client.sendMessageReaction('🐈', await numbered(ground))),
      Object.entries(conversationForms).map(([form, valueFor], index) => {
        const emoji = ['😀', '😎', '🍿', '🚀', '💡'][index] ?? '';
        return reacts(form, emoji, async (ground) =>
          ground.client.sendMessageReaction(emoji, MESSAGE, { conversation: await valueFor(ground) }),
        );
      }),
      one({
        form: 'conversation_id: left out beside an id',
        async prove({ client }) {
          await expect(client.sendMessageReaction('🎉', MESSAGE)).rejects.toMatchObject({ name: 'ValidationError', path: 'conversation' });
        },
      }),
    ),
  ];
}
