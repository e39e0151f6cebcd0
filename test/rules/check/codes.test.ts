import { describe, expect, test } from 'vitest';
import { check, unmark } from '../../support/rule-language.ts';

const SEND = '{ do: discord.send, with: { channel: live, content: hi } }';

interface Parts {
  readonly top?: string;
  readonly when?: string;
  readonly steps?: string;
}

function slot({ top = '', when = 'every: 1m', steps = SEND }: Parts): string {
  return `id: r\nwhen: { ${when} }\n${top}\nthen:\n  - ${steps}\n`;
}

function list({ when = '', ...parts }: Parts): string {
  return slot({ ...parts, when: `every: 1m, watch: streaming.getStreams, with: { users: [ada] }${when}` });
}

/** The diagnostics as severity and code, with `▲` for those at the mark. */
function codesOf(marked: string): readonly string[] {
  const { source, place } = unmark(marked);
  return check(source).diagnostics.map(
    ({ line, column, severity, code }) => `${`${line}:${column}` === place ? '▲ ' : ''}${severity} ${code}`,
  );
}

describe('the code of a diagnostic', () => {
  test.each<[code: string, marked: string]>([
    ['error empty-file', '▲# nothing'],
    ['error duplicate-key', `${slot({})}▲id: s`],
    ['error tag', slot({ top: 'about: !!str ▲y' })],
    ['error unknown-anchor', slot({ top: 'vars: [▲*x]' })],
    ['error misread-text', slot({ top: 'about: ▲*bold* text' })],
    ['error bare-braces', slot({ top: 'about: ▲{{ x }}' })],
    ['error syntax', 'id: r\nwhen:\n▲\tevery: 1m'],
    ['error unclosed', 'id: r\nwhen: ▲{ every: 1m\n'],
    ['error unknown-key', slot({ top: '▲abuot: x' })],
    ['error missing-key', slot({ top: 'cooldown: ▲{ per: rule }' })],
    ['error wrong-value', slot({ top: 'about: ▲[x]' })],
    ['error expression', slot({ top: 'if: ▲nothing == 1' })],
    ['error wrong-type', slot({ top: 'if: ▲5' })],
    ['error unclosed-expression', slot({ steps: '{ do: discord.send, with: { channel: live, content: "▲${{ 1" } }' })],
    ['warning decided-clause', list({ top: 'if: item.viewerCount > 5 && ▲item.viewerCount < 3' })],
    ['error two-schedules', slot({ when: 'every: 1m, ▲at: 2030-01-01T00:00:00Z' })],
    ['error no-schedule', slot({ when: 'missed: once' }).replace('when: {', 'when: ▲{')],
    ['error missed-with-watch', list({ when: ', missed: ▲all' })],
    ['warning unused-time-zone', slot({ when: 'every: 1m, ▲timezone: Europe/Paris' })],
    ['error unknown-time-zone', slot({ when: 'cron: "0 8 * * *", timezone: ▲Europe/Pariss' })],
    ['error too-often', slot({ when: 'every: ▲4s' })],
    ['warning daily-grid', slot({ when: 'every: ▲1d' })],
    ['error cron', slot({ when: 'cron: ▲"0 0 30 2 *"' })],
    ['warning cron-both-days', slot({ when: 'cron: ▲"0 0 1 * 1"' })],
    ['error no-instant', slot({ when: 'at: ▲soon' })],
    ['error no-time-zone', slot({ when: 'at: ▲2030-01-01 18:00' })],
    ['error key-without-watch', slot({ when: 'every: 1m, ▲take: 3' })],
    ['error unwatchable', slot({ when: 'every: 1m, watch: ▲discord.send' })],
    ['error unknown-operation', slot({ when: 'every: 1m, watch: ▲streaming.getStream' })],
    ['error not-for-polls', list({}).replace('[ada] }', '[ada], ▲cursor: x }')],
    ['error unknown-account', list({ when: ', account: ▲twich' })],
    ['error duplicate-account', slot({ steps: '{ do: social.createPost, as: [bluesky, ▲bluesky], with: { text: hi } }' })],
    ['error duplicate-change', list({ when: ', changes: ▲[left, left]' })],
    ['error ambiguous-change', list({ when: ', per: poll, changes: [▲{ moved: up, changed: [title] }]' })],
    ['error not-a-number', list({ when: ', changes: [{ rose: { field: ▲title, above: 5 } }]' })],
    ['error rearm-count', list({ when: ', changes: [{ fell: { field: viewerCount, below: [1, 2], rearm: ▲[3, 4, 5] } }]' })],
    ['error rearm-side', list({ when: ', changes: [{ rose: { field: viewerCount, above: 5, rearm: ▲6 } }]' })],
    ['error unknown-field', list({ when: ', changes: [{ changed: [▲titel] }]' })],
    ['warning short-grace', list({ when: ', grace: ▲1m' })],
    ['warning restless-take', list({ when: ', ▲take: 3' })],
    ['warning moved-per-item', list({ when: ', changes: ▲[moved]' })],
    ['error section-without-watch', slot({ top: '▲while: []' })],
    ['error section-without-item', list({ when: ', per: poll', top: '▲while: []' })],
    ['error section-without-entered', list({ when: ', changes: [left]', top: '▲finally: []' })],
    ['error cooldown-without-item', slot({ top: 'cooldown: { for: 6h, per: ▲item }' })],
    ['error empty-quiet', slot({ top: 'quiet: { from: "23:00", to: ▲"23:00", then: drop }' })],
    ['warning small-fuse', slot({ when: 'every: ▲1m' })],
    ['error value-without-id', slot({ top: 'each: { on: [▲{ name: a }] }' })],
    ['error value-id', slot({ top: 'each: { on: [▲a/b] }' })],
    ['error duplicate-value', slot({ top: 'each: { on: [a, ▲a] }' })],
    ['error mixed-values', slot({ top: 'each: { on: ▲[{ id: a }, b] }' })],
    ['error unreadable-name', slot({ top: 'vars: { ▲in: a }' })],
    ['error empty-constant', slot({ top: 'vars: { a: ▲~ }' })],
    ['error expression-in-constant', slot({ top: 'vars: { a: [▲"${{ 1 }}"] }' })],
    ['error missing-do', slot({ steps: '▲{ with: { channel: live } }' })],
    ['error unknown-operation', slot({ steps: '{ do: ▲discord.sent, with: {} }' })],
    ['error wait-with-keys', slot({ steps: '{ wait: 10m, ▲if: x }' })],
    ['warning last-wait', slot({ steps: `${SEND}\n  - ▲{ wait: 1m }` })],
    ['error creates-in-while', list({ top: `while:\n  - ${SEND.replace('do: ', 'do: ▲')}` })],
    [
      'error duplicate-step',
      list({
        steps:
          '{ id: a, do: discord.send, with: { channel: x, content: y } }\n  - { id: ▲a, do: discord.send, with: { channel: x, content: y } }',
      }),
    ],
    ['error reads-itself', list({ steps: '{ id: a, do: discord.send, with: { channel: x, content: "${{ ▲steps.a.id }}" } }' })],
    ['warning trailing-comment', slot({ top: 'about: ▲Top #1' })],
    ['warning bare-braces', slot({ steps: '{ do: discord.send, with: { channel: live, content: "▲{{ x }}" } }' })],
    ['error untrusted-path', list({ steps: '{ do: social.createPost, with: { text: hi, files: ["card-${{ ▲item.title }}.png"] } }' })],
    ['error too-large', `▲about: ${'x'.repeat(70_000)}`],
  ])('is %s', (code, marked) => {
    expect(codesOf(marked)).toContain(`▲ ${code}`);
  });
});
