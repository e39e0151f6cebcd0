import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PNG } from '../../support/media-files.ts';
import { openPosting, type PostingStage } from './stage.ts';

const CARD = `data:image/png;name=card.png;base64,${PNG.toString('base64')}`;

async function texts(stage: PostingStage): Promise<readonly string[]> {
  return (await stage.posts()).map(({ text }) => text);
}

describe('/post now', () => {
  test('shows what will stand there, to its author alone, and sends nothing before the button is pressed', async () => {
    await using stage = await openPosting();

    const shown = await stage.command('post now', { text: 'We are **live** with @ada!', link: 'https://example.com/a_b' });

    expect(shown).toMatchObject({ ephemeral: true, message: { content: expect.stringContaining('Nothing is sent') } });
    expect(shown.message?.embeds).toMatchObject([
      {
        author: { name: 'sandbox' },
        description: 'We are \\*\\*live\\*\\* with @ada! https://example.com/a_b',
        footer: { text: '50 of 500 · 1 link, whole · mentions @ada' },
      },
    ]);
    expect(await texts(stage)).toEqual([]);

    const sent = await stage.press(shown, 'Send');

    await expect.poll(() => texts(stage)).toEqual(['We are **live** with @ada! https://example.com/a_b']);
    const [post] = await stage.posts();
    await expect
      .poll(async () => (await stage.look(sent)).message)
      .toMatchObject({
        content: expect.stringMatching(new RegExp(`^\\*\\*Sent\\.\\*\\*[^]*✅ \\*\\*sandbox\\*\\*: <http.*${post?.id}>$`)),
        components: [],
        embeds: [],
      });
  });

  test('opens a form for a text of several lines where none is given', async () => {
    await using stage = await openPosting();
    const text = 'One line\n\n• and another\n  with ${{ nothing }} to work out, $${{ twice }}';

    const opened = await stage.command('post now');
    const shown = await stage.write(opened, { text });
    await stage.press(shown, 'Send');

    expect(opened).toMatchObject({ outcome: 'modal', modal: { title: 'Post' } });
    await expect.poll(() => texts(stage)).toEqual([text]);
  });

  test('what is longer than the form keeps its end when its beginning is edited', async () => {
    await using stage = await openPosting({ accounts: ['sandbox'] });
    const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

    const shown = await stage.command('post now', { text: words(600) });
    const opened = await stage.press(shown, 'Edit');
    const rewritten = await stage.write(opened, { text: 'New beginning' });

    const [draft] = await stage.store.postDrafts.all();
    expect(rewritten.message?.id).toBe(shown.message?.id);
    expect(draft?.body).toMatchObject({ text: expect.stringMatching(/^New beginning word\d+ .* word599$/) });
  });

  test('what is edited is what is sent, in the place of the first preview', async () => {
    await using stage = await openPosting();
    const shown = await stage.command('post now', { text: 'first words' });

    const opened = await stage.press(shown, 'Edit');
    const again = await stage.write(opened, { text: 'second words' });
    expect(again.message).toMatchObject({ id: shown.message?.id, embeds: [{ description: 'second words' }] });
    await stage.press(again, 'Send');

    await expect.poll(() => texts(stage)).toEqual(['second words']);
  });

  test('a text that is too long is shown as a thread with its parts, or shortened, and so it is sent', async () => {
    await using stage = await openPosting();
    const text = Array.from({ length: 60 }, (_, index) => `This is sentence ${index}.`).join(' ');

    const shown = await stage.command('post now', { text, link: 'https://example.com/' });
    expect(shown.message?.embeds).toMatchObject([{ description: expect.stringMatching(/^\*\*1 of 3\*\*\n[^]*\*\*3 of 3\*\*\n/) }]);
    const short = await stage.press(shown, 'Shorten it');
    expect(short.message?.embeds).toMatchObject([
      {
        description: expect.stringMatching(/… ?https:\/\/example\.com\/$/),
        footer: { text: expect.stringContaining('shortened: it was') },
      },
    ]);
    const long = await stage.press(short, 'Make it a thread');
    await stage.press(long, 'Send');

    await expect.poll(async () => (await stage.posts()).length).toBe(3);
    const posts = await stage.posts();
    expect(posts.map((post) => post.replyTo)).toEqual([undefined, posts[0]?.id, posts[1]?.id]);
    expect(posts.map((post) => post.text).join(' ')).toBe(`${text} https://example.com/`);
  });

  test('goes to the accounts that were named, and to others once they are chosen', async () => {
    await using stage = await openPosting();

    const shown = await stage.command('post now', { text: 'to both', accounts: ' Club, sandbox,club' });
    expect(shown.message?.embeds).toMatchObject([{ author: { name: 'club · sandbox' } }]);
    const menu = JSON.stringify(shown.message?.components).match(/post:accounts:[\w-]+/)?.[0] ?? '';
    const changed = await stage.choose(shown, menu, ['club']);
    expect(changed.message?.embeds).toMatchObject([{ author: { name: 'club' } }]);
    const sent = await stage.press(changed, 'Send');

    await expect.poll(async () => (await stage.look(sent)).message?.content).toContain('✅ **club**');
    expect(await texts(stage)).toEqual(['to both']);
  });

  test('an account that is none is told with those that are, and what is typed is completed', async () => {
    await using stage = await openPosting();

    expect(await stage.command('post now', { text: 'x', accounts: '@everyone' })).toMatchObject({
      ephemeral: true,
      message: { content: 'There is no account called “everyone”. There are: sandbox, club.' },
    });
    const typed = await stage.command('post now', { accounts: 'sandbox, c' }, { autocomplete: true, focused: 'accounts' });
    expect(typed.choices).toMatchObject([{ value: 'sandbox, c' }, { value: 'sandbox, club' }]);
  });

  test('pressed twice at once, it is sent once, and both see what became of it', async () => {
    await using stage = await openPosting();
    const shown = await stage.command('post now', { text: 'only once' });

    const presses = await Promise.all([stage.press(shown, 'Send'), stage.press(shown, 'Send')]);

    for (const press of presses) await expect.poll(async () => (await stage.look(press)).message?.content).toContain('**Sent.**');
    expect(await texts(stage)).toEqual(['only once']);
  });

  test('where an account fails, the result says why and what to do, and where it is', async () => {
    await using stage = await openPosting();
    const shown = await stage.command('post now', { text: 'half', accounts: 'sandbox, club' });
    await stage.fail({ kind: 'status', status: 422, times: 1 });

    const press = await stage.press(shown, 'Send');

    await expect.poll(async () => (await stage.look(press)).message?.content).toContain('**Not sent everywhere.**');
    const { message } = await stage.look(press);
    expect(message?.content).toMatch(/❌ \*\*(sandbox|club)\*\*: The platform did not accept it\. Try it in other words/);
    expect(message?.content).toMatch(/✅ \*\*(sandbox|club)\*\*: <http/);
  });

  test('while a platform has trouble, the result says so, and it becomes the last word later', async () => {
    await using stage = await openPosting();
    const shown = await stage.command('post now', { text: 'in the end' });
    await stage.fail({ kind: 'status', status: 503 });

    const press = await stage.press(shown, 'Send');
    await expect
      .poll(async () => (await stage.look(press)).message?.content, { timeout: 20_000 })
      .toMatch(/⏳ \*\*sandbox\*\*: not there yet\. The platform has trouble/);
    await stage.heal();
    stage.later(60_000);

    await expect.poll(async () => (await stage.look(press)).message?.content, { timeout: 10_000 }).toContain('**Sent.**');
  });

  test('a preview works after a restart', async () => {
    await using stage = await openPosting();
    const shown = await stage.command('post now', { text: 'over the night', picture: CARD, alt: 'A card' });

    await stage.restart();
    await stage.press(shown, 'Send');

    await expect.poll(() => texts(stage)).toEqual(['over the night']);
  });

  test('what is dropped cannot be sent any more', async () => {
    await using stage = await openPosting();
    const shown = await stage.command('post now', { text: 'never' });
    const send = JSON.stringify(shown.message?.components).match(/post:send:[\w-]+/)?.[0] ?? '';

    await stage.press(shown, 'Drop');
    const late = await stage.discord.interact({ user: stage.owner, message: shown.message?.id, customId: send, forged: true });

    expect(late.message?.content).toContain('is gone');
    expect(await texts(stage)).toEqual([]);
  });
});

