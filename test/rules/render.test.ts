import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { renderStep, type Rendered } from '#src/rules/render.ts';
import type { Step } from '#src/rules/step.ts';
import { ada, catalogue, ruleOf, scopeOf, without } from '../support/rule-language.ts';

const names = { watch: 'streaming.getStreams', steps: { card: 'discord.send', who: 'streaming.getUser' } };

interface RenderedStep {
  readonly verb?: string;
  readonly if?: string;
  readonly item?: JsonObject;
  readonly results?: Readonly<Record<string, Json | undefined>>;
}

function renderWith(
  parameters: JsonObject,
  { verb = 'discord.send', if: condition, item = ada, results = {} }: RenderedStep = {},
): Rendered {
  const step: Step = { do: verb, creates: true, with: parameters, if: condition, as: ['discord'], reads: [] };
  const made = Object.entries(results).map(([id, result]) => [id, [{ account: 'discord', result }]] as const);
  const as = { section: 'then', account: 'discord', results: Object.fromEntries(made) } as const;
  return renderStep({ step, names, scope: scopeOf(item), ...as, catalogue });
}

function content(template: string, title: string): unknown {
  const rendered = renderWith({ channel: 'live', content: template }, { item: { ...ada, title } });
  return 'params' in rendered ? rendered.params['content'] : rendered;
}

function post(template: string, title: string): unknown {
  const rendered = renderWith({ text: template }, { verb: 'social.createPost', item: { ...ada, title } });
  return 'params' in rendered ? rendered.params['text'] : rendered;
}

