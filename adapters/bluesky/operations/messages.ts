import { z } from 'zod';
import { ValidationError } from '#src/errors.ts';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { doubtfulMs, findLost, soonestMs } from '#src/clients/operation/find-lost.ts';
import type { Recovery } from '#src/clients/operation/platform.ts';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import { isFault } from '#src/http/errors.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import { readPages } from '#src/clients/paging/read-pages.ts';
import type { AccountContext } from '../account-context.ts';
import { atUri, isDid, toHandle } from '../addresses.ts';
import { readAnswer } from '../client.ts';
import { failure, PLATFORM, type Primitives, type Recoveries } from '../errors.ts';
import { MOST_ROWS, readPage } from '../pages.ts';
import { facetsOf } from '../text/facets.ts';
import { ConvoItem, ConvoView, MessageView, peopleIn, toConversation, toMessage } from '../wire/convo.ts';
import { carriedBy } from '../wire/embed.ts';
import { listOf, maybe, maybeText } from '../wire/parts.ts';
import { Profile } from '../wire/profile.ts';
import { quoteOf } from './posts.ts';

type Recover = NonNullable<Recoveries['sendMessage']>;
type ExpectedMessage = Pick<Parameters<Recover>[0], 'text' | 'replyToMessage'> & {
  /** The address of the quoted post. */
  readonly quoted: string | undefined;
};

/** Searches a conversation for a message whose outcome is unknown. */
function recoverMessage({ repo, names, now }: AccountContext, { require: requireConversation, readMessages }: Conversations): Recover {
  return async ({ user, text, inGroup, replyToMessage, quotePost }, { since, taken, signal }) => {
    const convo = await requireConversation(inGroup ? user : names.actor(user), { signal });
    const did = await repo.did(signal);
    const quoted = quotePost === undefined ? undefined : atUri(await names.postOf(quotePost, signal));
    const { views, isWhole } = await readMessages(convo.id, undefined, { signal, fromMs: doubtfulMs(since) });
    const sent = views.filter(({ id, sender }) => sender.did === did && !taken.has(id)).toReversed();
    const among = (isAlike: (view: MessageView) => boolean): Recovery<MessageView> =>
      findLost(sent.filter(isAlike), { since, madeAt: ({ sentAt }) => sentAt });
    const expected = { text, replyToMessage, quoted };
    const lost = among((view) => matches(view, expected) === true);
    if (typeof lost === 'object') {
      return { found: toMessage(lost.found, { conversationId: convo.id, people: peopleIn(convo.members), now: now() }) };
    }
    const isComplete = isWhole || views.some(({ sentAt }) => sentAt !== undefined && sentAt.getTime() < soonestMs(since));
    const isAbsent = isComplete && among((view) => matches(view, expected) !== false) === 'absent';
    return isAbsent ? 'absent' : 'cannotTell';
  };
}

/** Whether a message matches; undefined if the service omits the reply or the quote that would decide. */
function matches(view: MessageView, { text, replyToMessage, quoted }: ExpectedMessage): boolean | undefined {
  // The service hides the id of the answered message from members who joined later.
  const answered = view.replyTo && (view.replyTo.id ?? replyToMessage);
  const shown = carriedBy(view.embed).quoted?.postId;
  if (view.text !== text || (answered ?? replyToMessage) !== replyToMessage || (shown ?? quoted) !== quoted) return false;
  return answered === replyToMessage && shown === quoted ? true : undefined;
}

/** The adapter reads at most this many pages of messages. */
const MOST_PAGES = 10;

const ConvoAnswer = z.object({ convo: ConvoView });
const MessagesAnswer = z.object({
  messages: listOf(ConvoItem, { isRequired: true }),
  relatedProfiles: maybe(listOf(Profile)),
  cursor: maybeText,
});

/** Messages of a conversation, latest first. */
interface ReadMessages {
  readonly views: readonly MessageView[];
  /** The authors, also those who have left. */
  readonly related: readonly Profile[];
  /** Whether all requested messages were read. */
  readonly isWhole: boolean;
}

interface Conversations {
  /** The conversation with a user; throws `missing` for an unknown user. */
  readonly withUser: (user: string, options: CallOptions) => Promise<ConvoView>;
  /** Finds a conversation by its id or its other member; throws `missing` if there is none. */
  readonly require: (name: string, options: CallOptions) => Promise<ConvoView>;
  /** The messages after the message `maxId`; throws `missing` if there is none. Reading stops at the first message from before `fromMs`. */
  readonly readMessages: (
    id: string,
    maxId: string | undefined,
    options: CallOptions & { readonly fromMs?: number },
  ) => Promise<ReadMessages>;
}

