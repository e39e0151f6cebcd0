import { describe, expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { ExpressionError } from '#src/rules/expression/expression-error.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import { fieldsOfEntries, listValues } from '#src/rules/expression/list-shapes.ts';
import type { ListEntry } from '#src/rules/lists.ts';

const entry = (id: string, fields: JsonObject, server?: string): ListEntry => ({ id, list: 'team', server, fields });
const TEAM = [entry('ada', { kick: 'ada_k', line: 'Queen to {game}!', color: 3 }), entry('grace', { kick: 'grace_k' })];
const OTHERS = [
  entry('ada', { line: 'one', level: 3, share: 0.1, on: true, games: ['Chess'] }, '42'),
  entry('ada', { line: 'two', share: 0.2 }, '43'),
];

const vars = {
  lines: { ada: 'Queen!', grace: '**Hopper**' },
  ranks: { ada: { rank: 1 }, grace: { rank: 2, note: 'x' } },
  least: 5,
  tips: ['one', 'two'],
};
const SITE: ExpressionSite = {
  kind: 'item',
  names: {
    watch: 'streaming.getStreams',
    steps: {},
    listShapes: { team: fieldsOfEntries(TEAM), living: null },
    constants: { vars, each: {} },
  },
};
const LISTS = {
  revision: '1',
  names: () => ['team', 'living'],
  entries: (list: string) => (list === 'team' ? TEAM : OTHERS),
};
const inputs = { item: { owner: { handle: 'ada' } }, lists: listValues(['team', 'living'], LISTS) };

const compile = (source: string) => expressionsOf(catalogue).compile(source, SITE);
const run = (source: string) => compile(source).run(inputs);
function errorOf(source: string): { readonly message: string; readonly hint: string | undefined } {
  try {
    compile(source);
  } catch (error) {
    if (error instanceof ExpressionError) return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error(`${source} has no error`);
}

test.for([
  ['lists.team.map(p, p.id)', ['ada', 'grace']],
  ['lists.team.filter(p, p.kick == "grace_k").map(p, p.id)', ['grace']],
  ['lists.team.map(p, p.line)', ['Queen to {game}!', '']],
  ['lists.team[?item.owner.handle].line.orValue("…")', 'Queen to {game}!'],
  ['lists.team[?"grace"].line.orValue("…")', '…'],
  ['lists.team[?"nobody"].line.orValue("…")', '…'],
  ['lists.team[?"ada"].color.orValue(0)', 3n],
  ['lists.team[?"grace"].color.orValue(0)', 0n],
  ['lists["team"]["ada"].kick', 'ada_k'],
  ['lists.team[0].id', 'ada'],
  ['lists.team[?item.owner.handle].hasValue()', true],
  ['lists.living.map(p, p.line)', ['one', 'two']],
  ['lists.living[?"ada"].line.orValue("…")', 'one'],
  ['lists.living[?"ada"].other.orValue("…")', '…'],
  ['lists.living[?"ada"].level >= 3', true],
  ['lists.living[?"ada"].level == 3', true],
  ['lists.living[?"ada"].level != 3', false],
  ['lists.living[?"ada"].level == 3.0', true],
  ['1 > lists.living[?"ada"].share', true],
  ['lists.living[?"ada"].level > lists.living[?"ada"].share', true],
  ['lists.living[?"ada"].other > 1', false],
  ['lists.living[?"ada"].other == 1', false],
  ['lists.living[?"ada"].other != 1', false],
  ['lists.living[?"ada"].other == ""', true],
  ['lists.living[?"ada"].other == true', false],
  ['lists.living[?"ada"].other != true', true],
  ['"Live: " + string(lists.living[?"ada"].on)', 'Live: true'],
  ['lists.living[?"ada"].games == lists.living[0].games', true],
  ['"Level " + lists.living[?"ada"].level + ": " + lists.living[?"ada"].line', 'Level 3: one'],
  ['sum(lists.living.map(p, p.share))', 0.3],
  ['sum(lists.living.map(p, p.share)) * 2 + 1', 1.6],
  ['lists.living[0].level - lists.living[0].share', 2.9],
  ['sum(lists.living.map(p, p.level)) / 2', 1n],
  ['lists.living.filter(p, p.level > 1).map(p, p.line)', ['one']],
  ['lists.living.filter(p, p.level == 3).map(p, p.line)', ['one']],
  ['vars.lines[?item.owner.handle].orValue("…")', 'Queen!'],
  ['vars.tips[item.owner.handle.size() % vars.tips.size()]', 'two'],
  ['vars.tips[?vars.least].orValue("…")', '…'],
  ['vars.lines[?item.owner.handle + "x"].orValue("…")', '…'],
  ['vars.ranks[item.owner.handle].rank', 1n],
  ['vars.ranks[?item.owner.handle].note.orValue("none")', 'none'],
  ['lists.team.map(p, vars.lines[?p.id].orValue(""))', ['Queen!', '**Hopper**']],
] as const)('%s is %o', ([source, value]) => {
  expect(run(source)).toEqual(value);
});

test.for([
  ['lists.living[?"ada"].line > 1', 'a comparison needs two numbers, two timestamps or two texts'],
  ['lists.living[0].line > 1', 'a comparison needs two numbers, two timestamps or two texts'],
  ['"Live: " + lists.living[?"ada"].on', '+ needs texts or numbers: write string(…) or .join(…) for other values'],
  ['"Live: " + lists.living[?"ada"].games', '+ needs texts or numbers: write string(…) or .join(…) for other values'],
  ['sum(lists.living.map(p, p.line)) > 1', 'sum() cannot be called with these values'],
  ['lists.living[0].level + lists.living[?"ada"].level', 'a value is absent: write [?"field"].orValue(…) with a default'],
  ['"Live: " + lists.living[?"ada"].other', 'a value is absent: write [?"field"].orValue(…) with a default'],
] as const)('values of a list that people edit do not fit: %s', ([source, message]) => {
  expect(() => run(source)).toThrow(message);
});

describe('an unknown name or a wrong index is an error', () => {
  test.for([
    ['lists.taem.map(p, p.id)', 'unknown list taem', 'did you mean team?'],
    ['lists.team[?item.owner.handle].lien.orValue("")', 'lists.team[?item.owner.handle] has no lien', 'did you mean line?'],
    [
      'lists.living.filter(p, p in top(lists.living, 1))',
      'in cannot be applied to an object and a list of objects',
      'use a field of the object, for example .id',
    ],
    ['lists.team.map(p, p.kik)', 'p has no kik', 'did you mean kick?'],
    ['vars[?item.owner.handle]', 'the name of a field must be fixed text', 'write .name, with the name of the field'],
  ])('%s', ([source = '', message, hint]) => {
    expect(errorOf(source)).toEqual({ message, hint });
  });
});

test('texts of vars are texts of the author, texts of lists are not', () => {
  expect(compile('vars.lines[?item.owner.handle].orValue("…")').isAuthorText).toBe(true);
  expect(compile('lists.team[?item.owner.handle].line.orValue("…")').isAuthorText).toBe(false);
});

test('a look-up reads its constant', () => {
  expect(compile('vars.lines[?item.owner.handle].orValue("…")').constants).toEqual(new Set(['vars.lines']));
});
