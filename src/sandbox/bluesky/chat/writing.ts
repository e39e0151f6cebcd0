import { z } from 'zod';
import { isJsonList, isJsonObject, type JsonObject } from '#src/operation/json.ts';
import { countGraphemes } from '#src/operation/text/graphemes.ts';
import type { Talk } from '../../social/messaging/mailbox.ts';
import type { StoredMessage } from '../../social/messaging/talks.ts';
import type { Bluesky } from '../core.ts';
import { Facet, limited } from '../repo/parts.ts';
import { valueAt } from '../repo/references.ts';
import { findPost } from '../view/look.ts';
import { procedure, type Endpoints, type SignedCall } from '../xrpc/endpoint.ts';
import { StrongRef } from '../xrpc/params.ts';
import { invalidRequest } from '../xrpc/refusal.ts';
import { chatLookOf, requireConvo, requireMessage, type ChatLook } from './look.ts';
import { toMessage } from './view.ts';

const MOST_REACTIONS = 5;

const Message = z.looseObject({
  text: limited({ graphemes: 1000, bytes: 10_000 }),
  facets: z.array(Facet).optional(),
  embed: z.looseObject({ $type: z.literal('app.bsky.embed.record'), record: StrongRef }).optional(),
  replyTo: z.looseObject({ messageId: z.string() }).optional(),
});
const Reacting = z.looseObject({ convoId: z.string(), messageId: z.string(), value: z.string() });

/** `chat.bsky.convo`: what somebody says to others alone. */
export function chatWritingEndpoints(bluesky: Bluesky): Endpoints {
  const { talks } = bluesky.stage;

  function send(talk: Talk, message: z.output<typeof Message>, given: JsonObject, chat: ChatLook): StoredMessage {
    const { viewer, call } = chat.look;
    if (message.text.trim() === '' && !message.embed) throw invalidRequest('Message text cannot be empty');
    const shared = message.embed?.record.uri;
    const sent = talks.add({
      conversationId: talk.id,
      senderId: viewer.id,
      text: message.text,
      createdAtMs: call.nowMs,
      visibleAtMs: call.nowMs + (call.fault('delayedVisibility')?.ms ?? 0),
      media: [],
      replyTo: message.replyTo && answered(talk, message.replyTo.messageId).id,
      sharedPostId: shared === undefined ? undefined : (findPost(chat.look, shared)?.id ?? shared),
    });
    const facets = valueAt(given, 'facets');
    if (isJsonList(facets)) bluesky.messageMarks.setFacets(sent.id, facets.filter(isJsonObject));
    talks.markRead(talk.id, viewer.id, call.nowMs);
    return sent;
  }

  function answered(talk: Talk, messageId: string): StoredMessage {
    try {
      return requireMessage(talk, messageId);
    } catch {
      throw invalidRequest('Reply target not found', 'ReplyTargetNotFound');
    }
  }

  function marked(call: SignedCall, { convoId, messageId, value }: z.output<typeof Reacting>, on: boolean): JsonObject {
    const chat = chatLookOf(bluesky, call);
    const talk = requireConvo(chat, convoId);
    const { id } = requireMessage(talk, messageId);
    if (countGraphemes(value) !== 1 || !/\p{Emoji}/u.test(value)) throw invalidRequest('Reaction value is invalid', 'ReactionInvalidValue');
    const userId = chat.look.viewer.id;
    const own = bluesky.messageMarks.on(id).filter((reaction) => reaction.userId === userId);
    if (on && own.length >= MOST_REACTIONS && !own.some((reaction) => reaction.value === value)) {
      throw invalidRequest(`Cannot add more than ${MOST_REACTIONS} reactions`, 'ReactionLimitReached');
    }
    if (on) bluesky.messageMarks.add({ messageId: id, userId, value, atMs: call.nowMs });
    else bluesky.messageMarks.remove({ messageId: id, userId, value });
    return { message: toMessage(requireMessage(talk, messageId), talk, chat) };
  }

  return {
    'chat.bsky.convo.sendMessage': procedure(
      z.looseObject({ convoId: z.string(), message: Message }),
      ({ convoId, message }, call, body) => {
        const chat = chatLookOf(bluesky, call);
        const talk = requireConvo(chat, convoId);
        const given = valueAt(body, 'message');
        return toMessage(send(talk, message, isJsonObject(given) ? given : {}, chat), talk, chat);
      },
    ),

    'chat.bsky.convo.sendMessageBatch': procedure(
      z.looseObject({ items: z.array(z.looseObject({ convoId: z.string(), message: Message })).max(100) }),
      ({ items }, call, body) => {
        const chat = chatLookOf(bluesky, call);
        const given = valueAt(body, 'items');
        const wanted = items.map(({ convoId, message }) => ({ talk: requireConvo(chat, convoId), message }));
        const sent = wanted.map(({ talk, message }, index) => {
          const item = isJsonList(given) ? valueAt(given[index], 'message') : undefined;
          return toMessage(send(talk, message, isJsonObject(item) ? item : {}, chat), talk, chat);
        });
        return { items: sent };
      },
    ),

    'chat.bsky.convo.addReaction': procedure(Reacting, (given, call) => marked(call, given, true)),
    'chat.bsky.convo.removeReaction': procedure(Reacting, (given, call) => marked(call, given, false)),
  };
}
