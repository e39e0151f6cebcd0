import { describe, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import { PNG } from '../../support/media-files.ts';
import { expectSettled } from '../../support/settled.ts';
import { openPosting, type PostingFixture } from './fixture.ts';

const HOUR_MS = 60 * 60_000;
const CARD = `data:image/png;name=card.png;base64,${PNG.toString('base64')}`;

async function texts(fixture: PostingFixture): Promise<readonly string[]> {
  return (await fixture.posts()).map(({ text }) => text);
}

/** Has a post wait. */
async function plan(
  fixture: PostingFixture,
  way: 'schedule' | 'queue',
  options: Readonly<Record<string, string>>,
): Promise<InteractionView> {
  const shown = await fixture.command(`post ${way}`, options);
  const click = await fixture.click(shown, way === 'queue' ? 'Queue' : 'Schedule');
  await expect.poll(async () => (await fixture.reload(click)).message?.content).toContain('**Waiting.**');
  return fixture.reload(click);
}

async function firstWaiting(fixture: PostingFixture) {
  const [first] = await fixture.store.posts.waiting(fixture.discord.guildId);
  if (!first) throw new Error('no post waits');
  return first.post;
}

/** The values in the fields of a form. */
function valuesIn({ modal }: InteractionView): readonly string[] {
  return [...JSON.stringify(modal).matchAll(/"value":("(?:[^"\\\\]|\\\\.)*")/g)].map(([, value = '']) => String(JSON.parse(value)));
}

describe('the edit of a waiting post', () => {
  test('replaces its text everywhere before it is sent', async () => {
    await using fixture = await openPosting();
    const waiting = await plan(fixture, 'schedule', {
      time: 'in 1h',
      text: 'Hello $${{ x }} form Ada',
      accounts: 'sandbox, club',
      warning: 'Spoilr',
    });

    const form = await fixture.click(waiting, 'Edit');
    expect(valuesIn(form)).toEqual(['Hello $${{ x }} form Ada', 'Spoilr']);
    const { at } = await firstWaiting(fixture);
    const edited = await fixture.write(form, { text: 'Hello $${{ x }} from Ada', warning: 'Spoiler' });

    expect((await firstWaiting(fixture)).at).toEqual(at);
    expect(edited.message).toMatchObject({
      content: expect.stringContaining('from Ada'),
      embeds: [{ author: { name: 'sandbox · club' } }],
    });
    expect((await fixture.store.auditLog.list()).items).toMatchObject([
      { action: 'editPost', by: { via: 'discord' }, outcome: 'done', after: { edits: 1, accounts: ['sandbox', 'club'] } },
    ]);
    await fixture.fail({ kind: 'status', status: 422, times: 1 });
    fixture.later(HOUR_MS + 1_000);
    await expectSettled(() => texts(fixture), ['Spoiler\n\nHello $${{ x }} from Ada'], fixture.settled);
    await expect
      .poll(async () => (await fixture.discord.messages('general')).filter(({ ephemeral }) => !ephemeral))
      .toMatchObject([{ content: expect.stringContaining('“Spoiler” was not sent'), pinged: { users: [fixture.owner] } }]);
  });

  test('keeps its place in the queue and its picture', async () => {
    await using fixture = await openPosting();
    const waiting = await plan(fixture, 'queue', { text: 'Pooster', picture: CARD, alt: 'A cat' });

    const edited = await fixture.write(await fixture.click(waiting, 'Edit'), { text: 'Poster', alt: 'A dog' });

    expect(edited.message?.embeds).toMatchObject([{ description: expect.stringContaining('A dog') }]);
    const after = await firstWaiting(fixture);
    expect(after).toMatchObject({ text: 'Poster', isQueued: true });
    expect(await fixture.store.posts.pictures()).toEqual(new Set([after.picture]));
    fixture.later(after.at.getTime() - Date.now() + 1_000);
    await expectSettled(() => texts(fixture), ['Poster'], fixture.settled);
    const [post] = (await fixture.store.posts.recent(fixture.discord.guildId, 1)).flatMap(({ deliveries }) => deliveries);
    expect(post?.result).toMatchObject({ media: [{ altText: 'A dog' }] });
  });

  test('is refused with the typed text if the post cannot be sent so, or another member edited or cancelled it', async () => {
    await using fixture = await openPosting();
    const waiting = await plan(fixture, 'schedule', { time: 'in 1h', text: 'ours', long: 'thread' });
    const open = async () => fixture.click(waiting, 'Edit');
    const [first, second, third] = [await open(), await open(), await open()];
    const other = 'Another text with more than twenty characters';

    const empty = await fixture.write(first, { text: ' ' });
    await fixture.write(first, { text: 'theirs' });
    const later = await fixture.write(second, { text: other });
    await fixture.click(waiting, 'Cancel');
    const cancelled = await fixture.write(third, { text: other });

    expect(empty.message?.content).toContain(en.posting.preview.empty);
    expect(later.message?.content).toContain(en.posting.errors.edited);
    expect(cancelled.message?.content).toContain('**Cancelled**');
    for (const view of [later, cancelled]) expect(JSON.stringify(view.message?.embeds)).toContain(other);
    fixture.later(2 * HOUR_MS);
    await expectSettled(() => texts(fixture), [], fixture.settled);
  });
});
