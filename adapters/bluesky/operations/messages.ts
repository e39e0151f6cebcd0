import { z } from 'zod';
import { ValidationError } from '#src/errors.ts';
import type { CallOptions } from '#src/operation/call.ts';
import { countGraphemes } from '#src/operation/text/graphemes.ts';
import type { Account } from '../account.ts';
import { failure, isFault, PLATFORM, type Primitives, type Recoveries } from '../platform.ts';
import { quoteOf } from '../posting/references.ts';
import { readRows } from '../reading/pages.ts';
import { facetsOf } from '../text/facets.ts';
import { ConvoView, MessageView, peopleIn, toConversation, toMessage } from '../wire/convo.ts';
import { saidBy } from '../xrpc/said-by.ts';
import { recoverMessage } from './lost-message.ts';
import { talks } from './talks.ts';

type Name = 'getInbox' | 'getConversation' | 'sendMessage' | 'sendMessageReaction';

interface Messages {
  readonly operations: Pick<Primitives, Name>;
  readonly recover: Pick<Recoveries, 'sendMessage'>;
}

const MOST_CHARACTERS = 1000;
const MOST_BYTES = 10_000;

/** Direct messages, which a service of their own keeps. */
export function messages(account: Account): Messages {
  const { xrpc, repo, names, now } = account;
  const own = talks(account);
  const { findTalk, requireTalk, readMessages } = own;

  async function removeOthers(
    reacted: MessageView,
    place: { readonly convoId: string; readonly messageId: string },
    emoji: string,
    options: CallOptions,
  ) {
    const did = await repo.did(options.signal);
    for (const { value, sender } of reacted.reactions ?? []) {
      if (sender.did !== did || value === emoji) continue;
      await xrpc.procedure('chat.bsky.convo.removeReaction', { json: { ...place, value }, idempotent: true }, options);
    }
  }

  return {
    operations: {
      async getInbox({ user }, options) {
        if (user !== undefined) {
          const talk = await findTalk(user, options);
          return { items: talk ? [toConversation(talk, now())] : [] };
        }
        const source = { nsid: 'chat.bsky.convo.listConvos', rows: 'convos', query: {} };
        const { rows, partialErrors, cursor, fetchedAt } = await readRows(account, source, ConvoView, options);
        return { items: rows.map((view) => toConversation(view, fetchedAt)), partialErrors, cursor };
      },

      async getConversation({ conversation, maxId }, options) {
        const talk = await requireTalk(conversation, options);
        const { views, related } = await readMessages(talk.id, maxId, options);
        const people = peopleIn([...related, ...talk.members]);
        const told = views.map((view) => toMessage(view, { conversationId: talk.id, people, now: now() }));
        return { ...toConversation(talk, now()), messages: told.toReversed() };
      },

      async sendMessage({ user, text, inGroup, replyToMessage, quotePost }, { signal }) {
        assertSendable(text, quotePost);
        const talk = await requireTalk(inGroup ? user : names.actor(user), { signal });
        const record = quotePost === undefined ? undefined : await quoteOf(account, quotePost, { signal });
        const facets = await facetsOf(text, (handle) => names.findDid(handle, signal));
        const message = {
          text,
          ...(facets.length > 0 && { facets }),
          ...(record && { embed: { $type: 'app.bsky.embed.record', record } }),
          ...(replyToMessage !== undefined && { replyTo: { messageId: replyToMessage } }),
        };
        const answer = await xrpc
          .procedure('chat.bsky.convo.sendMessage', { json: { convoId: talk.id, message } }, { signal })
          .catch((error: unknown) => {
            throw afterSending(error);
          });
        const sent = answer.json(MessageView);
        return toMessage(sent, { conversationId: talk.id, people: peopleIn(talk.members), now: now() });
      },

      async sendMessageReaction({ reactionEmoji, message: messageId, conversation }, options) {
        const talk = await requireTalk(conversation, options);
        const place = { convoId: talk.id, messageId };
        const json = { ...place, value: reactionEmoji };
        const answer = await xrpc.procedure('chat.bsky.convo.addReaction', { json, idempotent: true }, options);
        const reacted = saidBy(answer, Reacted);
        if (reacted) await removeOthers(reacted.message, place, reactionEmoji, options);
        return true;
      },
    },

    recover: { sendMessage: recoverMessage(account, own) },
  };
}

const Reacted = z.object({ message: MessageView });

function assertSendable(text: string, quotePost: string | undefined): void {
  if (countGraphemes(text) > MOST_CHARACTERS || Buffer.byteLength(text) > MOST_BYTES) {
    throw new ValidationError(`a message on ${PLATFORM} has at most ${MOST_CHARACTERS} characters and ${MOST_BYTES} bytes`, {
      path: 'text',
    });
  }
  if (text === '' && quotePost === undefined) throw new ValidationError(`a message on ${PLATFORM} says something`, { path: 'text' });
}

/** There are no keys here: a server that broke down may have sent it. */
function afterSending(error: unknown): unknown {
  return isFault(error, 'unavailable')
    ? failure('unanswered', 'the chat service broke down: nobody knows whether it was sent.', error)
    : error;
}