describe('a step', () => {
  test('keeps the type of an expression that is the whole value', () => {
    expect(renderWith({ channel: 'live', embed: { title: 'x', color: '${{ item.rank }}' }, mention: '${{ item.tags }}' })).toEqual({
      params: { channel: 'live', embed: { title: 'x', color: 4 }, mention: ['English', 'chill'] },
    });
  });

  test.each(['2123923050238836752', '"2123923050238836752"', '9007199254740993'])('keeps the digits of an id written as %s', (post) => {
    const { then } = ruleOf(`id: r\nwhen: { every: 1h }\nthen:\n  - { do: social.deletePost, as: bluesky, with: { post: ${post} } }\n`);

    expect(renderWith(then[0]?.with ?? {}, { verb: 'social.deletePost' })).toEqual({ params: { post: post.replaceAll('"', '') } });
  });

  test('writes a literal ${{', () => {
    expect(content('$${{ x }} ${{ item.rank }}', '')).toBe('${{ x }} 4');
  });

  test('can build a map', () => {
    expect(
      renderWith({ channel: 'live', embed: "${{ {'title': item.title, 'fields': [{'name': 'a', 'value': item.game.name}]} }}" }),
    ).toEqual({
      params: { channel: 'live', embed: { title: ada.title, fields: [{ name: 'a', value: 'Chess' }] } },
    });
  });

  test('reads the results of earlier steps', () => {
    const results = { card: { id: 'live/1' }, who: { displayName: 'Ada' } };

    expect(
      renderWith({ message: '${{ steps.card.id }}', content: '${{ steps.who.displayName }}' }, { verb: 'discord.edit', results }),
    ).toEqual({
      params: { message: 'live/1', content: 'Ada' },
    });
  });

  test('is skipped with the reason if its condition is false', () => {
    expect(renderWith({ channel: 'live' }, { if: 'item.viewerCount > 1000' })).toEqual({
      skip: {
        kind: 'stepIf',
        condition: {
          kind: 'false',
          clauses: [{ source: 'item.viewerCount > 1000', values: [{ expression: 'item.viewerCount', value: '740' }] }],
        },
      },
    });
  });

  test.each([
    [{ message: '${{ steps.card.id }}', content: 'x' }, 'discord.edit', 'message'],
    [{ channel: '${{ item.game.name }}' }, 'discord.send', 'channel'],
    [{ user: '${{ item.game.name }}', content: 'x' }, 'discord.send', 'user'],
    [{ text: ' ${{ item.game.name }} \n' }, 'social.createPost', 'text'],
  ])('is skipped if a required parameter is empty: %j', (parameters, verb, parameter) => {
    const template = JSON.stringify(new Map(Object.entries(parameters)).get(parameter));

    expect(renderWith(parameters, { verb, item: without(ada, 'game') })).toEqual({ skip: { kind: 'emptyParameter', parameter, template } });
  });

  test.each([
    ['social.createPost', { text: 'x', replyTo: '${{ steps.card.id }}' }],
    ['social.createPost', { text: 'x', quote: '${{ steps.card.id }}' }],
    ['social.createPost', { text: 'x', community: '${{ steps.card.id }}' }],
    ['social.sendMessage', { user: 'ada', text: 'x', replyToMessage: '${{ steps.card.id }}' }],
    ['discord.send', { channel: 'live', content: 'x', replyTo: '${{ steps.card.id }}' }],
    ['discord.send', { channel: 'live', content: 'x', thread: '${{ steps.card.id }}' }],
    ['discord.thread', { name: 'x', message: '${{ steps.card.id }}' }],
  ])('is skipped if the record that it belongs to is empty: %s %j', (verb, parameters) => {
    const [name = '', value] = Object.entries(parameters).at(-1) ?? [];

    expect(renderWith(parameters, { verb })).toEqual({ skip: { kind: 'emptyParameter', parameter: name, template: `"${value}"` } });
    expect(renderWith(parameters, { verb, results: { card: { id: 'a/1' } } })).toEqual({ params: { ...parameters, [name]: 'a/1' } });
  });

  test('omits optional parameters that are empty', () => {
    const parameters = {
      channel: 'live',
      content: '${{ item.game.name }}',
      mention: ['${{ item.language }}', '${{ item.game.name }}'],
      embed: {
        title: '${{ item.title }}',
        image: '${{ item.game.name }}',
        color: '${{ previous.viewerCount }}',
        fields: [
          { name: 'Game', value: '${{ item.game.name }}' },
          { name: 'Title', value: '${{ item.title }}' },
        ],
      },
    };

    expect(renderWith(parameters, { item: without(ada, 'game') })).toEqual({
      params: { channel: 'live', mention: ['en'], embed: { title: ada.title, fields: [{ name: 'Title', value: ada.title }] } },
    });
  });

  test('omits a map without fields', () => {
    expect(
      renderWith({ channel: 'live', content: 'x', embed: { title: '${{ item.game.name }}' } }, { item: without(ada, 'game') }),
    ).toEqual({
      params: { channel: 'live', content: 'x' },
    });
  });

  test('keeps literal empty texts', () => {
    expect(renderWith({ message: 'live/1', content: '' }, { verb: 'discord.edit' })).toEqual({
      params: { message: 'live/1', content: '' },
    });
  });

  test.each([
    [
      { channel: 'live', content: '${{ items[5].title }}' },
      'discord.send: index 5 is out of bounds: the list has 1 element; write [?5] for an empty value',
    ],
    [{ channel: 'live', content: '${{ item.nope }}' }, 'discord.send: item has no nope'],
    [{ channel: 'live', content: 'until ${{ now + duration("99999999w") }}' }, 'discord.send: the timestamp is out of range'],
    [{ channel: 'live', content: '${{ discordTime(now - duration("99999999w")) }}' }, 'discord.send: the timestamp is out of range'],
    [{ channel: 'live', content: '${{ duration("99999999w") + now }}' }, 'discord.send: the timestamp is out of range'],
    [{ channel: 'live', content: '${{ 1 +' }, 'discord.send: ${{ is not closed'],
    [{ channel: 'live', embed: { color: '${{ 0 - 1 }}' } }, 'discord.send: embed.color: expected at least 0, found -1'],
  ])('fails with a message if it cannot be rendered: %j', (parameters, failure) => {
    expect(renderWith(parameters)).toEqual({ failure });
  });

  test('fails with a message if its value is nested too deeply', () => {
    const title = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;

    expect(content('${{ bytes(item.title).json().a }}', title)).toEqual({ failure: 'discord.send: the value is nested too deeply' });
  });

  test('fails if its condition cannot be evaluated', () => {
    expect(renderWith({ channel: 'live' }, { if: '1 / (item.rank - 4) > 1' })).toEqual({
      failure: 'if: 1 / (item.rank - 4) > 1 cannot be evaluated: division by zero',
    });
  });

  test('fails if its operation does not exist', () => {
    expect(renderWith({}, { verb: 'discord.shout' })).toEqual({ failure: 'unknown operation discord.shout' });
  });

  test('of a rule without watch reads its rule and the time', () => {
    const step: Step = {
      do: 'discord.send',
      creates: true,
      with: { channel: 'live', content: '${{ rule.id }} ${{ date(now, "UTC") }}' },
      as: ['discord'],
      reads: [],
    };
    const scope = { rule: { id: 'daily' }, now: '2026-11-20T20:05:00.000Z' };

    const as = { section: 'then', account: 'discord', results: {} } as const;
    expect(renderStep({ step, names: { steps: {} }, scope, ...as, catalogue })).toEqual({
      params: { channel: 'live', content: 'daily Nov 20, 2026, 8:05 PM' },
    });
  });
});

