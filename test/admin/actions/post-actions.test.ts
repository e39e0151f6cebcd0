import { expect, test } from 'vitest';
import type { Actor } from '#src/admin/actions/actor.ts';
import { createPostActions } from '#src/admin/actions/post-actions.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createLaterPosts } from '#src/engine/posting/later-posts.ts';
import { Refused } from '#src/errors.ts';
import { openStore } from '#src/store/store.ts';
import { settle } from '../../contract/delivery-steps.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { postingOver } from '../../support/posting-over.ts';

const SECRET = 'We announce the merger';
const AT = new Date('2026-11-21T12:00:00Z');
const EDITOR: Actor = { name: 'ada', via: 'page', role: 'editor', id: 'discord:7' };
const MEMBER: Actor = { name: 'grace', via: 'discord', role: 'editor', id: '8', origin: 'home', scope: { server: 'home', accounts: [] } };

/** A waiting post in the server `home`. */
async function open() {
  const clock = new ManualClock();
  const store = await openStore({ clock });
  const posting = postingOver(store, clock, ['x', 'club']);
  const failureNotice = { account: 'discord', channel: '5', text: `Failed: ${SECRET}` };
  await posting.send(
    { text: SECRET, warning: 'Business', accounts: ['x', 'club'] },
    { id: 'p1', by: { id: '1', name: 'linus' }, server: 'home', at: AT, failureNotice },
  );
  const failureText = ({ text }: { readonly text: string }) => Promise.resolve(`Failed: ${text}`);
  const actions = createPostActions({ posting, failureText, auditLog: store.auditLog });
  const logged = async () =>
    (await store.auditLog.list()).items.map(({ action, target, outcome, before, after }) => ({ action, target, outcome, before, after }));
  const steps = async () => {
    const { deliveries = [] } = (await store.posts.find('p1')) ?? {};
    return JSON.stringify(await Promise.all(deliveries.map(({ id }) => store.posts.step(id))));
  };
  return { store, clock, posting, actions, logged, steps, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** The code of a refusal. */
function codeOf(acting: Promise<unknown>): Promise<string | undefined> {
  return acting.then(
    () => undefined,
    (error: unknown) => (error instanceof Refused ? error.code : String(error)),
  );
}

test('a waiting post is edited, moved and cancelled, and the log of actions has no text of it', async () => {
  await using opened = await open();
  const { store, actions, posting, logged, steps } = opened;
  const at = new Date('2026-11-22T12:00:00Z');

  const edited = await actions.editPost({ post: 'p1', text: 'Doors open at six', edits: 0 }, EDITOR);
  const stepsAfter = await steps();
  const content = await posting.contentOf('p1');
  const moved = await actions.movePost({ post: 'p1', at }, MEMBER);
  const cancelled = await actions.cancelPost({ post: 'p1' }, EDITOR);
  await actions.cancelPost({ post: 'p1' }, EDITOR);

  expect(edited).toMatchObject({ text: 'Doors open at six', edits: 1, editedBy: { id: '7', name: 'ada (page)' }, at: AT });
  // The message about a failure quotes the post.
  expect(stepsAfter).not.toContain(SECRET);
  expect(content).toMatchObject({ warning: 'Business', accounts: ['x', 'club'] });
  expect(moved.at).toEqual(at);
  expect(cancelled).toMatchObject({ cancelledBy: 'ada (page)', targets: [{ state: 'skipped' }, { state: 'skipped' }] });
  const accounts = ['x', 'club'];
  expect(await logged()).toEqual([
    { action: 'cancelPost', target: 'p1', outcome: 'unchanged', before: undefined, after: undefined },
    { action: 'cancelPost', target: 'p1', outcome: 'done', before: undefined, after: { accounts } },
    { action: 'movePost', target: 'p1', outcome: 'done', before: { at: AT.toISOString() }, after: { at: at.toISOString(), accounts } },
    { action: 'editPost', target: 'p1', outcome: 'done', before: { edits: 0 }, after: { edits: 1, accounts } },
  ]);
  expect(JSON.stringify((await store.auditLog.list()).items)).not.toMatch(/merger|Doors|Business/u);
});

test.for([
  ['of another server', { ...MEMBER, scope: { server: 'away', accounts: ['x'] } }, 'postNotFound'],
  ['outside of servers', { ...MEMBER, scope: { server: '', accounts: [] } }, 'postNotFound'],
  ['who only watches', { ...EDITOR, role: 'viewer' }, 'RoleMissing'],
] as const)('a person %s changes no post', async ([, actor, code]) => {
  await using opened = await open();
  const { actions, store, steps } = opened;
  const [before, stepsBefore] = [await store.posts.find('p1'), await steps()];

  const acts = [
    actions.editPost({ post: 'p1', text: 'mine' }, actor),
    actions.movePost({ post: 'p1', at: new Date(0) }, actor),
    actions.cancelPost({ post: 'p1' }, actor),
  ];

  for (const found of await Promise.all(acts.map(codeOf))) expect(found).toContain(code === 'RoleMissing' ? 'needs the role' : code);
  expect([await store.posts.find('p1'), await steps()]).toEqual([before, stepsBefore]);
});

test('an edit of an older text, of a text that cannot be sent, or of a post that has begun is refused', async () => {
  await using opened = await open();
  const { actions, store, logged } = opened;
  await actions.editPost({ post: 'p1', text: 'two' }, EDITOR);
  const refused = [
    await codeOf(actions.editPost({ post: 'p1', text: 'three', edits: 0 }, EDITOR)),
    await codeOf(actions.editPost({ post: 'p1', text: ' ' }, EDITOR)),
    await codeOf(actions.editPost({ post: 'none', text: 'x' }, EDITOR)),
  ];
  const { deliveries = [] } = (await store.posts.find('p1')) ?? {};
  await settle(store, deliveries[0]?.id, { state: 'sent' });
  refused.push(
    await codeOf(actions.editPost({ post: 'p1', text: 'x' }, EDITOR)),
    await codeOf(actions.movePost({ post: 'p1', at: AT }, EDITOR)),
  );

  expect(refused).toEqual(['postEdited', 'postNotSendable', 'postNotFound', 'postBegun', 'postBegun']);
  expect((await logged()).map(({ outcome }) => outcome)).toEqual([...refused.map(() => 'refused'), 'done']);
  // The other account still waits.
  expect(await actions.cancelPost({ post: 'p1' }, EDITOR)).toMatchObject({ targets: [{ state: 'sent' }, { state: 'skipped' }] });
  await actions.cancelPost({ post: 'p1' }, EDITOR);
  expect((await logged()).slice(0, 2)).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'done', after: { accounts: ['club'] } }]);
});

