import { describe, expect, test } from 'vitest';
import { fieldsOfEntries } from '#src/rules/expression/list-shapes.ts';
import { check, unmark } from '../../support/rule-language.ts';
import { entry } from '../people/people-stage.ts';

const SHAPES = { team: fieldsOfEntries([entry('ada', { ping: 'Live' })]) };

const source = (mention: string): string =>
  [
    'id: r',
    'vars: { roles: { Chess: Chess fans } }',
    'each: { who: [{ id: ada, role: Fans }] }',
    'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }',
    'then:',
    `  - { do: discord.send, with: { channel: live, content: hi, mention: ${mention} } }`,
  ].join('\n');

describe('a ping', () => {
  test.each([
    ['of a name', '["${{ ▲item.owner.displayName }}"]', `write the roles in vars, and vars.roles[?item.owner.displayName].orValue('Live')`],
    ['of a category', '[Live, "@${{ ▲item.game.name }}"]', `write the roles in vars, and vars.roles[?item.game.name].orValue('Live')`],
    ['of tags', '"${{ ▲item.tags }}"', 'write the names of the roles'],
  ])('%s that the platform chooses has a warning', (_, mention, hint) => {
    const { source: text, place } = unmark(source(mention));

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.code, one.hint])).toEqual([
      [place, 'foreign-ping', hint],
    ]);
  });

  test.each([
    '[Live]',
    '["${{ each.who.role }}"]',
    `["\${{ vars.roles[?item.game.name].orValue('Live') }}"]`,
    `["\${{ item.game.name == 'Chess' ? 'Chess fans' : 'Live' }}"]`,
    `["\${{ vars.roles[?item.owner.id].orValue('Live') }}"]`,
  ])('that the rule chooses has none: %s', (mention) => {
    expect(check(source(mention)).diagnostics).toEqual([]);
  });

  test.each([
    `["\${{ lists.team[?item.owner.handle].ping.orValue('Live') }}"]`,
    '"${{ lists.team.filter(p, p.id == item.owner.handle).map(p, string(p.ping)) }}"',
    '["${{ item.person.ping }}"]',
    `"\${{ item.person[?'ping'].hasValue() ? ['<@&' + string(item.person.ping) + '>'] : [] }}"`,
  ])('that an entry of a list chooses has none: %s', (mention) => {
    const text = source(mention).replace('with: { users: [ada] }', 'people: team');
    expect(check(text, { lists: SHAPES }).diagnostics).toEqual([]);
  });
});
