import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { PNG } from '../../support/media-files.ts';
import { expectSettled } from '../../support/settled.ts';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import { openPosting, type PostingFixture } from './fixture.ts';

const CARD = `data:image/png;name=card.png;base64,${PNG.toString('base64')}`;

async function texts(fixture: PostingFixture): Promise<readonly string[]> {
  return (await fixture.posts()).map(({ text }) => text);
}

describe('/post now', () => {
  test('shows a preview to its author, and sends nothing before a click', async () => {
    await using fixture = await openPosting();

    const shown = await fixture.command('post now', { text: 'We are **live** with @ada!', link: 'https://example.com/a_b' });

    expect(shown).toMatchObject({ ephemeral: true, message: { content: expect.stringContaining('Nothing is sent') } });
    expect(shown.message?.embeds).toMatchObject([
      {
        author: { name: 'sandbox' },
        description: 'We are \\*\\*live\\*\\* with @ada! https://example.com/a_b',
        footer: { text: '50 of 500 characters · 1 link, not shortened · mentions @ada' },
      },
    ]);
    expect(await texts(fixture)).toEqual([]);

    const sent = await fixture.click(shown, 'Send');

    await expectSettled(() => texts(fixture), ['We are **live** with @ada! https://example.com/a_b'], fixture.settled);
    const [post] = await fixture.posts();
    await expect
      .poll(async () => (await fixture.reload(sent)).message)
      .toMatchObject({
        content: expect.stringMatching(new RegExp(`^\\*\\*Sent\\.\\*\\*[^]*✅ \\*\\*sandbox\\*\\*: <http.*${post?.id}>$`)),
        components: [],
        embeds: [],
      });
  });

  test('opens a form if the command has no text', async () => {
    await using fixture = await openPosting();
    const text = 'One line\n\n• and another\n  with ${{ nothing }} to work out, $${{ twice }}';

    const opened = await fixture.command('post now');
    const shown = await fixture.write(opened, { text });
    await fixture.click(shown, 'Send');

    expect(opened).toMatchObject({ outcome: 'modal', modal: { title: 'Post' } });
    await expectSettled(() => texts(fixture), [text], fixture.settled);
  });

  test('a text that is too long for the form keeps its end', async () => {
    await using fixture = await openPosting({ accounts: ['sandbox'] });
    const texts = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

    const shown = await fixture.command('post now', { text: texts(600) });
    const opened = await fixture.click(shown, 'Edit');
    const rewritten = await fixture.write(opened, { text: 'New beginning' });

    const [draft] = await fixture.store.postDrafts.all();
    expect(rewritten.message?.id).toBe(shown.message?.id);
    expect(draft?.body).toMatchObject({ text: expect.stringMatching(/^New beginning word\d+ .* word599$/) });
  });

  test('the text in a form is not logged: only its author sees it', async () => {
    await using fixture = await openPosting();

    const shown = await fixture.write(await fixture.command('post now'), { text: 'The surprise guest is Ada' });
    await fixture.write(await fixture.click(shown, 'Edit'), { text: 'The surprise guest is Grace' });

    await expect.poll(() => fixture.lines.filter((line) => line.includes('form post:text:'))).toHaveLength(2);
    expect(fixture.lines.join('')).not.toContain('surprise');
  });

  test('an edit replaces the preview, and the edited text is sent', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'first words' });

    const opened = await fixture.click(shown, 'Edit');
    const again = await fixture.write(opened, { text: 'second words' });
    expect(again.message).toMatchObject({ id: shown.message?.id, embeds: [{ description: 'second words' }] });
    await fixture.click(again, 'Send');

    await expectSettled(() => texts(fixture), ['second words'], fixture.settled);
  });

  test('a text that is too long is previewed and sent as a thread, or shortened', async () => {
    await using fixture = await openPosting();
    const text = Array.from({ length: 60 }, (_, index) => `This is sentence ${index}.`).join(' ');

    const shown = await fixture.command('post now', { text, link: 'https://example.com/' });
    expect(shown.message?.embeds).toMatchObject([{ description: expect.stringMatching(/^\*\*1 of 3\*\*\n[^]*\*\*3 of 3\*\*\n/) }]);
    const short = await fixture.click(shown, 'Shorten it');
    expect(short.message?.embeds).toMatchObject([
      {
        description: expect.stringMatching(/… ?https:\/\/example\.com\/$/),
        footer: { text: expect.stringContaining('shortened from') },
      },
    ]);
    const long = await fixture.click(short, 'Make it a thread');
    await fixture.click(long, 'Send');

    await expectSettled(async () => (await fixture.posts()).length, 3, fixture.settled);
    const posts = await fixture.posts();
    expect(posts.map((post) => post.replyTo)).toEqual([undefined, posts[0]?.id, posts[1]?.id]);
    expect(posts.map((post) => post.text).join(' ')).toBe(`${text} https://example.com/`);
  });

  test('goes to the given accounts, and to others after a choice', async () => {
    await using fixture = await openPosting();

    const shown = await fixture.command('post now', { text: 'to both', accounts: ' Club, sandbox,club' });
    expect(shown.message?.embeds).toMatchObject([{ author: { name: 'club · sandbox' } }]);
    const menu = JSON.stringify(shown.message?.components).match(/post:accounts:[\w-]+/)?.[0] ?? '';
    const changed = await fixture.choose(shown, menu, ['club']);
    expect(changed.message?.embeds).toMatchObject([{ author: { name: 'club' } }]);
    const sent = await fixture.click(changed, 'Send');

    await expect.poll(async () => (await fixture.reload(sent)).message?.content).toContain('✅ **club**');
    expect(await texts(fixture)).toEqual(['to both']);
  });

  test('with more accounts than fit in a menu, the menu shows those of the draft, and a choice keeps the ones it does not show', async () => {
    const all = Array.from({ length: 27 }, (_, index) => `club${index}`);
    await using fixture = await openPosting({ accounts: all });
    const chosenIn = async (): Promise<unknown> => (await fixture.store.postDrafts.all()).map(({ body }) => Reflect.get(body, 'accounts'));
    const menuOf = ({ message }: InteractionView): string => JSON.stringify(message?.components).match(/post:accounts:[\w-]+/)?.[0] ?? '';

    const last = await fixture.command('post now', { text: 'a', accounts: 'club26' });
    const first = await fixture.choose(last, menuOf(last), ['club0']);
    expect([JSON.stringify(last.message?.components).includes('"club26"'), await chosenIn()]).toEqual([true, [['club0']]]);
    await fixture.click(first, 'Discard');
    const everywhere = await fixture.command('post now', { text: 'b', accounts: all.join(',') });
    await fixture.choose(everywhere, menuOf(everywhere), ['club3']);

    expect(await chosenIn()).toEqual([['club3', 'club25', 'club26']]);
  });

  test('an unknown account is an error with the known accounts, and names are completed', async () => {
    await using fixture = await openPosting();

    expect(await fixture.command('post now', { text: 'x', accounts: '@everyone' })).toMatchObject({
      ephemeral: true,
      message: { content: 'There is no account “everyone”. There are: sandbox, club.' },
    });
    const typed = await fixture.command('post now', { accounts: 'sandbox, c' }, { autocomplete: true, focused: 'accounts' });
    expect(typed.choices).toMatchObject([{ value: 'sandbox, club' }]);
  });

  test('two clicks at once send one post and show its result twice', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'only once' });

    const clicks = await Promise.all([fixture.click(shown, 'Send'), fixture.click(shown, 'Send')]);

    for (const click of clicks) await expect.poll(async () => (await fixture.reload(click)).message?.content).toContain('**Sent.**');
    expect(await texts(fixture)).toEqual(['only once']);
  });

  test('the result of a failed account has the reason and the remedy', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'half', accounts: 'sandbox, club' });
    await fixture.fail({ kind: 'status', status: 422, times: 1 });

    const click = await fixture.click(shown, 'Send');

    await expect.poll(async () => (await fixture.reload(click)).message?.content).toContain('**Not sent everywhere.**');
    const { message } = await fixture.reload(click);
    expect(message?.content).toMatch(/❌ \*\*(sandbox|club)\*\*: The platform rejected the post\. Try another text/);
    expect(message?.content).toMatch(/✅ \*\*(sandbox|club)\*\*: <http/);
  });

  test('the result shows that a platform is unavailable, and later the final state', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'in the end' });
    await fixture.fail({ kind: 'status', status: 503 });

    const click = await fixture.click(shown, 'Send');
    await expect
      .poll(async () => (await fixture.reload(click)).message?.content)
      .toMatch(/⏳ \*\*sandbox\*\*: not sent yet\. The platform is unavailable/);
    await fixture.heal();
    fixture.later(60_000);

    await expect.poll(async () => (await fixture.reload(click)).message?.content).toContain('**Sent.**');
  });

  test('a preview works after a restart', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'over the night', picture: CARD, alt: 'A card' });

    await fixture.restart();
    await fixture.click(shown, 'Send');

    await expectSettled(() => texts(fixture), ['over the night'], fixture.settled);
  });

  test('of a click on Send and one on Discard at the same moment, one counts', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'twice?' });

    const clicks = await Promise.all([fixture.click(shown, 'Send'), fixture.click(shown, 'Discard')]);
    await expect.poll(() => fixture.lines.filter((line) => /button post:(?:send|drop):/u.test(line))).toHaveLength(2);
    await fixture.settled();

    const isDiscarded = JSON.stringify(clicks).includes(en.posting.result.dropped);
    expect(await texts(fixture)).toEqual(isDiscarded ? [] : ['twice?']);
  });

  test('a dropped draft cannot be sent', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'never' });
    const send = JSON.stringify(shown.message?.components).match(/post:send:[\w-]+/)?.[0] ?? '';

    await fixture.click(shown, 'Discard');
    const late = await fixture.discord.interact({ user: fixture.owner, message: shown.message?.id, customId: send, forged: true });

    expect(late.message?.content).toBe(en.posting.errors.gone);
    expect(await texts(fixture)).toEqual([]);
  });
});

