import { z } from 'zod';
import type { Talk } from '../../social/messaging/mailbox.ts';
import type { Bluesky } from '../core.ts';
import { incomingOf } from '../view/declarations.ts';
import { procedure, query, type Endpoints } from '../xrpc/endpoint.ts';
import { Did, many, one, paging, text } from '../xrpc/params.ts';
import { cutPage } from '../xrpc/paging.ts';
import { invalidRequest } from '../xrpc/refusal.ts';
import { chatLookOf, requireConvo, type ChatLook } from './look.ts';
import { statusOf, toConvo, toMember, toMessage } from './view.ts';

const MOST_MEMBERS = 10;

/** `chat.bsky.convo`: what was said to somebody alone. */
export function chatReadingEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'chat.bsky.convo.listConvos': query(
      z.object({
        readState: one(z.literal('unread')).optional(),
        status: one(z.enum(['request', 'accepted'])).optional(),
        kind: one(z.enum(['direct', 'group'])).optional(),
        ...paging(),
      }),
      ({ readState, status, kind, ...asked }, call) => {
        const chat = chatLookOf(bluesky, call);
        const wanted = chat.mailbox
          .all()
          .filter((talk) => status === undefined || statusOf(talk, chat) === status)
          .filter(({ title }) => kind === undefined || (kind === 'group') === (title !== undefined))
          .filter((talk) => readState === undefined || toConvo(talk, chat)['unreadCount'] !== 0);
        const { items, cursor } = cutPage(wanted, asked, { idOf: ({ id }) => id, fault: call.fault });
        return { cursor, convos: items.map((talk) => toConvo(talk, chat)) };
      },
    ),

    'chat.bsky.convo.getConvo': query(z.object({ convoId: text }), ({ convoId }, call) => {
      const chat = chatLookOf(bluesky, call);
      return { convo: toConvo(requireConvo(chat, convoId), chat) };
    }),

    'chat.bsky.convo.getConvoForMembers': query(z.object({ members: many(Did, MOST_MEMBERS).min(1) }), ({ members }, call) => {
      const chat = chatLookOf(bluesky, call);
      return { convo: toConvo(convoWith(members, chat), chat) };
    }),

    'chat.bsky.convo.getConvoAvailability': query(z.object({ members: many(Did, MOST_MEMBERS).min(1) }), ({ members }, call) => {
      const chat = chatLookOf(bluesky, call);
      try {
        const talk = convoWith(members, chat);
        return { canChat: true, convo: talk.messages.length > 0 ? toConvo(talk, chat) : undefined };
      } catch {
        return { canChat: false };
      }
    }),

    'chat.bsky.convo.getConvoMembers': query(z.object({ convoId: text, ...paging() }), ({ convoId, ...asked }, call) => {
      const chat = chatLookOf(bluesky, call);
      const talk = requireConvo(chat, convoId);
      const { items, cursor } = cutPage(talk.members, asked, { idOf: ({ id }) => id, fault: call.fault });
      return { cursor, members: items.map((member) => toMember(member, talk, chat)) };
    }),

    'chat.bsky.convo.getMessages': query(z.object({ convoId: text, ...paging() }), ({ convoId, ...asked }, call) => {
      const chat = chatLookOf(bluesky, call);
      const talk = requireConvo(chat, convoId);
      const { items, cursor } = cutPage(talk.messages.toReversed(), asked, { idOf: ({ id }) => id, fault: call.fault });
      return {
        cursor,
        messages: items.map((message) => toMessage(message, talk, chat)),
        relatedProfiles: talk.members.map((member) => toMember(member, talk, chat)),
      };
    }),

    'chat.bsky.convo.updateRead': procedure(
      z.looseObject({ convoId: z.string(), messageId: z.string().optional() }),
      ({ convoId }, call) => {
        const chat = chatLookOf(bluesky, call);
        const talk = requireConvo(chat, convoId);
        bluesky.stage.talks.markRead(talk.id, call.session.person.id, call.nowMs);
        return { convo: toConvo(talk, chat) };
      },
    ),

    'chat.bsky.convo.acceptConvo': procedure(z.looseObject({ convoId: z.string() }), ({ convoId }, call) => {
      const chat = chatLookOf(bluesky, call);
      const talk = requireConvo(chat, convoId);
      const rev = statusOf(talk, chat) === 'request' ? toConvo(talk, chat)['rev'] : undefined;
      bluesky.messageMarks.accept(call.session.person.id, talk.id);
      return { rev };
    }),
  };
}

/** The conversation with one other; refuses where they do not take messages of the caller. */
function convoWith(members: readonly string[], chat: ChatLook): Talk {
  const { bluesky, viewer, moment } = chat.look;
  const people = members.map((did) => bluesky.directory.find(did));
  if (people.includes(undefined)) throw invalidRequest('Recipient not found', 'RecipientNotFound');
  const [other, ...more] = people.flatMap((person) => (person && person.id !== viewer.id ? [person] : []));
  if (!other) throw invalidRequest('Conversation must have at least one other member');
  if (more.length > 0) throw invalidRequest('Only direct conversations can be found by their members');
  const { relations } = moment;
  if (relations.blocks(viewer.id, other.id)) throw invalidRequest('requester has blocked recipient', 'BlockedActor');
  if (relations.blocks(other.id, viewer.id)) throw invalidRequest('recipient has blocked requester', 'BlockedSubject');
  const talk = chat.mailbox.with(other);
  const allowed = incomingOf(chat.look, other);
  if (talk.messages.length > 0 || allowed === 'all') return talk;
  if (allowed === 'none') throw invalidRequest('recipient has disabled incoming messages', 'MessagesDisabled');
  if (relations.follows(other.id, viewer.id)) return talk;
  throw invalidRequest('recipient requires incoming messages to come from someone they follow', 'NotFollowedBySender');
}
