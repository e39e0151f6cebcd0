import { describe, expect, test } from 'vitest';
import { check, unmark } from '../../support/rule-language.ts';

const WATCH = 'every: 1m, watch: streaming.getStreams, with: { users: [ada] }';

function rule(step: string, when = WATCH): string {
  return [
    'id: r',
    'vars: { pictures: { Chess: https://example.org/chess.png }, channels: { Chess: chess }, members: { ada: "123456789012345678" } }',
    `when: { ${when} }`,
    'then:',
    '  - { id: ai, onError: continue, do: assistant.ask, with: { text: "${{ item.id }}" } }',
    `  - { do: ${step} }`,
  ].join('\n');
}

const send = (parts: string): string => rule(`discord.send, with: { channel: live, content: hi, ${parts} }`);

/** The warnings, with the hint; `▲` stands for the marked location. */
function warningsOf(marked: string): readonly (readonly (string | undefined)[])[] {
  const { source, place } = unmark(marked);
  return check(source).diagnostics.map(({ line, column, code, message, hint }) => [
    `${line}:${column}` === place ? '▲' : '?',
    code,
    message,
    hint,
  ]);
}

const REFUSED = 'is not an address: the message is sent without it';
const WITHOUT_FILE = 'is not an address: Fanfare sends the step without the file';

describe('a text in the place of an address has a warning', () => {
  test.each([
    ['embed: { title: a, url: "${{ ▲steps.ai.message.text }}" }', 'steps.ai.message.text', REFUSED],
    ['embed: { title: a, image: "${{ ▲steps.ai.message.text }}" }', 'steps.ai.message.text', REFUSED],
    ['embed: { title: a, thumbnail: "${{ ▲item.title }}" }', 'item.title', REFUSED],
    ['embed: { author: { name: a, icon: "${{ ▲item.owner.displayName }}" } }', 'item.owner.displayName', REFUSED],
    ['files: ["${{ ▲steps.ai.message.text }}"]', 'steps.ai.message.text', WITHOUT_FILE],
    ['files: [{ url: "${{ ▲item.title }}" }]', 'item.title', WITHOUT_FILE],
  ])('%s', (parts, source, message) => {
    const hint = `write a field with an address, or choose one in vars: vars.pictures[?${source}].orValue('')`;
    expect(warningsOf(send(parts))).toEqual([['▲', 'impossible-address', `${source} ${message}`, hint]]);
  });

  test.each([
    'embed: { title: a, url: "${{ item.url }}", image: "${{ item.thumbnailUrl }}" }',
    `embed: { title: a, image: "\${{ vars.pictures[?steps.ai.message.text].orValue('') }}" }`,
    'embed: { title: "${{ item.title }}", image: "https://example.org/${{ item.title }}.png" }',
    'files: [{ url: "${{ item.thumbnailUrl }}", altText: "${{ item.title }}" }]',
  ])('and another one has none: %s', (parts) => {
    expect(warningsOf(send(parts))).toEqual([]);
  });
});

test('a text of others that chooses the channel has a warning', () => {
  const chosen = (channel: string): string => rule(`discord.send, with: { channel: "\${{ ${channel} }}", content: hi }`);

  expect(warningsOf(chosen('▲steps.ai.message.text'))).toEqual([
    [
      '▲',
      'foreign-channel',
      'a text that others write chooses the channel',
      `write the channels in vars, and vars.channels[?steps.ai.message.text].orValue('general')`,
    ],
  ]);
  for (const channel of [`vars.channels[?steps.ai.message.text].orValue('general')`, 'item.owner.handle'])
    expect(warningsOf(chosen(channel))).toEqual([]);
});