describe('a content warning', () => {
  test('is in the preview, in the form and in the post', async () => {
    await using fixture = await openPosting();

    const shown = await fixture.command('post now', { text: 'The killer is …', warning: 'Spoilers' });
    expect(shown.message?.embeds).toMatchObject([{ description: expect.stringContaining('Content warning: Spoilers') }]);
    const edited = await fixture.write(await fixture.click(shown, 'Edit'), { text: 'The killer is …', warning: 'Spoilers for the finale' });
    expect(edited.message?.embeds).toMatchObject([{ description: expect.stringContaining('Content warning: Spoilers for the finale') }]);
    const sent = await fixture.click(edited, 'Send');

    await expect.poll(async () => (await fixture.reload(sent)).message?.content).toContain('**Sent.**');
    const [post] = (await fixture.store.posts.recent(fixture.discord.guildId, 1)).flatMap(({ deliveries }) => deliveries);
    expect(post?.params).toMatchObject({ text: 'The killer is …', warning: 'Spoilers for the finale' });
    expect(post?.result).toMatchObject({ warning: 'Spoilers for the finale' });
  });

  test('can be removed in the form', async () => {
    await using fixture = await openPosting();

    const shown = await fixture.command('post now', { text: 'Hello', warning: 'Spoilers' });
    const edited = await fixture.write(await fixture.click(shown, 'Edit'), { text: 'Hello', warning: '' });

    expect(JSON.stringify(edited.message?.embeds)).not.toContain('Content warning');
  });
});

