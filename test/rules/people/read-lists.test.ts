import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { NEW_STATE } from '#src/rules/episode.ts';
import { fieldsOfEntries } from '#src/rules/expression/list-shapes.ts';
import { attemptBind } from '#src/rules/people/bind-lists.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { catalogue, check } from '../../support/rule-language.ts';
import { MINUTE, START_MS, stream } from '../evaluate/fixture.ts';
import { withChange } from '../evaluate/run-polls.ts';
import { entry, listsOf } from './people-stage.ts';

const RULE = `
id: team
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: "\${{ lists.team.map(p, p.id) }}" }
  where: lists.team[?item.owner.handle].hasValue()
then:
  - do: discord.send
    with: { channel: live, content: "\${{ lists.team[?item.owner.handle].line.orValue('is live') }}" }
`;

const TEAM = [entry('ada', { line: 'Queen!' }), entry('grace')];
const SHAPES = { team: fieldsOfEntries(TEAM) };

function ruleOf(source: string): Rule {
  const { rules, diagnostics } = check(source, { lists: SHAPES });
  const [rule] = rules;
  if (!rule) throw new Error(JSON.stringify(diagnostics));
  return rule;
}

function bound(rule: Rule, entries: Parameters<typeof listsOf>[0]): Rule {
  const now = attemptBind(rule, listsOf(entries));
  if ('failure' in now) throw new Error(now.failure);
  return now;
}

test('a poll reads the users of the list, and a step has the list of its firing', () => {
  const rule = ruleOf(RULE);
  const first = bound(rule, TEAM);
  expect(first.watched?.with).toEqual({ users: ['ada', 'grace'] });
  const empty = { items: [], complete: true };
  const begun = advance({ rule: first, state: NEW_STATE, poll: empty, slotMs: START_MS });
  const state = begun.change ? withChange(NEW_STATE, begun.change) : NEW_STATE;

  const items = [stream('ada'), stream('grace'), stream('linus')];
  const { firings } = advance({ rule: first, state, poll: { items, complete: true }, slotMs: START_MS + MINUTE });

  const texts = firings.map(({ scope, names, steps: [planned] }) => {
    const step = planned?.step;
    if (!step) throw new Error('there is no step');
    const stored = JSON.parse(JSON.stringify(scope)) as typeof scope; // the store keeps JSON
    const rendered = renderStep({
      step,
      names,
      scope: stored,
      section: 'then',
      account: 'discord',
      results: {},
      textLimit: undefined,
      catalogue,
    });
    return 'params' in rendered ? (rendered.params as JsonObject)['content'] : rendered;
  });
  expect(texts).toEqual(['Queen!', 'is live']);
});

describe('a list in where', () => {
  const GAME = `
id: others
when: { every: 1m, watch: streaming.getGameStreams, with: { game: chess }, where: "!lists.team[?item.owner.handle].hasValue()", first: fire }
then:
  - { id: card, do: discord.send, with: { channel: live, content: "\${{ item.owner.handle }}" } }
finally:
  - { do: discord.send, with: { channel: live, content: "\${{ item.owner.handle }} is over" } }
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: over } }
`;
  const [ada, grace, linus] = [stream('ada'), stream('grace'), stream('linus')];

  /** The steps that are sent at each poll. */
  function sentBy(polls: readonly { readonly team: Parameters<typeof listsOf>[0]; readonly items: readonly Item[] }[]) {
    const rule = ruleOf(GAME);
    let state = NEW_STATE;
    return polls.map(({ team, items }, index) => {
      const made = advance({ rule: bound(rule, team), state, poll: { items, complete: true }, slotMs: START_MS + index * MINUTE });
      if (made.change) state = withChange(state, made.change);
      return made.firings.flatMap(({ item, steps }) =>
        steps.flatMap(({ step, suppressed }) => (suppressed ? [] : [`${item?.name ?? ''} ${step.do}`])),
      );
    });
  }

  test('a stream that counts only because its entry was removed is not announced, and a new stream is', () => {
    expect(
      sentBy([
        { team: [entry('ada')], items: [ada, grace] },
        { team: [], items: [ada, grace, linus] },
      ]),
    ).toEqual([['grace discord.send'], ['linus discord.send']]);
  });

  test('a stream that no longer counts because its entry was added ends without an announcement', () => {
    expect(
      sentBy([
        { team: [], items: [ada, grace] },
        { team: [entry('ada')], items: [ada, grace] },
        { team: [entry('ada')], items: [ada] },
        { team: [entry('ada')], items: [ada] },
      ]),
    ).toEqual([['ada discord.send', 'grace discord.send'], ['ada discord.edit'], [], ['grace discord.send', 'grace discord.edit']]);
  });
});

