import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toWaitingPostAnswer } from '#src/admin/queries/waiting-post-answer.ts';
import { changePost, listPosts } from '#src/cli/posts.ts';
import { systemClock } from '#src/clock.ts';
import type { SentPost } from '#src/engine/posting/posting.ts';
import { openStore } from '#src/store/store.ts';
import { postingOver } from '../support/posting-over.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines } from './collect-lines.ts';

const POST: SentPost = {
  id: 'abcdefgh-1',
  server: '1',
  by: { id: '7', name: 'ada' },
  text: 'Doors\u001B[2J open',
  hasPicture: false,
  madeAt: new Date(0),
  at: new Date('2026-11-21T12:00:00Z'),
  isQueued: false,
  edits: 2,
  targets: [
    { account: 'x', state: 'pending' },
    { account: 'club', state: 'pending' },
  ],
};
const OTHER: SentPost = { ...POST, id: 'abzzzzzz-2' };

/** Changes the post as a process that answers with these changes. */
async function change(
  options: Pick<Parameters<typeof changePost>[0], 'action' | 'post' | 'text' | 'warning' | 'at'>,
  answer: Partial<SentPost> = {},
) {
  const { out, text } = collectLines();
  const requests: unknown[] = [];
  await changePost({
    ...options,
    waiting: [POST, OTHER],
    running: {
      post: (path, body, schema) => {
        requests.push([path, body]);
        return Promise.resolve(schema.parse(JSON.parse(JSON.stringify(toWaitingPostAnswer({ ...POST, ...answer })))));
      },
    },
    timezone: 'UTC',
    out,
  });
  return { requests, text: text() };
}

const PATH = '/api/waiting-posts/abcdefgh-1';
const AT = new Date('2026-11-22T12:00:00Z');

test.for<readonly [options: Parameters<typeof change>[0], answer: Partial<SentPost>, request: readonly unknown[], line: RegExp]>([
  [
    { action: 'edit', post: 'abc', text: 'six' },
    { text: 'six' },
    [`${PATH}/edit`, { text: 'six', edits: 2 }],
    /^abcdefgh is sent at .*: six$/u,
  ],
  [{ action: 'edit', post: 'abc', warning: '' }, {}, [`${PATH}/edit`, { text: POST.text, warning: '', edits: 2 }], /^abcdefgh is sent/u],
  [{ action: 'move', post: 'abcdefgh', at: AT }, { at: AT }, [`${PATH}/move`, { at: AT }], /22 Nov 2026/u],
  [
    { action: 'cancel', post: 'abc' },
    { targets: [{ account: 'x', state: 'skipped' }] },
    [`${PATH}/cancel`, {}],
    /^abcdefgh is cancelled\.$/u,
  ],
  [
    { action: 'cancel', post: 'abc' },
    {
      targets: [
        { account: 'x', state: 'sent' },
        { account: 'club', state: 'skipped' },
      ],
    },
    [`${PATH}/cancel`, {}],
    /too late for x\.$/u,
  ],
  // The first post of a thread is sent, and the others are cancelled.
  [
    { action: 'cancel', post: 'abc' },
    { targets: [{ account: 'x', state: 'skipped', url: 'https://x.example/1' }] },
    [`${PATH}/cancel`, {}],
    /too late for x\.$/u,
  ],
])('%o of a waiting post', async ([options, answer, request, line]) => {
  const { requests, text } = await change(options, answer);

  expect(requests).toEqual([request]);
  expect(text).toMatch(line);
});

test.for([
  ['zz', 'postNotFound'],
  ['ab', 'ambiguousId'],
] as const)('a post named %s is refused', async ([post, code]) => {
  await expect(change({ action: 'cancel', post })).rejects.toMatchObject({ code });
});

test('waiting posts are listed without control characters', () => {
  const { out, text } = collectLines();
  listPosts({ waiting: [POST], timezone: 'UTC', out });

  expect(text()).toMatch(/^abcdefgh {2}Sat.* ada to x, club: Doors.* open$/u);
  expect(text()).not.toContain('\u001B');
});

test('the command lists the posts of the state, and needs a running Fanfare to change one', async () => {
  using folder = temporaryFolder();
  const environment = { FANFARE_DATA: folder.path, FANFARE_RULES: join(folder.path, 'rules'), PORT: '8975' };
  const posts = (...args: readonly string[]) => runHere({ args: ['posts', ...args], environment });
  {
    await using store = await openStore({ file: join(folder.path, 'fanfare.sqlite') });
    const at = new Date(systemClock.nowMs() + 3_600_000);
    await postingOver(store, systemClock, ['x']).send({ text: 'Doors open', accounts: ['x'] }, { id: 'p1', by: POST.by, server: '1', at });
  }

  expect(JSON.parse((await posts('--json')).stdout)).toMatchObject({ posts: [{ id: 'p1', by: 'ada', text: 'Doors open' }] });
  expect(await posts('move', 'p1')).toMatchObject({ code: 2 });
  expect(await posts('edit', 'p1', '--at', 'in 2h')).toMatchObject({ code: 2 });
  expect(await posts('cancel', 'p1')).toMatchObject({ code: 1, output: expect.stringContaining('no Fanfare answers') as unknown });
});