describe('platform text in a message', () => {
  test.each([
    ['Now: ${{ item.title }}', '**big** [free](https://evil.test) <@&1>', 'Now: \\*\\*big\\*\\* \\[free\\]\\(https://evil.test) \\<@&1\\>'],
    ['${{ item.title }}', '# big', '\\# big'],
    ['**${{ item.title }}**', 'a*b', '**a\\*b**'],
    ['${{ "**" + item.title + "**" }}', 'a*b', '**a\\*b**'],
    ['${{ item.mature ? "" : "_" + item.title + "_" }}', 'a_b', '_a\\_b_'],
    ['${{ items.map(i, "- " + i.title).join("\\n- and ") }}', '- x', '- - x'],
    ['${{ either(item.title, "*nothing*") }}', '', '*nothing*'],
    ['[${{ item.title }}](${{ item.url }})', 'x](https://evil.test) [', '[x\\]\\(https://evil.test) \\[](https://twitch.tv/ada_)'],
    ['${{ item.title }}', 'a\u202Eb\u0007c', 'abc'],
    ['${{ item.title }}', '\uFDD0\uFDD1\uFDD5\uFDD6', '\uFFFD\uFFFD\uFFFD\uFFFD'],
    ['${{ {"x": item.title}["x"] }}', '*', '\\*'],
    ['${{ truncate(item.title, 4) }}', '*****', '\\*\\*\\*…'],
  ])('%j with %j', (template, title, expected) => {
    expect(content(template, title)).toBe(expected);
  });

  test.each([
    ['fill("**{title}**", { "title": item.title })', '**a\\*b**'],
    ['fill(vars.line, { "title": item.title })', '**a\\*b**!'],
    ['fill(vars.lines[?item.owner.handle].orValue("_{title}_"), { "title": item.title })', '__a\\*b__'],
    ['fill(vars.nested.all[0], { "title": item.title })', '~~a\\*b~~'],
    ['fill(join(vars.nested.all, " _") + "_", { "title": item.title })', '~~a\\*b~~ _*_'],
    ['fill(vars.lines[?item.title].orValue(item.title + "_"), { "title": "x" })', 'a\\*b_'],
    ['fill(truncate(vars.line, 11), { "title": item.title })', '**a\\*b*…'],
    ['fill(item.mature ? "" : vars.line, { "title": item.title })', '**a\\*b**!'],
    ['fill(fill(vars.line, { "title": item.title }) + "_{game}_", { "game": item.game.name })', '**a\\*b**!_Chess_'],
    ['[vars.line].map(line, fill(line, { "title": item.title })).join("")', '**a\\*b**!'],
    ['items.map(i, "**" + i.title + "**").sortBy(x, x).join("")', '**a\\*b**'],
    ['items.map(i, "**" + i.title + "**").filter(x, x != "").join("")', '**a\\*b**'],
    ['items.groupBy(i, i.game.name).map(g, "**" + g.map(i, i.title).join("_") + "**").join("")', '**a\\*b**'],
    ['fill("**{x}** " + item.title, { "x": "y" })', '**y** a\\*b'],
    ['items.map(i, fill(i.title + "_{x}_", { "x": "y" })).join("")', 'a\\*b_y_'],
    ['fill(item.title, {})', 'a\\*b'],
  ])('is escaped among the signs of a template each time: %s', (expression, expected) => {
    const constants = { line: '**{title}**!', lines: { ada_: '__{title}__' }, nested: { all: ['~~{title}~~', '*'] } };
    const one = { ...ada, title: 'a*b', game: { ...ada.game, name: 'Chess' } };
    const parameters = { channel: 'live', content: `\${{ ${expression} }}` };
    const contents = [1, 2].map(() => {
      const step: Step = { do: 'discord.send', creates: true, with: parameters, if: undefined, as: ['discord'], reads: [] };
      const site = { ...names, constants: { vars: constants, each: {} } };
      const rendered = renderStep({ step, names: site, scope: scopeOf(one), section: 'then', account: 'discord', results: {}, catalogue });
      return 'params' in rendered ? rendered.params['content'] : rendered;
    });

    expect(contents).toEqual([expected, expected]);
  });

  test('is escaped in records that are passed on', () => {
    const rendered = renderWith(
      { channel: 'live', embed: { fields: '${{ [steps.who] }}' } },
      { results: { who: { name: '*', value: '\uFDD1_' } } },
    );

    expect(rendered).toEqual({ params: { channel: 'live', embed: { fields: [{ name: '\\*', value: '\uFFFD\\_' }] } } });
  });

  test('is not escaped in parameters without markup', () => {
    expect(
      renderWith(
        { channel: '${{ item.owner.handle }}', embed: { title: 'x', footer: '${{ item.title }} ${{ 0 - 5 }}' } },
        { item: { ...ada, title: '*a_b*' } },
      ),
    ).toEqual({
      params: { channel: 'ada_', embed: { title: 'x', footer: '*a_b* -5' } },
    });
  });
});

