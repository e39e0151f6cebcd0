import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ControlsFixture, idOf, openControls } from '../discord/controls/fixture.ts';
import { hasChromium, pictureOf } from '../support/discord-picture.ts';
import { eventually } from '../support/fanfare-process.ts';
import { install, type Installation } from './installation.ts';

const START = '2026-11-20T18:00:05Z';
const MODERATORS = '1202584131993600003';
const FANFARE = '1202584131993600002';
/** Bidirectional controls, and control characters without the line break and the tab. */
const UNSEEN = /[\p{Cc}--[\n\t]]|[\u202A-\u202E\u2066-\u2069\uFEFF]/v;
/** The channels that exist at the start. */
const PLANNED = 11;

/** Hostile titles. The first word identifies each title. */
const HOSTILE: readonly (readonly [name: string, title: string])[] = [
  ['mentions', `one @everyone @here <@&${MODERATORS}> <@${FANFARE}> <@!${FANFARE}> @Moderator`],
  [
    'mentions that are hidden in markup',
    `two **@every**one ||@everyone|| \`@here\` [@everyone](https://evil.example) <@&\u200B${MODERATORS}>`,
  ],
  [
    'links that lie',
    'three [https://twitch.tv/ada](https://evil.example) <https://evil.example|free> [free](javascript:alert(1)) [x](<https://evil.example>)',
  ],
  ['unclosed markup', 'four ```js\n**__~~||`> # - 1. -# > >>> ***'],
  ['text in reverse direction', 'five \u202Egnp.exe\u202C \u2066x\u2069 \u200Fabc \u061C'],
  ['zalgo', `six ${'Z\u0351\u036B\u0343\u032A\u0302\u0333\u0329'.repeat(40)}${'\u0301'.repeat(300)}`],
  ['ten thousand characters', `seven ${'A very long title https://twitch.tv/ada '.repeat(260)}`],
  ['ten thousand characters that are all escaped', `eight ${'*'.repeat(10_000)}`],
  ['characters of several units', `nine ${'👩‍👩‍👧‍👦'.repeat(500)}`],
  ['invisible characters', 'ten \u0000\u0007\u001B[31m \uFEFF\u2028\u2029 \uD800 end'],
  ['other marks', 'eleven <#1> </live:1> <t:0:R> <a:x:1> <id:guide> <:heart:1202584131993600777>'],
  ['backslashes', 'twelve \\@everyone \\\\@everyone \\*x\\* \\'],
];

const RULE = `
id: hostile
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - id: card
    do: discord.send
    with:
      channel: live
      content: "\${{ item.title }} – \${{ item.title }}"
      mention: [Live]
      embed:
        title: "\${{ item.title }}"
        description: "\${{ item.title }}"
        footer: "\${{ item.title }}"
        fields: [{ name: "\${{ item.title }}", value: "\${{ item.title }}" }, { name: Game, value: "\${{ item.title }}" }]
  - { id: talk, do: discord.thread, with: { message: "\${{ steps.card.id }}", name: "\${{ item.title }}", content: "\${{ item.title }}" } }
  - { id: post, do: discord.send, with: { channel: guides, title: "\${{ item.title }}", content: "\${{ item.title }}" } }
  - { id: plainPost, do: discord.send, with: { channel: gallery, content: "\${{ item.title }}" } }
  - { do: discord.put, with: { name: top, channel: stream-news, content: "\${{ item.title }}", embed: { title: "\${{ item.title }}" } } }
  - { id: question, do: discord.ask, maxAge: 12h, with: { channel: moderators, content: "\${{ item.title }}", choices: ["\${{ item.title }}", drop] } }
  - { id: loud, do: discord.send, with: { channel: general, content: "\${{ item.title }}" } }
  - { do: discord.edit, with: { message: "\${{ steps.loud.id }}", content: "\${{ item.title }}", embed: { title: "\${{ item.title }}", description: "\${{ item.title }}" } } }
`;

const Views = z.object({
  items: z.array(
    z.object({
      channel: z.object({ name: z.string().optional() }),
      content: z.string(),
      pinged: z.object({ everyone: z.boolean(), roles: z.array(z.string()), users: z.array(z.string()) }),
      embeds: z.array(
        z.object({ title: z.string().optional(), description: z.string().optional(), footer: z.object({ text: z.string() }).optional() }),
      ),
      components: z.array(z.object({ components: z.array(z.object({ label: z.string() })) })),
    }),
  ),
});

async function startWithTitle(title: string): Promise<{ readonly fanfare: Installation } & AsyncDisposable> {
  const fanfare = await install({ rules: [RULE], at: START });
  fanfare.order({ do: 'end', user: 'ada' });
  await fanfare.pass(180, 60);
  fanfare.order({ do: 'goLive', user: 'ada', game: 'Chess', title });
  await fanfare.pass(120, 60);
  return { fanfare, [Symbol.asyncDispose]: () => fanfare[Symbol.asyncDispose]() };
}

