import { describe, expect, test } from 'vitest';
import { diagnosticsOf, hintsOf, unmark } from '../../support/rule-language.ts';

const SEND = '{ ▲do: discord.send, with: { channel: live, content: "${{ item.title }} is live" } }';

function rule({ changes = '[entered, left]', step = SEND, top = '' } = {}): string {
  const when = `every: 1m, watch: streaming.getStreams, with: { users: [ada] }, grace: 5m, changes: ${changes}`;
  return `id: r\nwhen: { ${when} }\n${top}then:\n  - ${step.replace('▲do: ', 'do: ▲')}\n`;
}

const RISE = '{ rose: { field: viewerCount, above: 100 } }';
const FALL = '{ fell: { field: viewerCount, below: 50 } }';

describe('a ping of everyone', () => {
  const ping = ({ step = '', mention = '[Live, everyone]' } = {}): string =>
    rule({
      changes: '[entered, { changed: [title] }]',
      step: `{ ${step}do: discord.send, with: { channel: live, content: hi, mention: ${mention} } }`,
    });

  test('that each change repeats has a warning', () => {
    expect(diagnosticsOf(ping({ mention: '▲[Live, everyone]' }))).toEqual(['▲ warning repeated-ping then[0].with.mention']);
    expect(hintsOf(ping())).toEqual(['add if: change.kind == "entered"']);
  });

  test('for each element of a list has a warning', () => {
    const each = (mention: string): string =>
      rule({
        changes: '[entered]',
        step: `{ forEach: item.tags, do: discord.send, with: { channel: live, content: "\${{ it }}", mention: ${mention} } }`,
      });

    expect(diagnosticsOf(each('▲["@here"]'))).toEqual(['▲ warning repeated-ping then[0].with.mention']);
    expect(diagnosticsOf(each('[Live]'))).toEqual([]);
    expect(diagnosticsOf(unmark(each('▲[everyone]')).source.replace('channel: live', 'channel: "live-${{ it }}"'))).toEqual([]);
  });

  test('that only the start causes, and one of a role, have none', () => {
    expect(diagnosticsOf(ping({ step: 'if: change.kind == "entered", ' }))).toEqual([]);
    expect(diagnosticsOf(ping({ mention: '[Live]' }))).toEqual([]);
  });

  test.each([
    'cooldown: 12h\n',
    'limit: { firings: 1, per: 1d, then: drop }\n',
    'if: item.game.name == "Chess"\n',
    'if: episode.polls < 2\n',
  ])('that a rule with %j sends seldom has none', (top) => {
    expect(diagnosticsOf(ping().replace('then:', `${top}then:`))).toEqual([]);
  });

  test('of a step with a condition on the item has none, and with another one a remedy for it', () => {
    expect(diagnosticsOf(ping({ step: 'if: item.game.name == "Chess", ' }))).toEqual([]);
    expect(hintsOf(ping({ step: 'if: now.getMinutes() > 3, ' }))).toEqual([
      'write if: change.kind == "entered" && (…), with its condition in the place of …',
    ]);
  });
});

describe('a step that is the same for a change and its opposite', () => {
  test.each([
    rule(),
    rule({ changes: '[entered, left, { changed: [title] }]' }),
    rule({ step: SEND.replace('▲do', 'if: item.viewerCount > 10, ▲do') }),
    rule({ step: '{ ▲do: discord.addRole, with: { user: ada, role: Live } }' }),
    rule({ changes: `[${RISE}, ${FALL}]`, step: SEND.replace('${{ item.title }}', 'Ada') }),
  ])('has a warning: %s', (marked) => {
    expect(diagnosticsOf(marked)).toEqual(['▲ warning same-step then[0].do']);
  });

  test('has a remedy that is right', () => {
    expect(hintsOf(unmark(rule()).source)).toEqual([
      'add if: change.kind == "entered", or write a text with change.kind == "entered" ? … : …',
    ]);
    expect(diagnosticsOf(unmark(rule({ step: SEND.replace('▲do', `if: change.kind == "entered", do`) })).source)).toEqual([]);
  });

  test.each([
    rule({ changes: '[entered]' }),
    rule({ changes: '[left]' }),
    rule({ changes: `[entered, ${RISE}]` }),
    rule({ changes: `[${RISE}, ${FALL}]`, step: SEND.replace('title }}', 'title }} ${{ compact(item.viewerCount) }}') }),
    rule({ top: 'if: change.kind == "entered"\n' }),
    rule({ top: 'cooldown: 12h\n' }),
    rule({ step: SEND.replace('▲do', 'if: episode.open, ▲do') }),
    rule({ step: SEND.replace('is live', "${{ episode.open ? 'is' : 'was' }} live") }),
    rule({ step: SEND.replace('is live', "${{ change.kind == 'left' ? 'was' : 'is' }} live") }),
    rule({ step: '{ do: discord.put, with: { name: board, channel: live, content: "${{ item.title }}" } }' }),
  ])('and another step has none: %s', (marked) => {
    expect(diagnosticsOf(unmark(marked).source)).toEqual([]);
  });
});