describe('a picture', () => {
  test('is kept until it is sent, with what it shows, and then let go of', async () => {
    await using stage = await openPosting();

    const shown = await stage.command('post now', { text: 'Look!', picture: CARD, alt: 'A card with the schedule' });
    expect(shown.message?.embeds).toMatchObject([
      {
        description: expect.stringContaining('The picture shows: A card with the schedule'),
        image: { url: expect.stringContaining('card.png') },
      },
    ]);
    expect(readdirSync(join(stage.folder, 'pictures'))).toHaveLength(1);
    const sent = await stage.press(shown, 'Send');
    await expect.poll(async () => (await stage.look(sent)).message?.content).toContain('**Sent.**');

    const [post] = (await stage.store.posts.recent(stage.discord.guildId, 1)).flatMap(({ deliveries }) => deliveries);
    expect(post?.result).toMatchObject({ text: 'Look!', media: [{ kind: 'image', altText: 'A card with the schedule' }] });
    stage.later(2 * 60 * 60_000);
    await stage.restart();
    await expect.poll(() => readdirSync(join(stage.folder, 'pictures'))).toEqual([]);
  });

  test('may stand alone; what it shows can be said in the form', async () => {
    await using stage = await openPosting();

    const opened = await stage.command('post now', { picture: CARD });
    const shown = await stage.write(opened, { text: '', alt: 'A card' });
    const sent = await stage.press(shown, 'Send');

    await expect.poll(async () => (await stage.look(sent)).message?.content).toContain('**Sent.**');
    const [post] = (await stage.store.posts.recent(stage.discord.guildId, 1)).flatMap(({ deliveries }) => deliveries);
    expect(post?.result).toMatchObject({ media: [{ altText: 'A card' }] });
  });

  test.each([
    ['is none', `data:image/png;name=card.png;base64,${Buffer.from('<svg/>').toString('base64')}`, 'That is no picture'],
    ['is too large', `data:image/png;base64,${Buffer.alloc(9 * 1024 * 1024, PNG).toString('base64')}`, 'too large'],
  ])('that %s is told to its author, and nothing is left over', async (_what, picture, told) => {
    await using stage = await openPosting();

    const view = await stage.command('post now', { text: 'Look!', picture }, { waitMs: 0 });

    await expect
      .poll(async () => (await stage.look(view)).followUps)
      .toMatchObject([{ ephemeral: true, content: expect.stringContaining(told) }]);
    expect(await stage.store.postDrafts.all()).toEqual([]);
  });
});