function conversations({ xrpc, names }: AccountContext): Conversations {
  async function conversationWith(user: string, { signal }: CallOptions): Promise<ConvoView> {
    const did = await names.didOf(user, signal);
    return (await xrpc.query('chat.bsky.convo.getConvoForMembers', ConvoAnswer, { members: [did] }, { signal })).convo;
  }

  return {
    withUser: conversationWith,

    async require(name, { signal }) {
      if (isDid(name) || toHandle(name) !== undefined) return conversationWith(name, { signal });
      const { convo } = await xrpc.query('chat.bsky.convo.getConvo', ConvoAnswer, { convoId: name }, { signal }).catch((error: unknown) => {
        throw isFault(error, 'missing', 'rejected') ? failure('missing', `there is no conversation ${name}.`, error) : error;
      });
      return convo;
    },

    async readMessages(id, maxId, { fromMs = 0, signal }) {
      const views: MessageView[] = [];
      const related: Profile[] = [];
      const read = (cursor: string | undefined): Promise<z.output<typeof MessagesAnswer>> =>
        xrpc.query('chat.bsky.convo.getMessages', MessagesAnswer, { convoId: id, limit: MOST_ROWS, cursor }, { signal });
      for await (const { page, isEnd } of readPages(read, MOST_PAGES)) {
        const upTo = maxId === undefined ? -1 : page.messages.findIndex(({ id: one }) => one === maxId);
        const found = (upTo < 0 ? page.messages : page.messages.slice(0, upTo)).flatMap(({ message }) => message ?? []);
        views.push(...found);
        related.push(...(page.relatedProfiles ?? []));
        const isEnough = upTo >= 0 || found.some(({ sentAt }) => sentAt !== undefined && sentAt.getTime() < fromMs);
        if (isEnd && maxId !== undefined && upTo < 0) throw failure('missing', `there is no message ${maxId} in this conversation.`);
        if (isEnough || isEnd) return { views, related, isWhole: true };
      }
      return { views, related, isWhole: false };
    },
  };
}

type Name = 'getInbox' | 'getConversation' | 'sendMessage' | 'sendMessageReaction';

interface Messages {
  readonly operations: Pick<Primitives, Name>;
  readonly recover: Pick<Recoveries, 'sendMessage'>;
}

const MOST_CHARACTERS = 1000;
const MOST_BYTES = 10_000;

/** Direct messages, through the chat service. */
export function messages(account: AccountContext): Messages {
  const { xrpc, repo, names, now } = account;
  const reader = conversations(account);
  const { withUser, require: requireConversation, readMessages } = reader;

  async function removeOthers(
    reacted: MessageView,
    target: { readonly convoId: string; readonly messageId: string },
    emoji: string,
    options: CallOptions,
  ) {
    const did = await repo.did(options.signal);
    for (const { value, sender } of reacted.reactions ?? []) {
      if (sender.did !== did || value === emoji) continue;
      await xrpc.procedure('chat.bsky.convo.removeReaction', { json: { ...target, value }, idempotent: true }, options);
    }
  }

  return {
    operations: {
      async getInbox({ user }, options) {
        if (user !== undefined) {
          return { items: [toConversation(await withUser(user, options), now())] };
        }
        const source = { nsid: 'chat.bsky.convo.listConvos', rows: 'convos', query: {} };
        return readPage(account, source, ConvoView, toConversation, options);
      },

      async getConversation({ conversation, maxId }, options) {
        const convo = await requireConversation(conversation, options);
        const { views, related } = await readMessages(convo.id, maxId, options);
        const people = peopleIn([...related, ...convo.members]);
        const messages = views.map((view) => toMessage(view, { conversationId: convo.id, people, now: now() }));
        return { ...toConversation(convo, now()), messages: messages.toReversed() };
      },

      async sendMessage({ user, text, inGroup, replyToMessage, quotePost }, { signal }) {
        assertSendable(text, quotePost);
        const convo = await beforeWrite(requireConversation(inGroup ? user : names.actor(user), { signal }));
        const record = quotePost === undefined ? undefined : await beforeWrite(quoteOf(account, quotePost, { signal }));
        const facets = await beforeWrite(facetsOf(text, (handle) => names.findDid(handle, signal)));
        const message = {
          text,
          ...(facets.length > 0 && { facets }),
          ...(record && { embed: { $type: 'app.bsky.embed.record', record } }),
          ...(replyToMessage !== undefined && { replyTo: { messageId: replyToMessage } }),
        };
        // The chat service does not deduplicate messages.
        const request = { json: { convoId: convo.id, message }, creates: true };
        const answer = await xrpc.procedure('chat.bsky.convo.sendMessage', request, { signal });
        const sent = answer.json(MessageView);
        return toMessage(sent, { conversationId: convo.id, people: peopleIn(convo.members), now: now() });
      },

      async sendMessageReaction({ reactionEmoji, message: messageId, conversation }, options) {
        const convo = await requireConversation(conversation, options);
        const target = { convoId: convo.id, messageId };
        const json = { ...target, value: reactionEmoji };
        const answer = await xrpc.procedure('chat.bsky.convo.addReaction', { json, idempotent: true }, options);
        const reacted = readAnswer(answer, Reacted);
        if (reacted) await removeOthers(reacted.message, target, reactionEmoji, options);
        return true;
      },
    },

    recover: { sendMessage: recoverMessage(account, reader) },
  };
}

const Reacted = z.object({ message: MessageView });

function assertSendable(text: string, quotePost: string | undefined): void {
  if (countGraphemes(text) > MOST_CHARACTERS || Buffer.byteLength(text) > MOST_BYTES) {
    throw new ValidationError(`a message on ${PLATFORM} can have at most ${MOST_CHARACTERS} characters and ${MOST_BYTES} bytes`, {
      path: 'text',
    });
  }
  if (text === '' && quotePost === undefined)
    throw new ValidationError(`a message on ${PLATFORM} needs a text or a quoted post`, { path: 'text' });
}