describe('platform text in a post', () => {
  test.each([
    ['${{ item.title }}', 'thanks @grace', 'thanks @\u2060grace'],
    ['by @${{ item.title }}', 'grace', 'by @grace'],
    ['${{ "@" + item.title }}', 'grace @linus', '@grace @\u2060linus'],
    ['${{ item.title }} *x*', 'a*b #tag', 'a*b #tag *x*'],
    ['${{ item.title }}', 'see https://mastodon.social/@grace', 'see https://mastodon.social/@grace'],
    ['${{ item.title }}', 'see https://a.b,@grace', 'see https://a.b,@\u2060grace'],
  ])('%j with %j', (template, title, expected) => {
    expect(post(template, title)).toBe(expected);
  });
});

describe('a text that exceeds the limit of its parameter', () => {
  test('is shortened and keeps whole links', () => {
    const text = content('${{ item.title }} ${{ item.url }}', 'word '.repeat(600).trim());

    expect(text).toMatch(/^.{1,2000}$/u);
    expect(text).toMatch(/… https:\/\/twitch\.tv\/ada_$/u);
  });

  test('is shortened in every part of a message', () => {
    const long = { ...ada, title: '*'.repeat(3000) };

    const rendered = renderWith(
      {
        channel: 'live',
        embed: { title: '${{ item.title }}', footer: '${{ item.title }}', fields: [{ name: '${{ item.title }}', value: 'x' }] },
      },
      { item: long },
    );

    expect(rendered).toEqual({
      params: {
        channel: 'live',
        embed: { title: `${'\\*'.repeat(127)}…`, footer: `${'*'.repeat(2047)}…`, fields: [{ name: `${'\\*'.repeat(127)}…`, value: 'x' }] },
      },
    });
  });
});
