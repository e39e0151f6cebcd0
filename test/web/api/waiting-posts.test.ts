import { expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { NOW } from '../../support/view-records.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { postingOver } from '../../support/posting-over.ts';
import { differencesFrom, operationOf } from './answer-checks.ts';
import { openApi } from './open-api.ts';

const AT = '2026-11-21T12:00:00.000Z';

test('the API lists, edits, moves and cancels waiting posts', async () => {
  const clock = new ManualClock(NOW.getTime());
  await using store = await openStore({ clock });
  const post = { text: 'Doors opn at six', accounts: ['x'] };
  await postingOver(store, clock, ['x']).send(post, { id: 'p1', by: { id: '1', name: 'linus' }, server: 'home', at: new Date(AT) });
  const { get, post: send } = await openApi({ store });

  const listed = await get('/api/waiting-posts');
  const edited = await send('/api/waiting-posts/p1/edit', { body: { text: 'Doors open at six', edits: 0 } });
  const moved = await send('/api/waiting-posts/p1/move', { body: { at: '2026-11-22T12:00:00Z' } });
  const stale = await send('/api/waiting-posts/p1/edit', { body: { text: 'Late', edits: 0 } });
  const cancelled = await send('/api/waiting-posts/p1/cancel');
  const missing = await send('/api/waiting-posts/p2/cancel');

  const shown = {
    id: 'p1',
    server: 'home',
    by: 'linus',
    hasPicture: false,
    isQueued: false,
    targets: [{ account: 'x', state: 'pending' }],
  };
  expect(listed.json).toEqual({ items: [{ ...shown, text: post.text, at: AT, edits: 0 }] });
  expect(edited.json).toMatchObject({ ...shown, text: 'Doors open at six', edits: 1, editedBy: 'local (API)' });
  expect(moved.json).toMatchObject({ at: '2026-11-22T12:00:00.000Z' });
  expect(stale).toMatchObject({ status: 409, json: { code: 'postEdited' } });
  expect(cancelled.json).toMatchObject({ cancelledBy: 'local (API)', targets: [{ state: 'skipped' }] });
  expect(missing).toMatchObject({ status: 404, json: { code: 'postNotFound' } });
  expect((await get('/api/waiting-posts')).json).toEqual({ items: [] });
  expect(JSON.stringify((await get('/api/actions')).json)).not.toContain('Doors');
  expect(differencesFrom(operationOf('get', '/api/waiting-posts'), listed)).toEqual([]);
  expect(differencesFrom(operationOf('post', '/api/waiting-posts/{post}/edit'), edited)).toEqual([]);
});

test('a waiting post has the content warning and the description of the picture that are published', async () => {
  const clock = new ManualClock(NOW.getTime());
  await using store = await openStore({ clock });
  const post = { text: 'Doors open', warning: 'Loud', picture: { path: '/p.png', altText: 'A ${{ door }}' }, accounts: ['x'] };
  await postingOver(store, clock, ['x']).send(post, { id: 'p1', by: { id: '1', name: 'linus' }, server: 'home', at: new Date(AT) });
  const { get, post: send } = await openApi({ store });

  const listed = await get('/api/waiting-posts');
  const edited = await send('/api/waiting-posts/p1/edit', { body: { text: 'Doors open', warning: 'Very loud', altText: '' } });

  expect(listed.json).toMatchObject({ items: [{ warning: 'Loud', hasPicture: true, altText: 'A ${{ door }}' }] });
  expect(edited.json).toMatchObject({ warning: 'Very loud', hasPicture: true });
  expect(edited.json).not.toHaveProperty('altText');
  expect(differencesFrom(operationOf('get', '/api/waiting-posts'), listed)).toEqual([]);
});

test('a waiting post does not move more than a year ahead', async () => {
  const clock = new ManualClock(NOW.getTime());
  await using store = await openStore({ clock });
  const post = { text: 'Doors open', accounts: ['x'] };
  await postingOver(store, clock, ['x']).send(post, { id: 'p1', by: { id: '1', name: 'linus' }, server: 'home', at: new Date(AT) });
  const { get, post: send } = await openApi({ store });
  const inDays = (days: number) => new Date(clock.nowMs() + days * 86_400_000).toISOString();

  const far = await send('/api/waiting-posts/p1/move', { body: { at: inDays(367) } });
  const near = await send('/api/waiting-posts/p1/move', { body: { at: inDays(366) } });

  expect(far).toMatchObject({ status: 409, json: { code: 'postTimeTooFar', detail: expect.stringContaining('more than a year away') } });
  expect(near.json).toMatchObject({ at: inDays(366) });
  expect((await get('/api/actions')).json).toMatchObject({ items: [{ outcome: 'done' }, { outcome: 'refused' }] });
});
