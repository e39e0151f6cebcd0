import { describe, expect, test } from 'vitest';
import { accounts, check } from '../../support/rule-language.ts';

const FIELDS = 'fields: { from_name: text, amount: number, note?: text, shop: [{ code: text }], at: time, by: { name: text } }';

function rule({ when = `webhook: kofi, ${FIELDS}`, top = '', content = 'hi' } = {}): string {
  return `id: r\n${top}\nwhen: { ${when} }\nthen:\n  - do: discord.send\n    with: { channel: live, content: '${content}' }\n`;
}

const codesOf = (source: string): readonly string[] => check(source).diagnostics.map(({ code }) => code);
const messagesOf = (source: string): readonly string[] => check(source).diagnostics.map(({ message, hint = '' }) => `${message} (${hint})`);

describe('a rule that a webhook starts', () => {
  test('has the fields with their types, its limits, and no schedule', () => {
    const { rules, diagnostics } = check(rule({ when: `webhook: kofi, ${FIELDS}, maxSize: 256kB, key: item.by.name` }));

    expect(diagnostics).toEqual([]);
    expect(rules[0]).toMatchObject({
      schedule: { webhook: 'kofi' },
      mode: 'queued',
      max: 100,
      fuse: { firings: 300, perMs: 3_600_000 },
      webhook: {
        name: 'kofi',
        maxBytes: 262_144,
        fields: {
          from_name: { type: 'text', optional: false },
          amount: { type: 'number', optional: false },
          note: { type: 'text', optional: true },
          shop: { type: { list: { fields: { code: { type: 'text', optional: false } } } }, optional: false },
          at: { type: 'time', optional: false },
          by: { type: { fields: { name: { type: 'text', optional: false } } }, optional: false },
        },
      },
    });
    expect(rules[0]?.webhook?.key?.({ by: { name: 'ada' } })).toBe('ada');
    expect(rules[0]?.webhook?.key?.({})).toBeUndefined();
  });

  test('reads its fields as item, with their types', () => {
    expect(codesOf(rule({ content: '${{ item.from_name }}: ${{ item.amount }} at ${{ discordTime(item.at, "R") }}' }))).toEqual([]);
    expect(codesOf(rule({ top: 'if: item.amount >= 5.0 && item.shop.exists(one, one.code == "x")' }))).toEqual([]);
    expect(messagesOf(rule({ content: '${{ item.form_name }}' }))[0]).toContain('from_name');
    expect(codesOf(rule({ top: 'if: item.amount == "5"' }))).toEqual(['expression']);
  });

  test.for([
    ['a name with a capital letter', { when: 'webhook: Kofi' }, 'webhook-name'],
    ['a name with _', { when: 'webhook: ko_fi' }, 'webhook-name'],
    ['a name of 41 characters', { when: `webhook: ${'a'.repeat(41)}` }, 'webhook-name'],
    ['a schedule', { when: 'webhook: kofi, every: 5m' }, 'key-with-webhook'],
    ['a watched list', { when: 'webhook: kofi, watch: streaming.getStreams' }, 'key-with-webhook'],
    ['gather', { top: 'gather: { count: 2, then: [{ do: discord.send, with: { channel: live, content: hi } }] }' }, 'key-with-webhook'],
    ['quiet hours that defer', { top: 'quiet: { from: "23:00", to: "08:00", then: hold }' }, 'webhook-deferred'],
    ['a limit that defers', { top: 'limit: { firings: 5, per: 1d, then: hold }' }, 'webhook-deferred'],
    ['a size that is none', { when: 'webhook: kofi, maxSize: big' }, 'webhook-size'],
    ['a size above the limit', { when: 'webhook: kofi, maxSize: 2MB' }, 'webhook-size'],
    ['a field that expressions cannot read', { when: 'webhook: kofi, fields: { from-name: text }' }, 'unreadable-name'],
    ['a repeated field', { when: 'webhook: kofi, fields: { a: text, a?: text }' }, 'repeated-field'],
    ['fields without a webhook', { when: 'every: 5m, fields: { a: text }' }, 'key-without-webhook'],
    ['a size without a webhook', { when: 'every: 5m, maxSize: 1MB' }, 'key-without-webhook'],
    ['a key with an unknown field', { when: 'webhook: kofi, fields: { a: text }, key: item.b' }, 'expression'],
    [
      'many fields',
      { when: `webhook: kofi, fields: { ${Array.from({ length: 101 }, (_, k) => `f${k}: text`).join(', ')} }` },
      'many-fields',
    ],
  ] as const)('cannot have %s', ([, written, code]) => {
    expect(codesOf(rule(written))).toContain(code);
  });

  test.for([
    ['a type', 'fields: { a: txet }'],
    ['a type in a map', 'fields: { a: { b: nubmer } }'],
    ['a list of two types', 'fields: { a: [text, number] }'],
    ['a number as a type', 'fields: { a: 5 }'],
    ['a misspelled key', 'feilds: { a: text }'],
  ] as const)('reports %s that is wrong', ([, written]) => {
    const { diagnostics } = check(rule({ when: `webhook: kofi, ${written}` }));

    expect(diagnostics.filter(({ severity }) => severity === 'error')).toHaveLength(1);
    expect(diagnostics[0]?.line).toBe(3);
  });

  test('names the types in words of the language', () => {
    expect(messagesOf(rule({ when: 'webhook: kofi, fields: { a: nmber }' }))).toContain(
      'expected text, number, integer, boolean, time, a list or a map, found "nmber" (did you mean number?)',
    );
  });

  test('accepts quiet hours and limits that discard', () => {
    const top =
      'quiet: { from: "23:00", to: "08:00", timezone: UTC, then: drop }\nlimit: { firings: 5, per: 1d, then: drop }\ncooldown: 1m';
    expect(codesOf(rule({ top }))).toEqual([]);
  });

  test('warns if the secret is missing, and says how to set it', () => {
    const source = rule({ when: 'webhook: ko-fi' });
    const withSecrets = (all: readonly string[]) =>
      check(source, { accounts: { ...accounts, webhook: { all, defaults: [] } } }).diagnostics;

    expect(withSecrets(['ko-fi'])).toEqual([]);
    expect(withSecrets(['github'])).toMatchObject([
      { severity: 'warning', code: 'webhook-without-secret', line: 3, hint: expect.stringContaining('FANFARE_WEBHOOK_KO_FI_SECRET') },
    ]);
  });
});
