import { describe, expect, test } from 'vitest';
import { suggestionsFor } from '#src/web/views/parts/discord/suggestions.ts';
import { keyOfChoice, parseCommand, toInput, type Command, type Option, type Value } from '#src/web/views/parts/discord/typed-command.ts';

function option(name: string, changes: Partial<Option> = {}): Option {
  return { name, description: `About ${name}`, kind: 'text', required: false, autocomplete: false, choices: [], ...changes };
}

const POST: Command = {
  command: 'post now',
  description: 'Post',
  options: [
    option('text', { required: true }),
    option('to', { choices: [{ name: 'All of them', value: 'all' }] }),
    option('who', { kind: 'user' }),
    option('count', { kind: 'integer' }),
    option('quiet', { kind: 'boolean' }),
    option('picture', { kind: 'file' }),
  ],
};
const LIVE: Command = { command: 'live', description: 'Live?', options: [option('streamer', { required: true, autocomplete: true })] };
const HELP: Command = { command: 'help', description: 'Help', options: [] };
const SEEN = {
  commands: [POST, LIVE, HELP],
  members: [{ id: '7', username: 'ada', displayName: 'Ada', bot: false, owner: true, roles: [] }],
  roles: [{ id: '8', name: 'Live' }],
  channels: [{ id: '9', name: 'general', kind: 'text' as const }],
};

function typing(
  text: string,
  { cursor = text.length, chosen = new Map<string, Value>(), fromBot = [] as { name: string; value: Value }[] } = {},
) {
  const typed = parseCommand(text, cursor, SEEN.commands);
  const { items, isNeeded } = suggestionsFor({ text, typed, chosen, seen: SEEN, fromBot });
  return { labels: items.map(({ label }) => label), texts: items.map((item) => item.text), items, isNeeded, input: toInput(typed, chosen) };
}

describe('a list has what fits to', () => {
  test.for([
    ['hello', [], false],
    ['/', ['/help', '/live', '/post now'], true],
    ['/no', ['/post now'], true],
    ['/post now ', ['text:', 'to:', 'who:', 'count:', 'quiet:'], true],
    ['/post now text: ', [], false],
    ['/post now text: Chess', ['to:', 'who:', 'count:', 'quiet:'], false],
    ['/post now text: Chess to: al', ['All of them'], true],
    ['/post now text: Chess to: All of them', ['who:', 'count:', 'quiet:'], false],
    ['/post now who: a', ['@Ada'], true],
    ['/post now quiet: ', ['true', 'false'], true],
    ['/live streamer: gr', [], true],
    ['/help ', [], false],
  ] as const)('%j', ([text, labels, isNeeded]) => {
    expect([typing(text).labels, typing(text).isNeeded]).toEqual([labels, isNeeded]);
  });
});

test('a command brings its required option, and an option brings its colon', () => {
  expect(typing('/li').texts).toEqual(['/live streamer: ']);
  expect(typing('/post now text: Chess').texts[0]).toBe('/post now text: Chess to: ');
});

test('the values of the option with the cursor replace its text only', () => {
  const text = '/post now to: al text: Chess';
  expect(typing(text, { cursor: '/post now to: al'.length }).texts).toEqual(['/post now to: All of them text: Chess']);
});

test('the bot suggests values, whose labels stand for them', () => {
  const { items, isNeeded } = typing('/live streamer: gr', { fromBot: [{ name: 'Grace · live', value: 'twitch/2' }] });
  const [first] = items;
  const chosen = new Map(first?.choice ? [[keyOfChoice(first.choice.option, first.choice.label), first.choice.value]] : []);

  expect([first?.text, isNeeded]).toEqual(['/live streamer: Grace · live ', true]);
  expect(typing('/live streamer: Grace · live ', { chosen }).input).toEqual({ command: 'live', options: { streamer: 'twitch/2' } });
});

test.for([
  ['/post now text: a to: b to: c', { text: 'a', to: 'b to: c' }],
  ['/post now text: see http://x.example/?to:1', { text: 'see http://x.example/?to:1' }],
  ['/post now text: a to: All of them count: 3 quiet: false who: @Ada', { text: 'a', to: 'all', count: '3', quiet: false, who: 'Ada' }],
  ['/post now to: text: a', { text: 'a' }],
  ['/help', {}],
] as const)('%j is sent with its options', ([text, options]) => {
  expect(typing(`${text} `).input.options).toEqual(options);
});

test('the longest command wins', () => {
  const commands = [HELP, { ...HELP, command: 'help me' }];
  expect(parseCommand('/help me ', 9, commands).command?.command).toBe('help me');
  expect(parseCommand('/help', 5, commands).command).toBeUndefined();
});
