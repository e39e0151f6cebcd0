import { describe, expect, test } from 'vitest';
import { check, unmark } from '../../support/rule-language.ts';

describe('a number with a dot between its thousands', () => {
  const source = (when: string): string =>
    `id: r\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, ${when} }\nthen:\n  - { do: discord.send, with: { channel: live, content: hi } }\n`;

  test.each([
    ['where: item.viewerCount > ▲1.000', '1.000 is the number 1', '1000'],
    ['where: ▲2.500 <= item.viewerCount', '2.500 is the number 2.5', '2500'],
    ['changes: [{ rose: { field: viewerCount, above: ▲1.000 } }]', '1.000 is the number 1', '1000'],
  ])('has a warning: %s', (when, message, meant) => {
    const { source: text, place } = unmark(source(when));

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.severity, one.message, one.hint])).toEqual([
      [place, 'warning', message, `write ${meant}`],
    ]);
    expect(check(text.replace(/[12]\.\d{3}/u, meant)).diagnostics).toEqual([]);
  });

  test.each(['where: item.viewerCount > 0.125', 'where: item.viewerCount > 1.5', 'where: item.viewerCount * 2 > 1000'])(
    'has no warning: %s',
    (when) => {
      expect(check(source(when)).diagnostics).toEqual([]);
    },
  );
});