test('an empty list names no one, and a value that the parameter does not take fails the poll', () => {
  expect(bound(ruleOf(RULE), []).watched?.with).toEqual({ users: [] });

  const rule = check(RULE.replace('p.id', 'p.color'), { lists: { team: null } }).rules[0];
  const failed = rule && attemptBind(rule, listsOf([entry('ada', { color: true })]));
  expect(failed).toEqual({ failure: expect.stringContaining('users') });
});

test.for([
  ['parameters', 'watch: streaming.getStreams, with: { users: "${{ lists.team.map(p, p.id) }}" }', ''],
  ['people', 'people: team', ''],
  ['a condition', 'watch: streaming.getStreams, with: { users: [ada] }, where: "lists.team.exists(p, p.id == item.owner.handle)"', ''],
  ['a text', 'watch: streaming.getStreams, with: { users: [ada] }', '${{ string(lists.team.size()) }}'],
] as const)('a poll without the list that a rule reads in %s fails, and changes nothing', ([, when, text]) => {
  const rule = ruleOf(
    `id: x\nwhen: { every: 1m, ${when} }\nthen: [{ do: discord.send, with: { channel: live, content: "hi ${text}" } }]\n`,
  );
  const missing = { ...listsOf([]), problemOf: () => 'the list team is missing' };

  expect(attemptBind(rule, missing)).toEqual({ failure: 'the list team is missing' });
  expect(attemptBind(rule, { ...listsOf([]), problemOf: () => undefined })).not.toHaveProperty('failure');
});

test('a scheduled rule that watches nothing fails without its list, and names it', () => {
  const rule = ruleOf(
    'id: x\nwhen: { cron: "0 9 * * *", timezone: UTC }\nthen: [{ do: discord.send, with: { channel: live, content: "${{ string(lists.team.size()) }}" } }]\n',
  );

  expect(attemptBind(rule, { ...listsOf([]), problemOf: () => 'the list team is missing' })).toEqual({
    failure: 'the list team is missing',
  });
});

test('a rule of a command runs without its list, because a command comes only once', () => {
  const rule = ruleOf(
    'id: x\nabout: The team\nwhen: { command: team }\nthen: [{ do: discord.answer, with: { content: "${{ string(lists.team.size()) }}" } }]\n',
  );

  expect(attemptBind(rule, { ...listsOf([]), problemOf: () => 'the list team is missing' })).toMatchObject({ lists: { team: [] } });
});

test.for([
  ['users: "${{ lists.taem.map(p, p.id) }}"', 'unknown list taem', 'did you mean team?'],
  ['users: "${{ lists.team.map(p, p.lien) }}"', 'p has no lien', 'did you mean line?'],
])('a mistake is found before the first poll: %s', ([written = '', message, hint]) => {
  const { diagnostics } = check(RULE.replace(/users: .*(?= \})/u, written), { lists: SHAPES });

  expect(diagnostics).toMatchObject([{ message, hint }]);
});

test('an unknown list of people is an error', () => {
  const source = 'id: x\nwhen: { every: 1m, people: taem }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n';

  expect(check(source, { lists: SHAPES }).diagnostics).toMatchObject([
    { code: 'unknown-list', line: 2, column: 28, hint: 'did you mean team?' },
  ]);
});
