import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { conversationId, eventId } from '../ids/message-ids.ts';
import { isId } from '../ids/snowflake.ts';
import { findById } from '../ids/user-ids.ts';
import { forbidden, invalid } from '../problem.ts';
import type { XRequest, XRoute } from '../request.ts';
import { bodyOf, signedIn } from './parameters.ts';
import { mailbox, participantIn, talkIn } from './dm-events.ts';

const Id = z.string().refine(isId, 'is not an id');
const Message = z
  .strictObject({
    text: z.string().min(1).max(10_000).optional(),
    attachments: z
      .array(z.strictObject({ media_id: Id }))
      .length(1)
      .optional(),
  })
  .refine(({ text, attachments }) => text !== undefined || attachments !== undefined, 'one of [text, attachments] is required');
const Group = z.strictObject({ conversation_type: z.literal('Group'), participant_ids: z.array(Id).min(2).max(49), message: Message });
const SHARED = /https?:\/\/(?:www\.)?(?:x|twitter)\.com\/\w+\/status\/(\d+)/;

const written = {
  method: 'POST',
  access: { scopes: ['dm.write', 'tweet.read', 'users.read'] },
  limits: { user: 15, userDay: 1440, appDay: 1440 },
  status: 201,
} as const;

function send(storedConversation: string, { text = '', attachments = [] }: z.output<typeof Message>, request: XRequest): JsonObject {
  const { meeting, moment, media, findPost } = request;
  const viewer = signedIn(request);
  const nowMs = moment.now.getTime();
  const files = attachments.map(({ media_id: id }) => {
    const file = media.attachable(id, { ownerId: viewer.id, nowMs });
    if (!file) throw invalid({ parameters: { 'attachments.media_id': [id] }, message: 'Your media IDs are invalid.' });
    return file;
  });
  const message = meeting.talks.add({
    conversationId: storedConversation,
    senderId: viewer.id,
    text,
    createdAtMs: nowMs,
    visibleAtMs: nowMs + (meeting.fault('delayedVisibility')?.ms ?? 0),
    media: files,
    // Whoever shares a post writes its address.
    sharedPostId: findPost(SHARED.exec(text)?.[1] ?? '')?.post.id,
  });
  return { data: { dm_conversation_id: conversationId(storedConversation, meeting.talks.groups()), dm_event_id: eventId(message) } };
}

/** What the signed-in account writes to others. */
export const dmMessagesRoutes: readonly XRoute[] = [
  {
    ...written,
    path: '/dm_conversations',
    async answer(request) {
      const { participant_ids: ids, message } = await bodyOf(Group, request);
      const { moment, meeting } = request;
      const members = ids.map((id) => findById(id, moment.people));
      const wrong = ids.filter((_, index) => !members[index]);
      if (wrong.length > 0) throw invalid({ parameters: { participant_ids: wrong }, message: 'There is no such user.' });
      const memberIds = [...new Set([signedIn(request).id, ...members.flatMap((member) => member?.id ?? [])])];
      const names = memberIds.flatMap((id) => moment.people.find(id)?.displayName ?? []);
      const group = meeting.talks.addGroup({ title: names.join(', '), memberIds, createdAtMs: moment.now.getTime() });
      return send(group.id, message, request);
    },
  },
  {
    ...written,
    path: '/dm_conversations/with/:participant/messages',
    async answer(request) {
      const message = await bodyOf(Message, request);
      const person = participantIn(request);
      if (request.moment.relations.parted(signedIn(request).id, person.id)) throw forbidden('You cannot send messages to this user.');
      return send(mailbox(request).with(person).id, message, request);
    },
  },
  {
    ...written,
    path: '/dm_conversations/:id/messages',
    answer: async (request) => send(talkIn(request, 'id').id, await bodyOf(Message, request), request),
  },
];