test('a field of a webhook, an option of a command, and a text that begins with an address have no warning', () => {
  const webhook = `id: r
when: { webhook: tool, fields: { title: text, image: { text: text } } }
then: [{ do: discord.send, with: { channel: "\${{ item.title }}", content: hi, embed: { title: a, image: "\${{ item.image.text }}" } } }]
`;
  const command = `id: r
about: Shows a picture
when: { command: picture, options: { text: { type: string, about: The address, required: true } } }
then: [{ do: discord.answer, with: { content: hi, embed: { title: a, image: "\${{ command.options.text }}" } } }]
`;
  const memes = (where: string): string => `id: r
when: { every: 1m, watch: discord.getMessages, with: { channel: memes }, where: '${where}' }
then: [{ do: discord.send, with: { channel: best, content: hi, files: ["\${{ ▲item.content }}"] } }]
`;
  const codes = (source: string) => warningsOf(source).map(([, code]) => code);

  expect(codes(webhook)).not.toContain('foreign-channel');
  expect(codes(webhook)).not.toContain('impossible-address');
  expect(codes(command)).toEqual([]);
  expect(codes(memes('item.content.startsWith("https://")').replace('▲', ''))).toEqual([]);
  expect(codes(memes('!item.author.bot'))).toEqual(['impossible-address']);
});

describe('an id of another kind of platform has a warning', () => {
  const MESSAGES = 'every: 1m, watch: discord.getMessages, with: { channel: help }, where: "!item.author.self"';
  const FOLLOWERS = 'every: 1m, watch: social.getUserFollowers, account: bluesky, with: { user: ada, pages: all }';

  const PEOPLE: Readonly<Record<string, string>> = {
    discord: 'member of Discord',
    social: 'user of social networks',
    streaming: 'channel for streams',
  };

  test.each([
    ['discord.addRole, with: { user: "${{ ▲item.owner.id }}", role: Live }', WATCH, 'streaming', 'item.owner.handle'],
    ['discord.send, with: { user: "${{ ▲item.owner.id }}", content: hi }', WATCH, 'streaming', 'item.owner.handle'],
    ['discord.send, with: { channel: a, content: "hi <@${{ ▲item.owner.id }}>" }', WATCH, 'streaming', 'item.owner.handle'],
    ['discord.send, with: { channel: a, content: hi, mention: ["${{ ▲item.owner.id }}"] }', WATCH, 'streaming', 'item.owner.handle'],
    ['discord.removeRole, with: { user: "${{ ▲item.id }}", role: Live }', FOLLOWERS, 'social', 'item.id'],
    ['social.followUser, as: bluesky, with: { user: "${{ ▲item.owner.id }}" }', WATCH, 'streaming', 'item.owner.handle'],
    ['streaming.getUser, with: { user: "${{ ▲item.id }}" }', FOLLOWERS, 'social', 'item.id'],
  ])('%s', (step, when, client, key) => {
    const [, source] = /▲([\w.]+)/u.exec(step) ?? [];
    expect(warningsOf(rule(step, when))).toEqual([
      [
        '▲',
        'foreign-id',
        `${source} is an id of ${client}, and no ${PEOPLE[step.split('.')[0] ?? '']} has it`,
        `write the names of these people in vars, and vars.members[?${key}].orValue('')`,
      ],
    ]);
  });

  test.each([
    ['discord.addRole, with: { user: "${{ item.author.id }}", role: Live }', MESSAGES],
    ['discord.send, with: { channel: a, content: "hi <@${{ item.author.id }}>", mention: ["${{ item.author.id }}"] }', MESSAGES],
    [`discord.addRole, with: { user: "\${{ vars.members[?item.owner.handle].orValue('') }}", role: Live }`, WATCH],
    ['discord.send, with: { channel: a, content: "stream ${{ item.id }} of ${{ item.owner.id }}" }', WATCH],
    ['streaming.getUser, with: { user: "${{ item.owner.id }}" }', WATCH],
    ['discord.addRole, with: { user: "${{ item.owner.id }}", role: Live }', 'every: 1m, watch: history.getEpisodes, with: { rule: r }'],
    ['social.sendMessage, as: bluesky, with: { user: "${{ item.id }}", text: hi }', FOLLOWERS],
  ])('and an id that fits has none: %s', (step, when) => {
    expect(warningsOf(rule(step, when))).toEqual([]);
  });
});

test('an answer of the assistant in a text has a hint with its text', () => {
  expect(warningsOf(send('embed: { title: "${{ ▲steps.ai.message }}" }'))).toEqual([
    ['▲', 'wrong-type', 'expected text, found an object', 'use a field of the object, for example .text or .id'],
  ]);
});
