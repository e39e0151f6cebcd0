import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shapeOf } from '#src/rules/shape/shape.ts';
import { check, unmark } from '../../support/rule-language.ts';

const TEMPLATE = '"${{ item.url }}"';

/** A rule that watches posts, with this step. */
function step(verb: string, parameters: string, top = ''): string {
  const when = 'when: { every: 5m, watch: social.getPosts, account: bluesky, with: { user: ada } }';
  return `id: r\n${top}${when}\nthen:\n  - { do: ${verb}, as: ${verb.startsWith('social') ? 'bluesky' : 'discord'}, with: { ${parameters} } }\n`;
}

/** The errors of a rule, for example `▲ unknown key: contnt (did you mean content?)`, with `▲` for the place of the mark. */
function errorsOf(marked: string): readonly string[] {
  const { source, place } = unmark(marked);
  return check(source)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ line, column, message, hint }) => `${`${line}:${column}` === place ? '▲' : `${line}:${column}`} ${message} (${hint})`);
}

describe('a misspelled key with a template', () => {
  test.each([
    ['discord.send', `channel: live, content: hi, ▲contnt: ${TEMPLATE}`, 'contnt', 'content'],
    ['discord.send', `channel: live, embed: { ▲titel: ${TEMPLATE} }`, 'titel', 'title'],
    ['discord.send', `channel: live, embed: { fields: [{ ▲nmae: ${TEMPLATE}, value: a }] }`, 'nmae', 'name'],
    ['discord.send', `channel: live, content: a, files: [{ ▲ulr: ${TEMPLATE}, altText: ${TEMPLATE} }]`, 'ulr', 'url'],
    ['social.createPost', `▲txt: ${TEMPLATE}`, 'txt', 'text'],
    ['social.createPost', `text: a, files: [{ url: ${TEMPLATE}, ▲altTxt: ${TEMPLATE} }]`, 'altTxt', 'altText'],
    ['social.createPost', `text: a, files: [{ ▲ulr: ${TEMPLATE}, altText: ${TEMPLATE} }]`, 'ulr', 'url'],
    ['social.createPost', `text: a, poll: { options: [${TEMPLATE}, b], ▲multipel: ${TEMPLATE} }`, 'multipel', 'multiple'],
    ['social.createPost', `text: a, poll: { ▲optins: [${TEMPLATE}, b] }`, 'optins', 'options'],
    ['social.createPost', "text: a, files: \"${{ item.media.map(m, {▲'ulr': m.url, 'altText': m.altText}) }}\"", 'ulr', 'url'],
    ['social.createPost', "text: a, files: \"${{ item.media.map(m, {'url': m.url, ▲'altTxt': m.altText}) }}\"", 'altTxt', 'altText'],
    ['social.createPost', 'text: a, files: "${{ top(item.media.map(m, {▲\'ulr\': m.url}), 2) }}"', 'ulr', 'url'],
    ['social.createPost', 'text: a, files: ["${{ {▲\'ulr\': item.url} }}"]', 'ulr', 'url'],
    ['social.createPost', "text: a, files: [\"${{ item.text == '' ? {'url': item.url} : {▲'ulr': item.url} }}\"]", 'ulr', 'url'],
    ['discord.send', "channel: live, embed: \"${{ {▲'titel': item.url, 'color': 5} }}\"", 'titel', 'title'],
    ['discord.send', "channel: live, embed: \"${{ {'fields': [{'name': 'a', ▲'valeu': item.url}]} }}\"", 'valeu', 'value'],
  ])('%s with %s', (verb, parameters, wrong, meant) => {
    expect(errorsOf(step(verb, parameters))).toEqual([`▲ unknown key: ${wrong} (did you mean ${meant}?)`]);
  });

  test('in a constant that a step reads', () => {
    const rule = step(
      'discord.send',
      'channel: live, embed: "${{ ▲vars.card }}"',
      'vars: { card: { titel: a, url: "https://example.org" } }\n',
    );

    expect(errorsOf(rule)).toEqual(['▲ unknown key: titel (did you mean title?)']);
  });

  test('in when', () => {
    const when = (parameters: string): string =>
      `id: r\nvars: { game: Chess }\nwhen: { every: 5m, watch: streaming.getGameStreams, with: { ${parameters} } }\nthen: [{ do: discord.send, with: { channel: a, content: b } }]\n`;

    expect(errorsOf(when('▲gaem: "${{ vars.game }}"'))).toEqual(['▲ unknown key: gaem (did you mean game?)']);
    expect(errorsOf(when('game: { ▲idd: "${{ vars.game }}" }'))).toEqual(['▲ unknown key: idd (did you mean id?)']);
  });
});

describe('a map in an expression', () => {
  test.each([
    ['social.createPost', 'text: a, files: "${{ [▲{\'altText\': item.text}] }}"', 'path is missing (add path:)'],
    [
      'discord.send',
      "channel: live, embed: \"${{ {'color': ▲'red'} }}\"",
      'a color is six hexadecimal digits after # (write for example "#9146ff", with the quotes)',
    ],
    [
      'discord.send',
      "channel: live, embed: \"${{ {'footer': ▲{'text': 'a'}} }}\"",
      'expected text, found a map (write the value of text alone)',
    ],
  ])('is checked like a written one: %s with %s', (verb, parameters, expected) => {
    expect(errorsOf(step(verb, parameters))).toEqual([`▲ ${expected}`]);
  });

  test.each([
    ['social.createPost', "text: a, files: \"${{ item.media.filter(m, m.url != '').map(m, {'url': m.url, 'altText': m.altText}) }}\""],
    ['social.createPost', 'text: a, poll: { options: "${{ item.media.map(m, m.altText) }}" }'],
    [
      'discord.send',
      "channel: live, embed: \"${{ {'title': item.text, 'fields': item.media.map(m, {'name': m.altText, 'value': m.url})} }}\"",
    ],
    ['discord.send', "channel: live, content: \"${{ item.text.startsWith('{') ? '{a: b}' : '' }}\""],
  ])('may have computed parts: %s with %s', (verb, parameters) => {
    expect(errorsOf(step(verb, parameters))).toEqual([]);
  });
});

describe('a step without content', () => {
  test.each([
    [
      'discord.send',
      'channel: live, mention: "${{ item.tags }}"',
      [expect.stringContaining('there is nothing to send: give content, embed, embeds, layout or files')],
    ],
    ['discord.send', 'channel: live, embed: "${{ {\'title\': item.text} }}"', []],
    ['discord.send', 'channel: live, files: "${{ item.media.map(m, m.url) }}"', []],
  ])('is an error even if other values come from templates: %s with %s', (verb, parameters, messages) => {
    const errors = errorsOf(step(verb, parameters)).filter((one) => one.includes('nothing'));

    expect(errors).toEqual(messages);
  });
});

test('a key of another alternative gets no suggestion of itself', () => {
  expect(errorsOf(step('social.createPost', 'text: a, files: [{ path: a.png, ▲url: "https://example.org/a.png" }]'))).toEqual([
    '▲ unknown key: url (remove it: it does not fit the keys beside it)',
  ]);
});

test('a parameter with a default value is not required', () => {
  const shape = shapeOf(z.strictObject({ game: z.string(), sort: z.string().default('TIME') }));

  expect(shape).toMatchObject({
    fields: new Map([
      ['game', { shape: { kind: 'text' }, optional: false }],
      ['sort', { shape: { kind: 'text' }, optional: true }],
    ]),
  });
});
