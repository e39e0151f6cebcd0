import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StoredGroup, StoredMessage } from '../social/messaging/direct-messages.ts';
import { type MailboxConversation, mailboxOf } from '../social/messaging/mailbox.ts';
import type { WorldPerson } from '../world/world.ts';
import { answerMany } from './answer.ts';
import { conversationId, eventId, findById, groupId, isId, latestOf, postId, storedConversationId, userId } from './ids.ts';
import { pageOf } from './paging.ts';
import { findReferenced, instant, made, type Makers } from './post-json.ts';
import { forbidden, invalid, notFound } from './problem.ts';
import { bodyOf, idIn, PAGED, signedIn, type XRequest, route, type XRoute } from './request.ts';
import { wireText } from './text.ts';

/** The inbox shows the events of this time. */
const INBOX_MS = 30 * 86_400_000;
const SHARED_POST = /https?:\/\/(?:www\.)?(?:x|twitter)\.com\/\w+\/status\/(\d+)/;

const Message = z
  .strictObject({
    text: z.string().min(1).max(10_000).optional(),
    attachments: z
      .array(z.strictObject({ media_id: z.string().refine(isId, 'is not an id') }))
      .length(1)
      .optional(),
  })
  .refine(({ text, attachments }) => text !== undefined || attachments !== undefined, 'one of [text, attachments] is required');

const EVENTS = {
  scopes: 'dm.read tweet.read users.read',
  limits: { user: 15 },
  fields: ['dm_event', 'user', 'tweet', 'media'],
  expands: 'dm_event',
  parameters: [...PAGED, 'event_types'],
} as const;
const SEND = { scopes: 'dm.write tweet.read users.read', limits: { user: 15 }, status: 201 } as const;

/** Direct messages of the signed-in account. */
export const messageRoutes: readonly XRoute[] = [
  route('GET /dm_events', EVENTS, (request) => eventsPage(mailbox(request).all(), request, request.nowMs - INBOX_MS)),
  route('GET /dm_conversations/with/:participant/dm_events', EVENTS, (request) =>
    eventsPage([mailbox(request).with(participant(request))], request),
  ),
  route('GET /dm_conversations/:id/dm_events', EVENTS, (request) => eventsPage([requireConversation(request)], request)),
  route('POST /dm_conversations/with/:participant/messages', SEND, async (request) => {
    const message = await bodyOf(Message, request);
    const person = participant(request);
    if (request.snapshot.relations.parted(signedIn(request).id, person.id)) throw forbidden('You cannot send messages to this user.');
    return send(mailbox(request).with(person).id, message, request);
  }),
  route('POST /dm_conversations/:id/messages', SEND, async (request) =>
    send(requireConversation(request).id, await bodyOf(Message, request), request),
  ),
];

/** An event in a conversation: a message, or the start of a group. */
type DmEvent = { readonly kind: 'message'; readonly message: StoredMessage } | { readonly kind: 'join'; readonly group: StoredGroup };

const makers: Makers<DmEvent> = {
  id: idOf,
  event_type: ({ kind }) => (kind === 'message' ? 'MessageCreate' : 'ParticipantsJoin'),
  text: (event, { snapshot }) => (event.kind === 'message' ? wireText(event.message.text, snapshot.people).text : undefined),
  attachments: (event, { xMedia }) =>
    event.kind === 'message' && event.message.media.length > 0
      ? { media_keys: event.message.media.map((media) => xMedia.keyOf(media, event.message)) }
      : undefined,
  created_at: (event) => instant(atMsOf(event)),
  dm_conversation_id: (event, { directMessages }) =>
    conversationId(event.kind === 'message' ? event.message.conversationId : event.group.id, directMessages.groups()),
  entities: (event, { snapshot }) => (event.kind === 'message' ? wireText(event.message.text, snapshot.people).entities : undefined),
  participant_ids: (event) => (event.kind === 'join' ? event.group.memberIds.map((id) => userId({ id })) : undefined),
  referenced_tweets: (event, view) => {
    const shared = event.kind === 'message' ? event.message.sharedPostId : undefined;
    const post = shared === undefined ? undefined : findReferenced(shared, view);
    return post && [{ id: postId(post) }];
  },
  sender_id: (event) => userId({ id: event.kind === 'message' ? event.message.senderId : (event.group.memberIds[0] ?? '') }),
};