test('a post that was sent to no account cannot be changed, and is not called sent', async () => {
  await using opened = await open();
  const { actions, store } = opened;
  for (const { id } of (await store.posts.find('p1'))?.deliveries ?? [])
    await settle(store, id, { state: 'skipped', reason: { kind: 'tooLate', untilMs: 1 } });

  const refused = [
    await codeOf(actions.editPost({ post: 'p1', text: 'x' }, EDITOR)),
    await codeOf(actions.movePost({ post: 'p1', at: AT }, EDITOR)),
    await codeOf(actions.cancelPost({ post: 'p1' }, EDITOR)),
  ];

  expect(refused).toEqual(['postNotSent', 'postNotSent', 'postNotSent']);
});

test('the refusal of a change of a cancelled post says that it is cancelled', async () => {
  await using opened = await open();
  const { actions } = opened;
  await actions.cancelPost({ post: 'p1' }, MEMBER);

  const refused = [
    await codeOf(actions.editPost({ post: 'p1', text: 'x' }, EDITOR)),
    await codeOf(actions.movePost({ post: 'p1', at: AT }, EDITOR)),
  ];

  expect(refused).toEqual(['postCancelled', 'postCancelled']);
});

test('a post that a rule scheduled is no post of a person', async () => {
  await using opened = await open();
  const { actions, posting, store, clock } = opened;
  const later = createLaterPosts({ posts: store.posts, eventBus: createEventBus(), wake: () => undefined, clock });
  await later.keep({ id: 'rule', account: 'x', sendAt: AT, params: { text: 'of a rule' } });

  expect((await posting.allWaiting()).map(({ id }) => id)).toEqual(['p1']);
  expect(await codeOf(actions.cancelPost({ post: 'rule' }, EDITOR))).toBe('postNotFound');
  expect(await later.find('x', 'rule')).toMatchObject({ state: 'scheduled' });
});
