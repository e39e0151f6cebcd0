import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import { fieldsOfEntries, listValues, withOtherFields, type ListFields } from '#src/rules/expression/list-shapes.ts';
import { toJson } from '#src/rules/expression/language/results.ts';
import { personOf } from '#src/rules/expression/list-shapes.ts';
import { catalogue, check } from '../../support/rule-language.ts';
import { ACCOUNTS, entry, listsOf } from './people-stage.ts';

const ADA = entry('ada', { channel: 'live', line: 'is *live*', color: 5, ping: true, userIds: { kick: '7' } });
const GRACE = entry('grace', { line: 'is on' });
const LINUS = entry('linus', { channel: '' });
const FIELDS = fieldsOfEntries([ADA, GRACE, LINUS]);

/** The value of an expression for an entry. The list is a file with these fields, or a living one. */
function valueOf(source: string, person: JsonObject, fields: ListFields): Json | undefined {
  const names: ExpressionSite['names'] = {
    watch: 'streaming.getStreams',
    byAccount: true,
    people: true,
    personFields: fields ?? undefined,
    listShapes: { team: fields },
    steps: {},
  };
  const lists = listValues(['team'], listsOf([ADA, GRACE, LINUS]));
  return toJson(expressionsOf(catalogue).compile(source, { kind: 'item', names }).run({ item: { person }, lists }));
}

describe('a field of an entry', () => {
  test.for<[source: string, ada: Json | undefined, grace: Json | undefined]>([
    ['item.person.channel', 'live', ''],
    ['item.person["channel"]', 'live', ''],
    ['"#" + item.person.channel', '#live', '#'],
    ['item.person.channel == "live"', true, false],
    ['item.person.channel.contains("live")', true, false],
    ['item.person.ping', true, false],
    ['item.person.ping == true', true, false],
    ['item.person.color', 5, undefined],
    ['item.person.color.orValue(9)', 5, 9],
    ['item.person.color >= 3', true, false],
    ['string(item.person.color)', '5', ''],
    ['item.person[?"channel"].orValue("news")', 'live', 'news'],
    ['item.person.?channel.hasValue()', true, false],
    ['item.person[?"color"].orValue(9)', 5, 9],
    ['item.person[?"ping"].orValue(false) != true', false, true],
    ['item.person["chan" + "nel"]', 'live', ''],
    ['item.person.userIds.kick', '7', undefined],
    ['item.person.id', 'ada', 'grace'],
    ['item.person', { ...ADA.fields, id: 'ada' }, { ...GRACE.fields, id: 'grace' }],
    ['"ping" in item.person', true, false],
  ])('is read, or empty or absent in a list of a file: %s', ([source, ada, grace]) => {
    expect([valueOf(source, personOf(ADA), FIELDS), valueOf(source, personOf(GRACE), FIELDS)]).toEqual([ada, grace]);
  });

  test.for<[source: string, ada: Json | undefined, grace: Json | undefined]>([
    ['item.person.channel', 'live', undefined],
    ['item.person.channel == "live"', true, false],
    ['item.person.channel != ""', true, false],
    ['item.person.ping == true', true, false],
    ['item.person.ping != false', true, false],
    ['item.person.color >= 3', true, false],
    ['item.person.color == 5', true, false],
    ['string(item.person.color)', '5', ''],
    ['either(item.person.channel, "news")', 'live', 'news'],
    ['item.person[?"channel"].orValue("news")', 'live', 'news'],
    ['item.person.?channel.hasValue()', true, false],
    ['item.person[?"color"].orValue(9)', 5, 9],
    ['item.person[?"ping"].orValue(false) != true', false, true],
    ['item.person.userIds.kick', '7', undefined],
    ['item.person.id', 'ada', 'grace'],
    ['"ping" in item.person', true, false],
  ])('is read, or absent in a living list: %s', ([source, ada, grace]) => {
    expect([valueOf(source, personOf(ADA), null), valueOf(source, personOf(GRACE), null)]).toEqual([ada, grace]);
  });

  test.for(['"#" + item.person.channel', 'item.person.channel.contains("live")', 'item.person.color + 3'])(
    'of a living list needs a default if it is absent: %s',
    (source) => {
      expect(() => valueOf(source, personOf(GRACE), null)).toThrow('a value is absent: write [?"field"].orValue(…) with a default');
    },
  );

  test('is absent in a loop over a living list', () => {
    expect(valueOf('lists.team.map(p, p.color)', {}, null)).toEqual([5, null, null]);
    expect(valueOf('lists.team.map(p, p.?channel.orValue("news"))', {}, null)).toEqual(['live', 'news', '']);
    expect(valueOf('lists.team[?"grace"].channel.orValue("news")', {}, null)).toBe('news');
  });
});