describe('a picture', () => {
  test('is stored with its alt text until the post is sent', async () => {
    await using fixture = await openPosting();

    const shown = await fixture.command('post now', { text: 'Look!', picture: CARD, alt: 'A card with the schedule' });
    expect(shown.message?.embeds).toMatchObject([
      {
        description: expect.stringContaining('The picture shows: A card with the schedule'),
        image: { url: expect.stringContaining('card.png') },
      },
    ]);
    expect(readdirSync(join(fixture.folder, 'pictures'))).toHaveLength(1);
    const sent = await fixture.click(shown, 'Send');
    await expect.poll(async () => (await fixture.reload(sent)).message?.content).toContain('**Sent.**');

    const [post] = (await fixture.store.posts.recent(fixture.discord.guildId, 1)).flatMap(({ deliveries }) => deliveries);
    expect(post?.result).toMatchObject({ text: 'Look!', media: [{ kind: 'image', altText: 'A card with the schedule' }] });
    fixture.later(2 * 60 * 60_000);
    await fixture.restart();
    await expect.poll(() => readdirSync(join(fixture.folder, 'pictures'))).toEqual([]);
  });

  test('that is not available is missing in the post, and the result and the list say so', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'Look!', picture: CARD, alt: 'A card' });
    for (const name of readdirSync(join(fixture.folder, 'pictures'))) rmSync(join(fixture.folder, 'pictures', name));

    const sent = await fixture.click(shown, 'Send');

    await expect.poll(async () => (await fixture.reload(sent)).message?.content).toMatch(/✅ .*\n-# ⚠️ The picture is missing: /);
    expect((await fixture.command('post queue')).message?.content).toMatch(/✅ .*\n-# ⚠️ The picture is missing: /);
  });

  test('needs no text, and its alt text can be edited in the form', async () => {
    await using fixture = await openPosting();

    const opened = await fixture.command('post now', { picture: CARD });
    const shown = await fixture.write(opened, { text: '', alt: 'A card' });
    const sent = await fixture.click(shown, 'Send');

    await expect.poll(async () => (await fixture.reload(sent)).message?.content).toContain('**Sent.**');
    const [post] = (await fixture.store.posts.recent(fixture.discord.guildId, 1)).flatMap(({ deliveries }) => deliveries);
    expect(post?.result).toMatchObject({ media: [{ altText: 'A card' }] });
  });

  test.each([
    [
      'is unsupported',
      `data:image/png;name=card.png;base64,${Buffer.from('<svg/>').toString('base64')}`,
      'The file is not a supported picture',
    ],
    ['is too large', `data:image/png;base64,${Buffer.alloc(9 * 1024 * 1024, PNG).toString('base64')}`, 'too large'],
  ])('that %s is an error for its author, and no draft is stored', async (_what, picture, answered) => {
    await using fixture = await openPosting();

    const view = await fixture.command('post now', { text: 'Look!', picture }, { waitMs: 0 });

    await expect
      .poll(async () => (await fixture.reload(view)).followUps)
      .toMatchObject([{ ephemeral: true, content: expect.stringContaining(answered) }]);
    expect(await fixture.store.postDrafts.all()).toEqual([]);
  });
});
