import type { JsonObject } from '#src/operation/json.ts';
import { directId } from '../../social/messaging/letters.ts';
import { mailboxOf, type Talk } from '../../social/messaging/mailbox.ts';
import type { WorldPerson } from '../../world/world.ts';
import { storedConversationId } from '../ids/message-ids.ts';
import { latestOf } from '../ids/post-ids.ts';
import { findById } from '../ids/user-ids.ts';
import { forbidden, invalidParameter, missing, notFound } from '../problem.ts';
import type { XRequest, XRoute } from '../request.ts';
import { pageIn } from '../wire/answer.ts';
import { atMsOf, dmEventId, toDmEvent, type DmEvent } from '../wire/dm-event.ts';
import { Includes } from '../wire/includes.ts';
import { viewOf } from '../wire/view.ts';
import { idIn, PAGED, signedIn } from './parameters.ts';

const KEPT_MS = 30 * 86_400_000;
const TYPES = ['MessageCreate', 'ParticipantsJoin', 'ParticipantsLeave'];
const seen = {
  method: 'GET',
  access: { scopes: ['dm.read', 'tweet.read', 'users.read'] },
  limits: { user: 15 },
  fields: ['dm_event', 'user', 'tweet', 'media'],
  expands: 'dm_event',
} as const;

/** The conversations of the signed-in account. */
export function mailbox(request: XRequest): ReturnType<typeof mailboxOf> {
  const { moment, meeting } = request;
  const { people, relations, now } = moment;
  return mailboxOf({ owner: signedIn(request), talks: meeting.talks, people, relations, nowMs: now.getTime() });
}

/** The conversation that a path names; refuses one that is not the signed-in account's. */
export function talkIn(request: XRequest, name: string): Talk {
  const id = request.param(name);
  const { people } = request.moment;
  const stored = storedConversationId(id, { people, groups: request.meeting.talks.groups() });
  const talk = stored === undefined ? undefined : mailbox(request).find(stored);
  if (!talk) throw stored === undefined ? notFound() : forbidden('You are not a participant of this conversation.');
  return talk;
}

/** Whoever the path names, to write to. */
export function participantIn(request: XRequest): WorldPerson {
  const person = findById(idIn(request, 'participant'), request.moment.people);
  if (!person || person.id === signedIn(request).id) throw notFound();
  return person;
}

/** Newest first. */
function eventsOf(talks: readonly Talk[], { meeting }: XRequest): readonly DmEvent[] {
  const groups = new Map(meeting.talks.groups().map((group) => [group.id, group]));
  const events = talks.flatMap(({ id, messages }): readonly DmEvent[] => {
    const group = groups.get(id);
    const said = messages.map((message) => ({ kind: 'message', message }) as const);
    return group ? [{ kind: 'join', group }, ...said] : said;
  });
  return events.toSorted((a, b) => atMsOf(b) - atMsOf(a) || Number(BigInt(dmEventId(b)) - BigInt(dmEventId(a))));
}

function answerEvents(
  events: readonly DmEvent[],
  request: XRequest,
): { readonly data: readonly JsonObject[]; readonly beside: JsonObject } {
  const view = viewOf(request);
  const includes = new Includes(view);
  const { expansions } = view.asked;
  const data = events.map((event) => {
    if (event.kind === 'message') {
      const { message } = event;
      if (expansions.has('sender_id')) includes.addUserById(message.senderId);
      if (expansions.has('attachments.media_keys')) for (const media of message.media) includes.addMedia({ media, post: message });
      const shared = message.sharedPostId === undefined ? undefined : view.moment.feed.find(message.sharedPostId);
      if (shared && expansions.has('referenced_tweets.id')) includes.addTweet(latestOf(shared));
    } else if (expansions.has('participant_ids')) {
      for (const id of event.group.memberIds) includes.addUserById(id);
    }
    return toDmEvent(event, view);
  });
  const found = includes.toJson();
  return { data, beside: found ? { includes: found } : {} };
}

function eventsPage(talks: readonly Talk[], request: XRequest, { backMs = Infinity } = {}): JsonObject {
  const types = (request.query.get('event_types') ?? '').split(',').filter((type) => type !== '');
  const wrong = types.find((type) => !TYPES.includes(type));
  if (wrong !== undefined) throw invalidParameter('event_types', wrong, `is not one of [${TYPES.join(',')}]`);
  const wanted = new Set(types.length > 0 ? types : TYPES);
  const oldestMs = request.moment.now.getTime() - backMs;
  const events = eventsOf(talks, request).filter(
    (event) => wanted.has(event.kind === 'message' ? 'MessageCreate' : 'ParticipantsJoin') && atMsOf(event) >= oldestMs,
  );
  const { items, meta } = pageIn(events, { request, idOf: dmEventId, size: { least: 1, most: 100, usual: 100 } });
  const { data, beside } = answerEvents(items, request);
  return { ...(data.length > 0 ? { data } : {}), ...beside, meta };
}

const parameters = [...PAGED, 'event_types'];

/** What was written to the signed-in account, and by it, unseen by everybody else. */
export const dmEventsRoutes: readonly XRoute[] = [
  { ...seen, path: '/dm_events', parameters, answer: (request) => eventsPage(mailbox(request).all(), request, { backMs: KEPT_MS }) },
  {
    ...seen,
    path: '/dm_events/:id',
    answer(request) {
      const id = idIn(request, 'id');
      const event = eventsOf(mailbox(request).all(), request).find((one) => dmEventId(one) === id);
      if (!event) return { errors: [missing({ type: 'dm_event', parameter: 'id', value: id })] };
      const {
        data: [data],
        beside,
      } = answerEvents([event], request);
      return { data, ...beside };
    },
  },
  {
    ...seen,
    path: '/dm_conversations/with/:participant/dm_events',
    parameters,
    answer(request) {
      const stored = directId(signedIn(request).id, participantIn(request).id);
      const talk = mailbox(request).find(stored);
      return eventsPage(talk ? [talk] : [], request);
    },
  },
  { ...seen, path: '/dm_conversations/:id/dm_events', parameters, answer: (request) => eventsPage([talkIn(request, 'id')], request) },
];