describe('a misspelled field', () => {
  const rule = (expression: string): string =>
    `id: r\nwhen: { every: 1m, people: team }\nthen: [{ do: discord.send, with: { channel: "\${{ ${expression} }}", content: hi } }]\n`;
  const messagesOf = (expression: string, lists?: Readonly<Record<string, ListFields>>): readonly unknown[] =>
    check(rule(expression), { accounts: ACCOUNTS, ...(lists && { lists }) }).diagnostics.map(({ message, hint }) => [message, hint]);

  test.for(['item.person.chanel', `item.person['chanel']`, `item.person[?'chanel'].orValue('a')`, `item.person.?chanel.orValue('a')`])(
    'is an error if no entry has it: %s',
    (expression) => {
      expect(messagesOf(expression, { team: FIELDS })).toEqual([['item.person has no chanel', 'did you mean channel?']]);
    },
  );

  test('is no error if the fields of the list are unknown', () => {
    expect(messagesOf('item.person.chanel', { team: null })).toEqual([]);
    expect(messagesOf('item.person.chanel', { team: fieldsOfEntries([]) })).toEqual([]);
    expect(messagesOf('item.person.chanel')).toEqual([]);
  });

  test('is a warning, or nothing, if further people come from a source', () => {
    const team = withOtherFields(FIELDS);
    expect(messagesOf('item.person.chanel', { team })).toEqual([['item.person has no chanel yet', 'did you mean channel?']]);
    expect(messagesOf(`item.person[?'motto'].orValue('a')`, { team })).toEqual([]);
    expect(messagesOf(`lists.team[?item.owner.handle].motto.orValue('a')`, { team })).toEqual([]);
    expect(messagesOf('item.person.channel', { team })).toEqual([]);
    expect(valueOf('either(item.person.motto, "hi")', personOf(GRACE), team)).toBe('hi');
  });

  test('with a name unlike all others is an error whose hint names the list', () => {
    expect(messagesOf('item.person.motto', { team: FIELDS })).toEqual([
      ['item.person has no motto', expect.stringMatching(/^available: id, server, .*; or add motto to an entry of the list$/u)],
    ]);
  });

  test('after lists. as people has the name as a hint', () => {
    const { diagnostics } = check(rule('item.person.id').replace('people: team', 'people: lists.team'), {
      accounts: ACCOUNTS,
      lists: { team: FIELDS },
    });
    expect(diagnostics.map(({ hint }) => hint)).toEqual(['write people: team']);
  });

  test('of the list itself has the look-up as a hint', () => {
    expect(messagesOf('lists.team.ada.channel', { team: FIELDS })).toEqual([
      ['lists.team is a list and has no field ada', 'write lists.team[?"ada"] for one entry, or .map(x, x.id) for all entries'],
    ]);
  });

  test('is no error if an entry has the field', () => {
    expect(messagesOf('item.person.channel', { team: FIELDS })).toEqual([]);
    expect(messagesOf(`item.person.channel.orValue('a')`, { team: FIELDS })).toEqual([
      ['item.person.channel is never absent', 'write either(item.person.channel, …) for a default'],
    ]);
  });
});