describe.for(HOSTILE)('a title with %s', ([name, title]) => {
  test('causes no ping, no reordered text and no broken markup in any place', async () => {
    await using stage = await startWithTitle(title);
    const { fanfare } = stage;

    const { items } = Views.parse(await fanfare.control('/messages?limit=1000'));
    const deliveries = (await fanfare.store.deliveryLog.list({ limit: 100, idle: true })).items;

    expect(deliveries.filter(({ state }) => state !== 'sent' && state !== 'asked').map(({ error }) => error?.message)).toEqual([]);
    expect(deliveries).toHaveLength(8);
    const pings = items.map(({ channel, pinged }) => [channel.name, pinged.everyone, pinged.roles, pinged.users] as const);
    expect(pings.filter(([, everyone, roles, users]) => everyone || roles.length + users.length > 0)).toEqual([
      ['live', false, ['Live'], []],
    ]);

    for (const { content, embeds, components } of items) {
      const texts = [
        content,
        ...embeds.flatMap((card) => [card.title, card.description, card.footer?.text]),
        ...components.flatMap((row) => row.components.map(({ label }) => label)),
      ];
      for (const text of texts) expect(text ?? '').not.toMatch(UNSEEN);
      expect(content.length).toBeLessThanOrEqual(2000);
      // The title contains no link with another text.
      expect(content).not.toMatch(/(?<!\\)\[[^\]\\]*(?<!\\)\]\(/u);
    }
    const channels = z.object({ channels: z.array(z.object({ name: z.string() })) }).parse(await fanfare.control('/discord')).channels;
    const named = channels.slice(PLANNED);
    // A thread on the card and two posts.
    expect(named).toHaveLength(3);
    for (const channel of named) expect(channel.name).not.toMatch(UNSEEN);
    for (const channel of named) expect(channel.name).not.toMatch(/[\n\t]/u);

    const folder = process.env['FANFARE_PICTURES'];
    if (folder === undefined || !hasChromium) return;
    for (const channel of ['live', 'moderators', 'guides', 'general'])
      await pictureOf({ url: fanfare.sandbox.url, channel, file: `${folder}/${name.replaceAll(/\W+/g, '-')}-${channel}.png` });
  });
});

/** The schedule never triggers this rule. */
const QUESTION = `
id: asks
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { id: look, do: streaming.getStreams, with: { users: [ada] } }
  - { id: verdict, do: discord.ask, maxAge: 12h, with: { channel: moderators, content: "\${{ steps.look.items[0].title }}", choices: ["\${{ steps.look.items[0].title }}", drop] } }
  - do: discord.send
    with:
      channel: general
      content: "answered \${{ steps.verdict.choice }} \${{ steps.verdict.text }} \${{ steps.verdict.by.displayName }}"
      embed: { title: "\${{ steps.verdict.choice }}", description: "\${{ steps.verdict.text }}" }
`;
/** The maximum length in the form of a question. */
const LONGEST_ANSWER = 2000;
const LONGEST_TITLE = 45;

async function question(stage: ControlsFixture): Promise<string> {
  await stage.owner.click(idOf(await stage.owner.command('automation run', { rule: 'asks' })), 'Run it now');
  const { id } = await eventually('a question', async () =>
    (await stage.messages('moderators')).find(({ components }) => components.length > 0),
  );
  await eventually('a question that waits', () =>
    stage.keep(async ({ deliveryLog }) => (await deliveryLog.list({ state: 'asked' })).items.length > 0),
  );
  return id;
}

describe.for(HOSTILE)('a question and an answer with %s', ([, hostile]) => {
  test('cause no ping, no reordered text and no broken markup on buttons, in the form, below the question and in later messages', async () => {
    const orders = [{ do: 'goLive', user: 'ada', title: hostile }] as const;
    await using stage = await openControls({ files: { 'asks.yaml': QUESTION }, orders });
    const asked = await question(stage);
    const { components } = await stage.reload(asked);
    const labels = z
      .array(z.object({ components: z.array(z.object({ label: z.string() })) }))
      .parse(components)
      .flatMap((row) => row.components.map(({ label }) => label));

    const opened = await stage.owner.click(asked, labels.at(-1) ?? '');
    await stage.owner.fill(opened.id, { text: hostile.slice(0, LONGEST_ANSWER) });
    const startWithTitle = await eventually('what follows', async () =>
      (await stage.messages('general')).find(({ content }) => content.startsWith('answered')),
    );
    const answered = await eventually('a closed question', async () => {
      const now = await stage.reload(asked);
      return now.components.length === 0 && now;
    });

    expect(labels).toHaveLength(3);
    expect(opened.outcome).toBe('modal');
    const title = opened.modal?.title ?? '';
    expect(title.length).toBeLessThanOrEqual(LONGEST_TITLE);
    for (const text of [
      ...labels,
      title,
      answered.content,
      startWithTitle.content,
      ...startWithTitle.embeds.flatMap((card) => [card.title, card.description]),
    ]) {
      expect(text).toSatisfy((one: unknown) => typeof one === 'string' && one.isWellFormed());
      expect(text).not.toMatch(UNSEEN);
    }
    for (const { pinged } of [answered, startWithTitle]) expect(pinged).toMatchObject({ everyone: false, roles: [], users: [] });
    for (const { content } of [answered, startWithTitle]) {
      expect(content.length).toBeLessThanOrEqual(2000);
      expect(content).not.toMatch(/(?<!\\)\[[^\]\\]*(?<!\\)\]\(/u);
    }
    expect(answered.content).toMatch(/\n-# .*<@\d+>: [^\n]+$/u);
    const { items } = await stage.keep(({ deliveryLog }) => deliveryLog.list({ rule: 'asks' }));
    expect(items.filter(({ state }) => state === 'failed' || state === 'unknown').map(({ error }) => error?.message)).toEqual([]);
  });
});
