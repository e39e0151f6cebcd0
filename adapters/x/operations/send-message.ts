import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { ValidationError } from '#src/errors.ts';
import { findLost, soonestMs } from '#src/clients/operation/find-lost.ts';
import type { Message } from '#src/clients/social/records/message.ts';
import { WAYS } from '../auth/access.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import type { Primitives, Recoveries, XApi, XRequest } from '../client.ts';
import { isSameText } from '../text/same-text.ts';
import { oneOf, required } from '../wire/envelope.ts';
import { toMessage } from '../wire/message.ts';
import { byIdDescending, id, instantOf } from '../wire/parts.ts';
import { toPerson } from '../wire/user.ts';
import { readEvents } from './conversations.ts';
import type { Files } from './media.ts';
import { postIdOf } from './read-post.ts';
import { compareAgainAt, SETTLED_ALONE_MS } from './recovery.ts';
import { unlessRefused } from './recovery-views.ts';
import type { UserNames } from './users.ts';

type MessageDraft = Parameters<Primitives['sendMessage']>[0];

const Sent = oneOf(z.object({ dm_conversation_id: id, dm_event_id: id }));

interface SendingOptions {
  readonly api: XApi;
  readonly names: UserNames;
  readonly files: Files;
  readonly clock: Clock;
}

/** Sends messages. */
export function sending({ api, names, files, clock }: SendingOptions): Primitives['sendMessage'] {
  return async (draft, options) => {
    const { file, quotePost } = draft;
    const { signal } = options;
    const text = textOf(draft);
    if (text === '' && file === undefined) {
      throw new ValidationError('sendMessage: text: the text of a message without a file is empty', { path: 'text' });
    }
    const me = await beforeWrite(names.me(signal));
    const to = await beforeWrite(addressOf(draft, names, signal));
    const media = file === undefined ? [] : await beforeWrite(files.putAll([file], 'message', options));
    const json = { ...(text !== '' && { text }), ...(media.length > 0 && { attachments: media.map((one) => ({ media_id: one.id })) }) };
    const { answer } = await api.read(Sent, { method: 'POST', ...to.send, json, ways: WAYS.user, creates: true, signal });
    const { dm_event_id: sent, dm_conversation_id: conversationId } = required(answer, 'the new message');
    const createdAt = instantOf(sent) ?? new Date(clock.nowMs());
    return {
      platform: 'x',
      id: sent,
      conversationId,
      visibility: 'direct',
      sender: toPerson(me),
      text: draft.text,
      entities: [],
      createdAt,
      media: [...media],
      sharedPostId: quotePost === undefined ? undefined : postIdOf(quotePost),
      reactions: [],
    };
  };
}

/**
 * Finds the outcome of an earlier attempt at a message in the conversation.
 *
 * X has no idempotency keys and no other view of messages. A message counts as absent only after minutes.
 */
export function recoverMessage({ api, names, clock }: SendingOptions): Recoveries['sendMessage'] {
  return async (draft, { since, taken, lostAt = new Date(clock.nowMs()), signal }) => {
    const compareAgain = compareAgainAt(clock.nowMs(), lostAt);
    const open = compareAgain ? { conclusiveAt: compareAgain } : 'cannotTell';
    const me = await unlessRefused(() => names.me(signal));
    if (!me) return open;
    const { read } = await addressOf(draft, names, signal);
    // A conversation without messages does not exist on X.
    const conversation = await unlessRefused(async () => ({ page: await ignoreFaults(readEvents(api, read, { signal }), 'missing') }));
    if (!conversation) return open;
    const { page } = conversation;
    const rows = page?.rows ?? [];
    const sent = rows
      .filter(({ id: event, event_type: type }) => type === 'MessageCreate' && !taken.has(event))
      .toSorted(byIdDescending)
      .toReversed()
      .filter((row) => row.sender_id === me.id)
      .flatMap((row) => (page ? [toMessage(row, page.includes, page.fetchedAt)] : []));
    const alike = sent.filter((message) => isMadeOf(draft, message));
    const recovery = findLost(alike, { since, madeAt: ({ createdAt }) => createdAt });
    if (typeof recovery === 'object') return recovery;
    const conclusiveAt = new Date(lostAt.getTime() + SETTLED_ALONE_MS);
    if (clock.nowMs() < conclusiveAt.getTime()) return { conclusiveAt };
    const isWhole =
      page?.cursor === undefined || rows.some(({ id: event }) => (instantOf(event)?.getTime() ?? Infinity) < soonestMs(since));
    return isWhole ? recovery : 'cannotTell';
  };
}

function isMadeOf({ text, file, quotePost }: MessageDraft, message: Message): boolean {
  const isSame = isSameText(text, message.text) || (quotePost !== undefined && isSameText(textOf({ text, quotePost }), message.text));
  return isSame && message.media.length === (file === undefined ? 0 : 1);
}

/** The text with the address of the quoted post, which X shows as a post. */
function textOf({ text, quotePost }: Pick<MessageDraft, 'text' | 'quotePost'>): string {
  if (quotePost === undefined) return text;
  return `${text} https://x.com/i/status/${postIdOf(quotePost)}`.trimStart();
}

/** The endpoints for sending to the recipient and for reading the conversation. */
async function addressOf(
  { user, inGroup }: MessageDraft,
  names: UserNames,
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<'send' | 'read', Pick<XRequest, 'path' | 'params'>>>> {
  if (inGroup || user.includes('-')) {
    const params = { id: user };
    return {
      send: { path: '/2/dm_conversations/:id/messages', params },
      read: { path: '/2/dm_conversations/:id/dm_events', params },
    };
  }
  const params = { participant: await names.idOf(user, signal) };
  return {
    send: { path: '/2/dm_conversations/with/:participant/messages', params },
    read: { path: '/2/dm_conversations/with/:participant/dm_events', params },
  };
}
