import { fc } from '../../support/property.ts';

/** The name of the file of the rule. */
export const FILE = 'live.yaml';

/** Quiet hours, with the instants at which they begin and end in the night of a walk, as a calendar shows them. */
interface QuietHours {
  readonly line: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A night in which the clocks change. */
export interface Night {
  readonly startMs: number;
  readonly quiet: readonly QuietHours[];
}

function quietHours(from: string, to: string, timezone: string, [fromAt, untilAt]: readonly [string, string]): QuietHours {
  return { line: `from: "${from}", to: "${to}", timezone: ${timezone}`, fromMs: Date.parse(fromAt), untilMs: Date.parse(untilAt) };
}

export const NIGHTS: readonly Night[] = [
  {
    // At 01:00Z, the clocks of Paris are set back from 03:00 to 02:00.
    startMs: Date.parse('2026-10-24T23:10:00Z'),
    quiet: [
      quietHours('01:30', '02:30', 'Europe/Paris', ['2026-10-24T23:30:00Z', '2026-10-25T01:30:00Z']),
      quietHours('02:15', '03:10', 'Europe/Paris', ['2026-10-25T00:15:00Z', '2026-10-25T02:10:00Z']),
      quietHours('23:50', '00:20', 'UTC', ['2026-10-24T23:50:00Z', '2026-10-25T00:20:00Z']),
    ],
  },
  {
    // At 01:00Z, the clocks of Paris are set forward from 02:00 to 03:00.
    startMs: Date.parse('2027-03-28T00:20:00Z'),
    quiet: [
      quietHours('01:30', '03:30', 'Europe/Paris', ['2027-03-28T00:30:00Z', '2027-03-28T01:30:00Z']),
      quietHours('02:15', '03:40', 'Europe/Paris', ['2027-03-28T01:00:00Z', '2027-03-28T01:40:00Z']),
      quietHours('01:10', '02:30', 'UTC', ['2027-03-28T01:10:00Z', '2027-03-28T02:30:00Z']),
    ],
  },
];

/** How a gate treats a firing that it blocks. */
type Then = 'hold' | 'drop' | 'steps';

/** The parts of a rule that people edit in a walk. */
export interface WalkedRule {
  readonly id: string;
  readonly was?: string | undefined;
  readonly isOn: boolean;
  readonly channel: string;
  readonly asks: boolean;
  readonly waitMinutes: number;
  /** The number of its quiet hours in the night. */
  readonly quiet: { readonly hours: number; readonly then: Then } | undefined;
  readonly limit: { readonly firings: number; readonly perMinutes: number; readonly then: Then } | undefined;
  readonly gathers: number | undefined;
}

const someThen = fc.constantFrom<Then>('hold', 'drop', 'steps');
const someQuiet = fc.option(fc.record({ hours: fc.nat(2), then: someThen }), { nil: undefined });
const someLimit = fc.option(fc.record({ firings: fc.integer({ min: 1, max: 2 }), perMinutes: fc.constantFrom(5, 30), then: someThen }), {
  nil: undefined,
});
const someGathers = fc.option(fc.constantFrom(2, 3), { nil: undefined });
const someWait = fc.constantFrom(0, 0, 3, 12);

export const someRule: fc.Arbitrary<WalkedRule> = fc.record({
  id: fc.constant('live'),
  isOn: fc.constant(true),
  channel: fc.constant('news'),
  asks: fc.boolean(),
  waitMinutes: someWait,
  quiet: someQuiet,
  limit: someLimit,
  gathers: someGathers,
});

/** An edit of one part. */
export const someEdit: fc.Arbitrary<Partial<WalkedRule>> = fc.oneof(
  fc.constantFrom('news', 'live').map((channel) => ({ channel })),
  fc.boolean().map((asks) => ({ asks })),
  someWait.map((waitMinutes) => ({ waitMinutes })),
  someQuiet.map((quiet) => ({ quiet })),
  someLimit.map((limit) => ({ limit })),
  someGathers.map((gathers) => ({ gathers })),
);

/** The file of the rule. The first word of each message is the section that sends it, and the other words are the streams. */
export function textOf(rule: WalkedRule, night: Night): string {
  const { id, was, isOn, channel, asks, waitMinutes, quiet, limit, gathers } = rule;
  const summary = (section: string): string =>
    `[{ do: discord.send, with: { channel: ${channel}, content: "${section} \${{ held.map(h, h.item.id).join(' ') }}" } }]`;
  const thenOf = (then: Then, section: string): string => (then === 'steps' ? summary(section) : then);
  return [
    `id: ${id}`,
    ...(was === undefined ? [] : [`was: ${was}`]),
    `enabled: ${isOn}`,
    'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace, linus, mary] }, key: item.id, confirm: { new: 1, gone: 1 }, first: fire, maxAge: 12h }',
    'fuse: { firings: 900, per: 1h }',
    ...(quiet ? [`quiet: { ${night.quiet[quiet.hours]?.line}, then: ${thenOf(quiet.then, 'quiet')} }`] : []),
    ...(limit ? [`limit: { firings: ${limit.firings}, per: ${limit.perMinutes}m, then: ${thenOf(limit.then, 'limit')} }`] : []),
    ...(gathers === undefined ? [] : [`gather: { count: ${gathers}, then: ${summary('gather')} }`]),
    'then:',
    ...(asks
      ? [
          `  - { id: verdict, do: discord.ask, answerWithin: 3d, with: { channel: mods, content: "ask \${{ item.id }}", choices: [send, drop] } }`,
        ]
      : []),
    ...(waitMinutes > 0 ? [`  - wait: ${waitMinutes}m`] : []),
    `  - { id: card, do: discord.send${asks ? `, if: steps.verdict.choice == "send"` : ''}, with: { channel: ${channel}, content: "start \${{ item.id }}" } }`,
    'finally:',
    `  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "over \${{ item.id }}" } }`,
    '',
  ].join('\n');
}
