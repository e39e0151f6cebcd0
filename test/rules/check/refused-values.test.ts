import { describe, expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import { check } from '../../support/rule-language.ts';
import { messagesOf, slot } from './fixture.ts';

const step = (verb: string, parameters: string): string => slot({ steps: `{ do: ${verb}, with: { ${parameters} } }` });
const send = (parameters: string): string => step('discord.send', `channel: live, ${parameters}`);

describe('an address that Discord refuses', () => {
  test.for([
    ['twitch.tv/ada', send('content: x, buttons: [{ label: Watch, url: ▲twitch.tv/ada }]')],
    ['twitch.tv', send('content: x, embed: { url: ▲twitch.tv }')],
    ['www.x.test/a.png', send('embed: { image: ▲www.x.test/a.png }')],
    ['cards/x.png', send('embeds: [{ thumbnail: ▲cards/x.png }]')],
    ['x.png', send('embed: { author: { name: Ada, icon: ▲x.png } }')],
    ['https://', send('layout: { blocks: [{ pictures: [{ url: ▲"https://" }] }] }')],
    ['mailto:ada@x.test', send('layout: { blocks: [{ text: x, thumbnail: ▲mailto:ada@x.test }] }')],
    ['me.png', send('content: x, sender: { name: Ada, avatar: ▲me.png }')],
    ['twitch.tv/${{ rule.id }}', send('content: x, embed: { url: ▲"twitch.tv/${{ rule.id }}" }')],
    ['twitch.tv/ada', step('discord.put', 'channel: live, name: x, content: x, buttons: [{ label: Watch, url: ▲twitch.tv/ada }]')],
  ] as const)('is an error: %s in %s', ([address, marked]) => {
    expect(messagesOf(marked)).toEqual([`▲ error impossible-address: ${address} is not an address: the message is sent without it`]);
  });

  const long = `https://x.test/${'x'.repeat(498)}`;

  test.for([
    ['http://nas:8080/x', send('content: x, embed: { title: x, url: ▲"http://nas:8080/x" }')],
    ['discord://-/1', send('content: x, embed: { title: x, url: ▲"discord://-/1" }')],
    [long, send(`content: x, buttons: [{ label: Watch, url: ▲"${long}" }]`)],
    [long, send(`layout: { blocks: [{ buttons: [{ label: Watch, url: ▲"${long}" }] }] }`)],
  ] as const)('is a warning if the message is sent without it: %s', ([address, marked]) => {
    expect(messagesOf(marked)).toEqual([
      `▲ warning impossible-address: Discord does not accept ${address}: the message is sent without it`,
    ]);
    expect(messagesOf(send(`content: x, embed: { title: x, url: "${long}" }`))).toEqual([]);
  });

  test.for([
    '"https://twitch.tv/ada"',
    '"HTTP://x.test"',
    '"attachment://x.png"',
    '""',
    '"${{ rule.id }}"',
    '"https://twitch.tv/${{ rule.id }}"',
    '"${{ rule.id }}.tv/x"',
  ])('is not %s', (address) => {
    expect(messagesOf(send(`content: x, embed: { title: x, image: ${address} }, buttons: [{ label: Watch, url: ${address} }]`))).toEqual(
      [],
    );
  });
});

test('a layout of more than 40 parts is an error', () => {
  const layoutOf = (blocks: number): string =>
    `layout: ▲{ color: 1, blocks: [${Array(blocks).fill('{ text: "${{ rule.id }}", thumbnail: "https://x.test/a.png" }').join()}] }`;

  expect(messagesOf(send(layoutOf(13)).replace('▲', ''))).toEqual([]);
  expect(messagesOf(send(layoutOf(14)))).toEqual([expect.stringContaining('at most 40 parts')]);
});

describe('a message that shows nothing', () => {
  const SEND = 'there is nothing to send: give content, embed, embeds, layout or files';
  test.for([
    [SEND, send('content: ""')],
    [SEND, send('content: "   "')],
    [SEND, send('embed: {}')],
    [SEND, send('embeds: [{ title: "" }], content: "", buttons: [{ label: Live, role: Live }]')],
    ['there is nothing to say: give content, embed, embeds or layout', step('discord.put', 'channel: live, name: x, content: ""')],
    ['the post is empty: give text, files, a poll or a quote', step('social.createPost', 'text: " "')],
    ['the message is empty: give text, file or quotePost', step('social.sendMessage', 'user: ada, text: ""')],
  ] as const)('is an error: %s', ([message, source]) => {
    expect(check(source).diagnostics.map((one) => [one.severity, one.message])).toEqual([['error', message]]);
  });

  test.for([
    send('content: "", embed: { title: x }'),
    send('content: "${{ rule.about }}"'),
    send('embed: { title: "${{ rule.about }}" }'),
    send('files: [{ path: a.png }], content: ""'),
    step('discord.edit', 'message: live/1, content: ""'),
    step('discord.edit', 'message: live/1, embed: {}'),
    step('social.sendMessage', 'user: ada, text: "", file: a.png'),
  ])('is not %s', (source) => {
    expect(messagesOf(source).filter((one) => one.includes('error'))).toEqual([]);
  });
});

test.for([
  [':tada:', false],
  ['pog', false],
  [':)', false],
  ['🎉', true],
  ['1️⃣', true],
  ['pog:123456789012345678', true],
  ['<:pog:123456789012345678>', true],
  ['<a:pog:123456789012345678>', true],
] as const)('the emoji of a reaction: %s', ([emoji, isValid]) => {
  expect(catalogue.get('discord.react')?.params.safeParse({ message: 'live/1', emoji }).success).toBe(isValid);
});

describe('a time that platforms refuse', () => {
  const nowMs = Date.parse('2026-11-20T18:00:00Z');
  const event = (startsAt: string, endsAt: string): string =>
    step('discord.createEvent', `name: Finale, location: Twitch, startsAt: "${startsAt}", endsAt: "${endsAt}"`);

  test.for([
    [event('2026-11-20T20:00:00Z', '2026-11-20T20:00:00Z'), 'error the event ends before it starts: write a time after startsAt'],
    [event('2026-11-20T20:00:00Z', '2026-11-20T22:00:00+03:00'), 'error the event ends before it starts: write a time after startsAt'],
    [event('2026-11-20T17:00:00Z', '2026-11-20T22:00:00Z'), 'warning startsAt is in the past: the step fails'],
    [
      step('discord.editEvent', 'event: x, startsAt: "2026-11-20T21:00:00Z", endsAt: "2026-11-20T20:00:00Z"'),
      'error the event ends before it starts: write a time after startsAt',
    ],
    [step('discord.editEvent', 'event: x, endsAt: "2026-11-20T17:00:00Z"'), 'warning endsAt is in the past: the step fails'],
    [step('social.createScheduledPost', 'text: x, sendAt: "2026-11-20T17:00:00Z"'), 'warning sendAt is in the past: the step fails'],
  ] as const)('is reported: %s', ([source, expected]) => {
    expect(check(source, { nowMs }).diagnostics.map(({ severity, message }) => `${severity} ${message}`)).toContain(expected);
  });

  test('is not a later or a computed one', () => {
    expect(check(event('2026-11-20T20:00:00Z', '2026-11-20T21:00:00Z'), { nowMs }).diagnostics).toEqual([]);
    expect(check(event('${{ string(now) }}', '2026-11-20T21:00:00Z'), { nowMs }).diagnostics).toEqual([]);
  });
});

describe('a ping in the text', () => {
  test.for([
    ['@everyone', send('content: ▲"@everyone Ada is live"'), 'everyone'],
    ['@here', send('content: ▲"Live @here!", mention: [Live]'), 'here'],
    ['<@&1202584131993600003>', send('content: ▲"<@&1202584131993600003> live"'), '"1202584131993600003"'],
    ['@everyone', step('discord.ask', 'channel: live, content: ▲"@everyone?", choices: [yes]'), 'everyone'],
  ] as const)('pings no one without mention: %s in %s', ([text, marked, name]) => {
    expect(messagesOf(marked)).toEqual([`▲ warning silent-ping: ${text} in the text pings no one`]);
    expect(check(marked.replace('▲', '')).diagnostics[0]?.hint).toBe(`add mention: [${name}]`);
  });

  test.for([
    'content: "@everyone Ada is live", mention: [everyone]',
    'content: "<@&1202584131993600003>", mention: ["1202584131993600003"]',
    'content: "<@&1202584131993600003>", mention: ["<@&1202584131993600003>"]',
    'content: "<@1202584131993600003> is live"',
    'content: "@here ${{ rule.id }}", mention: ["${{ rule.id }}"]',
    'content: "mail ada@heretic.test"',
    'content: x, embed: { title: "@everyone" }',
  ])('has no warning: %s', (parameters) => {
    expect(messagesOf(send(parameters))).toEqual([]);
  });
});
