import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import type { InteractionView } from '../support/discord-sandbox.ts';
import { openBotConnection } from './connection-fixture.ts';
import { openPosting, type PostingFixture } from './posting/fixture.ts';

const TEXT = 'A long text about **tonight**,\nwith a second line and a @mention.';
const NO_PICTURE = `data:image/png;name=card.png;base64,${Buffer.from('<svg/>').toString('base64')}`;
const DAY_MS = 24 * 60 * 60_000;

/** The private messages of an answer, as the member sees them. */
const shown = ({ message, followUps }: InteractionView) =>
  [message, ...followUps].flatMap((one) => (one?.ephemeral && one.deletedAt === undefined ? [one] : []));

/** The texts that the member can copy. */
const copied = (view: InteractionView) =>
  shown(view)
    .flatMap(({ embeds }) => embeds as readonly { readonly description: string }[]) // as the sandbox keeps them
    .map(({ description }) => description.replaceAll(/^```\n|\n```$/gu, ''));

describe('a refused post', () => {
  let fixture: PostingFixture;
  beforeAll(async () => {
    fixture = await openPosting();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  const { errors } = en.posting;

  test.for([
    { why: 'alt text without a picture', command: 'post now', options: { alt: 'A card' }, answer: errors.altWithoutPicture },
    {
      why: 'alt text without a picture',
      command: 'post schedule',
      options: { alt: 'A card', time: 'in 2h' },
      answer: errors.altWithoutPicture,
    },
    { why: 'alt text without a picture', command: 'post queue', options: { alt: 'A card' }, answer: errors.altWithoutPicture },
    { why: 'an unclear time', command: 'post schedule', options: { time: 'soon' }, answer: errors.time.unclear },
    {
      why: 'an unknown account',
      command: 'post now',
      options: { accounts: 'nobody' },
      answer: errors.unknownAccount('nobody', 'sandbox, club'),
    },
    { why: 'a link without a protocol', command: 'post now', options: { link: 'example.com' }, answer: errors.noLink },
    { why: 'a file that is no picture', command: 'post now', options: { picture: NO_PICTURE }, answer: errors.noPicture },
    { why: 'a file that is no picture', command: 'post queue', options: { picture: NO_PICTURE }, answer: errors.noPicture },
  ])('of $command with $why shows its author the typed text', async ({ command, options, answer }) => {
    const view = await fixture.command(command, { text: TEXT, ...options }, { waitMs: 0 });

    await expect.poll(async () => shown(await fixture.reload(view))).toMatchObject([{ content: `${answer}\n${en.errors.yourText}` }]);
    expect(copied(await fixture.reload(view))).toEqual([TEXT]);
    expect(await fixture.store.postDrafts.all()).toEqual([]);
  });

  test('shows the text of the form if its picture cannot be stored', async () => {
    const opened = await fixture.command('post now', { picture: NO_PICTURE });

    const view = await fixture.discord.interact({
      user: fixture.owner,
      modal: opened.id,
      fields: { text: TEXT, alt: 'A card' },
      waitMs: 0,
    });

    await expect
      .poll(async () => shown(await fixture.reload(view)))
      .toMatchObject([{ content: expect.stringContaining(errors.noPicture) }]);
    expect(copied(await fixture.reload(view))).toEqual([TEXT]);
  });

  test.for([TEXT, 'word'.repeat(1_490)])('that is discarded or cancelled leaves its text: %.20s', async (text) => {
    const preview = await fixture.command('post schedule', { text, time: 'in 2h' });
    const dropped = await fixture.click(preview, 'Discard');
    const scheduled = await fixture.click(await fixture.command('post schedule', { text, time: 'in 2h' }), 'Schedule');
    const cancelled = await fixture.click(scheduled, 'Cancel');

    for (const view of [dropped, cancelled]) await expect.poll(async () => copied(await fixture.reload(view)).join('')).toBe(text);
  });

  test('that is cancelled shows a text that is too short to copy', async () => {
    const scheduled = await fixture.click(await fixture.command('post schedule', { text: 'We are live', time: 'in 2h' }), 'Schedule');

    expect(shown(await fixture.click(scheduled, 'Cancel'))).toMatchObject([{ content: expect.stringContaining('> We are live') }]);
  });

  test('that was chosen from suggestions leaves no id', async () => {
    const view = await fixture.command('post cancel', { post: randomUUID() });

    expect(shown(view)).toMatchObject([{ content: errors.missing, embeds: [] }]);
  });

  test('shows the text of the form if its draft was deleted', async () => {
    const opened = await fixture.command('post now');
    fixture.later(2 * DAY_MS);
    await fixture.restart();

    const view = await fixture.write(opened, { text: TEXT });

    expect(shown(view)).toMatchObject([{ content: expect.stringContaining(errors.gone) }]);
    expect(copied(view)).toEqual([TEXT]);
  });

  test('shows all texts, even the longest', async () => {
    const text = 'word'.repeat(1_500);
    const warning = 'A warning with more than forty characters, which is long';

    const view = await fixture.command('post schedule', { text, warning, time: 'soon' });

    await expect.poll(async () => copied(await fixture.reload(view))).toHaveLength(4);
    const texts = copied(await fixture.reload(view));
    expect(texts.slice(0, 3).join('')).toBe(text);
    expect(texts[3]).toBe(warning);
  });

  test('keeps a code block in the text readable', async () => {
    const view = await fixture.command('post schedule', { text: '```js\nlet streams = await bot.getStreams();\n```', time: 'soon' });

    expect(copied(view).map((text) => text.replaceAll('\u200B', ''))).toEqual(['```js\nlet streams = await bot.getStreams();\n```']);
  });

  test('shows only the error if the texts are short', async () => {
    const view = await fixture.command('post schedule', { text: 'We are live', time: 'soon' });

    expect(shown(view)).toMatchObject([{ content: errors.time.unclear, embeds: [] }]);
  });
});

test('a command that is refused because the database does not answer shows its long text', async () => {
  await using bot = await openBotConnection({ shared: { handled: { claim: () => Promise.reject(new Error('no connection')) } } });
  await bot.online.client;

  const view = await bot.echo(TEXT);

  expect(shown(view)).toMatchObject([{ content: `${en.errors.stateUnreachable}\n${en.errors.yourText}` }]);
  expect(copied(view)).toEqual([TEXT]);
});
