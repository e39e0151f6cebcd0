import { describe, expect, test } from 'vitest';
import { hintsOf } from '../../support/rule-language.ts';
import { list, messagesOf, slot } from './fixture.ts';

const watching = (parameters: string): string => slot({ when: `every: 1m, watch: streaming.getStreams, with: { ${parameters} }` });
const step = (verb: string, parameters: string): string => slot({ steps: `{ do: ${verb}, with: { ${parameters} } }` });

describe('a list without an element', () => {
  test.for([
    ['users', watching('users: ▲[]')],
    ['games', watching('games: ▲[]')],
    ['languages', watching('users: [ada], languages: ▲[]')],
    ['users', step('streaming.getStreams', 'users: ▲[]')],
    ['users', slot({ top: 'vars: { team: [] }', when: 'every: 1m, watch: streaming.getStreams, with: { users: ▲"${{ vars.team }}" }' })],
  ] as const)('of %s is an error: %s', ([name, marked]) => {
    expect(messagesOf(marked)).toEqual([`▲ error empty-list: ${name} is an empty list`]);
  });

  test('is valid in a write', () => {
    expect(messagesOf(step('discord.send', 'channel: live, content: hi, mention: []'))).toEqual([]);
  });
});

test('a language of streams is a code, in any case', () => {
  expect(messagesOf(watching('users: [ada], languages: [EN, de, zh-hk, pt_br, asl, other]'))).toEqual([]);
});

describe('a name that no user can have', () => {
  test.for([
    ['"ad a"', watching('users: [▲ad a]')],
    ['"ada, grace"', watching('users: [▲"ada, grace"]')],
    ['"ad a"', slot({ top: 'vars: { who: ad a }', when: 'every: 1m, watch: streaming.getStreams, with: { users: [▲"${{ vars.who }}"] }' })],
    ['"ad a"', step('streaming.getUser', 'user: ▲ad a')],
    ['"“ada”"', watching('users: [▲“ada”]')],
  ] as const)('is an error: %s in %s', ([name, marked]) => {
    expect(messagesOf(marked)).toEqual([`▲ error impossible-user: no user can have the name ${name}`]);
  });

  test.for([
    ['https://www.twitch.tv/ada', 'ada'],
    ['twitch.tv/ada/', 'ada'],
    ['https://kick.com/grace?tab=about', 'grace'],
    ['https://www.youtube.com/@ada-l', 'ada-l'],
    ['https://youtube.com/channel/UC123', 'UC123'],
  ])('is the address of a channel: %s', ([address = '', name]) => {
    const source = watching(`users: ["${address}"]`);

    expect(messagesOf(source.replace('"http', '▲"http').replace('"twitch', '▲"twitch'))).toEqual([
      `▲ warning impossible-user: no user can have the name "${address}"`,
    ]);
    expect(hintsOf(source)).toEqual([`write ${name}`]);
  });

  test('is an error, and an invisible character is named', () => {
    expect(messagesOf(watching('users: [▲ada\u200B]'))).toEqual(['▲ error impossible-user: "ada" contains the invisible character U+200B']);
  });

  test.for(['ada', '"@ada"', '"@ada@social.example"', 'did:plc:abc', '"71092938"', 'ada.bsky.social', 'ada_1'])('is not %s', (name) => {
    expect(messagesOf(watching(`users: [${name}]`))).toEqual([]);
    expect(messagesOf(list({}))).toEqual([]);
  });
});

test.for([
  ['vars.lines[item.owner.handle]', [`write vars.lines[?item.owner.handle].orValue('…')`]],
  ['vars.lines[?item.owner.handle].orValue("hi")', []],
] as const)('a constant is looked up by a value: %s', ([text, hints]) => {
  const content = `{ do: discord.send, with: { channel: live, content: '\${{ ${text} }}' } }`;

  expect(hintsOf(list({ top: 'vars: { lines: { ada: hello } }', steps: content }))).toEqual(hints);
});

test.for(['{ item }', '{"text": 1}', '${other.name}', 'x{1}', '${{ item.title }}', '{streamer.song}'])(
  'other braces are text: %s',
  (text) => {
    expect(messagesOf(list({ steps: `{ do: discord.send, with: { channel: live, content: '${text}' } }` }))).toEqual([]);
  },
);
