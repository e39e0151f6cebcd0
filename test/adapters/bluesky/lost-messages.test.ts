import { expect, test } from 'vitest';
import { perform, recoverWrite } from '#src/clients/operation/client.ts';
import type { Recovery } from '#src/clients/operation/platform.ts';
import { sendMessage } from '#src/clients/social/messages.ts';
import type { Message } from '#src/clients/social/records/message.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openBluesky, type BlueskyFixture } from './open-bluesky.ts';
import { DID, scriptBluesky, session } from './script-bluesky.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface Asking {
  readonly since: Date;
  readonly taken?: readonly string[];
}

/** Recovers a message with the clock of `social`. */
async function recovered(social: SocialAsync, params: object, { since, taken = [] }: Asking): Promise<Recovery<Message>> {
  const recovery = await recoverWrite(social, sendMessage.declared, params, { key: 'k', since, taken: new Set(taken) });
  return recovery as Recovery<Message>; // of sendMessage
}

/** Sends a message with a clock that is ahead, loses the answer, recovers the message, and sends it again if it is absent. */
async function sentWithClockAhead(fixture: BlueskyFixture, aheadMs: number): Promise<Recovery<Message>> {
  const clock = new ManualClock(fixture.clock.nowMs() + aheadMs);
  const social = new SocialAsync({ platform: fixture.adapter({ clock }), clock });
  const params = { user: fixture.other, text: 'Ada is live' };
  const since = new Date(clock.nowMs());
  fixture.sandbox.faults.add({ platform: 'bluesky', kind: 'resetAfter', route: 'sendMessage', times: 1 });
  await expect(perform(social, sendMessage.declared, params, { key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });

  const recovery = await recovered(social, params, { since });
  if (recovery === 'absent') await perform(social, sendMessage.declared, params, { key: 'k', since });
  return recovery;
}

async function messageTexts({ social, other }: BlueskyFixture): Promise<readonly string[]> {
  const { messages = [] } = await social.getConversation(other);
  return messages.map(({ text }) => text);
}

test.for([
  [30_000, 'found'],
  [2 * MINUTE_MS, 'cannotTell'],
  [23 * 60 * MINUTE_MS, 'cannotTell'],
] as const)('with a clock that is %i ms ahead, a lost message is %s and exists once', async ([aheadMs, known]) => {
  await using fixture = await openBluesky();

  const recovery = await sentWithClockAhead(fixture, aheadMs);

  expect(typeof recovery === 'object' ? 'found' : recovery).toBe(known);
  expect(await messageTexts(fixture)).toEqual(['Ada is live']);
});

test('messages with another text, sender, day or delivery are not candidates', async () => {
  await using fixture = await openBluesky();
  const { social, clock, other } = fixture;
  await social.sendMessage(other, 'Ada is live');
  await clock.advance(DAY_MS);
  await (await fixture.as('ada')).sendMessage(fixture.handle, 'Ada is live');
  await social.sendMessage(other, 'Grace is live');
  const known = await social.sendMessage(other, 'Ada is live');
  await clock.advance(5 * MINUTE_MS);
  const params = { user: other, text: 'Ada is live' };
  const since = new Date(clock.nowMs());

  expect(await recovered(social, params, { since, taken: [known.id] })).toBe('absent');
  expect(await recovered(social, params, { since })).toBe('cannotTell');
});

test('a message is found by its reply and its quote', async () => {
  await using fixture = await openBluesky();
  const { social, clock, other } = fixture;
  const since = new Date(clock.nowMs());
  const asked = await social.sendMessage(other, 'Who is live?');
  const post = await social.createPost('We are live');
  const base = { user: other, text: 'Ada' };
  const shapes = [base, { ...base, replyToMessage: asked.id }, { ...base, quotePost: post.id }, { ...base, quotePost: post.url }];

  for (const wanted of shapes) expect(await recovered(social, wanted, { since })).toBe('absent');
  const plain = await social.sendMessage(other, 'Ada');
  const reply = await social.sendMessage(other, 'Ada', { replyToMessage: asked });
  const quote = await social.sendMessage(other, 'Ada', { quotePost: post });
  const found = await Promise.all(shapes.map(async (wanted) => recovered(social, wanted, { since })));

  expect(found).toMatchObject([plain, reply, quote, quote].map(({ id }) => ({ found: { id } })));
  const taken = [plain.id, quote.id];
  expect(await recovered(social, base, { since, taken })).toBe('absent');
  expect(await recovered(social, { ...base, quotePost: post.id }, { since, taken })).toBe('absent');
});

test.for([
  ['its reply', { replyToMessage: '1' }],
  ['its quote', { quotePost: `at://${DID}/app.bsky.feed.post/1` }],
] as const)('a message without %s in the answer is not absent', async ([, wanted]) => {
  const since = new Date('2026-11-20T18:00:00Z');
  const convo = { id: 'c', members: [{ did: DID, handle: 'ada.test' }] };
  const message = { id: '2', text: 'Ada', sender: { did: DID }, sentAt: '2026-11-20T18:00:01Z' };
  await using scripted = await scriptBluesky(
    [
      ['GET /xrpc/chat.bsky.convo.getConvoForMembers?members=did%3Aplc%3Agrace', { json: { convo } }],
      ['GET /xrpc/chat.bsky.convo.getMessages?convoId=c&limit=100', { json: { messages: [message] } }],
    ],
    { kept: (url) => session(1, url) },
  );

  expect(await recovered(scripted.social, { user: 'did:plc:grace', text: 'Ada', ...wanted }, { since })).toBe('cannotTell');
});

/** Fanfare reads at most this many pages. */
const MOST_PAGES = 10;

test.for([
  { pages: MOST_PAGES, hasMore: true, oldest: '2026-11-20T18:00:01Z', expected: 'cannotTell' },
  { pages: MOST_PAGES, hasMore: true, oldest: '2026-11-20T17:58:00Z', expected: 'absent' },
  { pages: MOST_PAGES, hasMore: false, oldest: '2026-11-20T18:00:01Z', expected: 'absent' },
] as const)('in a conversation of $pages pages up to $oldest, more: $hasMore, a lost message is $expected', async (found) => {
  const { pages, hasMore, oldest, expected } = found;
  const convo = { id: 'c', members: [{ did: DID, handle: 'ada.test' }] };
  const answers = Array.from({ length: pages }, (_, index) => {
    const isLast = index === pages - 1;
    const message = { id: `${index}`, text: 'Grace', sender: { did: DID }, sentAt: isLast ? oldest : '2026-11-20T18:00:02Z' };
    const line = `GET /xrpc/chat.bsky.convo.getMessages?convoId=c&limit=100${index === 0 ? '' : `&cursor=${index}`}`;
    return [line, { json: { messages: [message], ...((hasMore || !isLast) && { cursor: `${index + 1}` }) } }] as const;
  });
  await using scripted = await scriptBluesky(
    [['GET /xrpc/chat.bsky.convo.getConvoForMembers?members=did%3Aplc%3Agrace', { json: { convo } }], ...answers],
    { kept: (url) => session(1, url) },
  );

  const recovery = await recovered(scripted.social, { user: 'did:plc:grace', text: 'Ada' }, { since: new Date('2026-11-20T18:00:00Z') });

  expect(recovery).toBe(expected);
  expect(scripted.server.seen.filter(({ line }) => line.includes('getMessages'))).toHaveLength(pages);
});