function idOf(event: DmEvent): string {
  return event.kind === 'message' ? eventId(event.message) : groupId(event.group);
}

function atMsOf(event: DmEvent): number {
  return event.kind === 'message' ? event.message.createdAtMs : event.group.createdAtMs;
}

/** The fields that an expansion needs. */
const NEEDED: Readonly<Record<string, string>> = {
  sender_id: 'sender_id',
  participant_ids: 'participant_ids',
  'attachments.media_keys': 'attachments',
  'referenced_tweets.id': 'referenced_tweets',
};

/** The events of conversations, newest first. */
function eventsPage(conversations: readonly MailboxConversation[], request: XRequest, oldestMs = -Infinity): JsonObject {
  const { directMessages, selection, snapshot, query } = request;
  const { expansions } = selection;
  const groups = new Map(directMessages.groups().map((group) => [group.id, group]));
  const types = (query.get('event_types') ?? 'MessageCreate,ParticipantsJoin').split(',');
  const events = conversations
    .flatMap(({ id, messages }): readonly DmEvent[] => {
      const group = groups.get(id);
      return [...(group ? [{ kind: 'join', group } as const] : []), ...messages.map((message) => ({ kind: 'message', message }) as const)];
    })
    .filter((event) => atMsOf(event) >= oldestMs && types.includes(event.kind === 'message' ? 'MessageCreate' : 'ParticipantsJoin'))
    .toSorted((a, b) => atMsOf(b) - atMsOf(a) || Number(BigInt(idOf(b)) - BigInt(idOf(a))));
  const { items, meta } = pageOf(events, request, { size: { least: 1, most: 100, usual: 100 } }, idOf);
  const needed = [...expansions].flatMap((name) => NEEDED[name] ?? []);
  return answerMany(
    items,
    request,
    (event, includes) => {
      if (event.kind === 'join') {
        if (expansions.has('participant_ids')) for (const id of event.group.memberIds) includes.addUser(id);
        return made(makers, event, 'dm_event', request, ['participant_ids', ...needed]);
      }
      const { message } = event;
      if (expansions.has('sender_id')) includes.addUser(message.senderId);
      if (expansions.has('attachments.media_keys')) includes.addMedia(message.media, message);
      const shared = snapshot.feed.find(message.sharedPostId ?? '');
      if (shared && expansions.has('referenced_tweets.id')) includes.addTweet(latestOf(shared));
      return made(makers, event, 'dm_event', request, needed);
    },
    { meta },
  );
}

function mailbox(request: XRequest): ReturnType<typeof mailboxOf> {
  const { snapshot, directMessages, nowMs } = request;
  return mailboxOf({ owner: signedIn(request), directMessages, people: snapshot.people, relations: snapshot.relations, nowMs });
}

/** The conversation in the path, if the account takes part in it. */
function requireConversation(request: XRequest): MailboxConversation {
  const storedId = storedConversationId(request.param('id'), request.snapshot.people, request.directMessages.groups());
  if (storedId === undefined) throw notFound();
  const conversation = mailbox(request).find(storedId);
  if (!conversation) throw forbidden('You are not a participant of this conversation.');
  return conversation;
}

function participant(request: XRequest): WorldPerson {
  const person = findById(idIn(request, 'participant'), request.snapshot.people);
  if (!person || person.id === signedIn(request).id) throw notFound();
  return person;
}

function send(storedId: string, { text = '', attachments = [] }: z.output<typeof Message>, request: XRequest): JsonObject {
  const { directMessages, fault, xMedia, findPost, nowMs } = request;
  const viewer = signedIn(request);
  const message = directMessages.add({
    conversationId: storedId,
    senderId: viewer.id,
    text,
    createdAtMs: nowMs,
    visibleAtMs: nowMs + (fault('delayedVisibility')?.ms ?? 0),
    media: attachments.map(({ media_id: id }) => {
      const file = xMedia.attachable(id, { ownerId: viewer.id, nowMs });
      if (!file) throw invalid({ parameters: { 'attachments.media_id': [id] }, message: 'Your media IDs are invalid.' });
      return file;
    }),
    // A message shares a post by its URL.
    sharedPostId: findPost(SHARED_POST.exec(text)?.[1] ?? '')?.post.id,
  });
  return { data: { dm_conversation_id: conversationId(storedId, directMessages.groups()), dm_event_id: eventId(message) } };
}
