import type { Rule } from '#src/rules/rule.ts';
import { fc } from '../../support/property.ts';
import { check } from '../../support/rule-language.ts';

/** A rule with random keys. */
export interface RandomRule {
  readonly source: string;
  readonly rule: Rule;
}

const AT = "${{ date(now, 'UTC', 'time') }}";
const STREAMS = 'watch: streaming.getStreams, with: { users: [ada, grace, linus] }';
const ITEM = `\${{ item.owner.handle }} \${{ change.kind }} \${{ item.title }} ${AT}`;
const POLL = `\${{ changes.entered.size() }} new, \${{ changes.left.size() }} gone, ${AT}`;
const HELD = `\${{ held.map(h, h.item.owner.handle + ' ' + h.kind).join(', ') }} ${AT}`;

/** One of these lines, or most often none. */
function sometimes(...lines: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...lines) });
}

function sending(content: string): string {
  return `{ do: discord.send, with: { channel: live, content: "${content}" } }`;
}

/** Steps of `then`, by what they need from the delivery engine. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  question: [
    '{ id: verdict, do: discord.ask, answerWithin: 4m7s, with: { channel: mods, content: "ok?", choices: [a, b] } }',
    sending('${{ steps.verdict.choice }}'),
  ],
  wait: ['{ wait: 2m }', sending(`later ${AT}`)],
  list: ['{ do: discord.send, forEach: "[\'x\', \'y\']", with: { channel: live, content: "${{ it }}" } }'],
  card: [
    '{ id: card, do: discord.send, with: { channel: live, content: card } }',
    `{ do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "edited ${AT}" } }`,
  ],
  networks: ['{ do: social.createPost, as: [bluesky, mastodon], with: { text: post } }'],
};

/** What the rule watches, and when. */
const WHENS = {
  item: { about: STREAMS, text: ITEM },
  poll: { about: `${STREAMS}, per: poll`, text: POLL },
  slot: { about: `${STREAMS}, per: slot`, text: POLL },
  nothing: { about: '', text: `at ${AT}` },
};

const changes = fc.uniqueArray(
  fc.constantFrom('entered', 'left', '{ changed: [title] }', '{ rose: { field: viewerCount, above: [50, 70] } }', 'moved'),
  { minLength: 1, maxLength: 3 },
);

const deferral = fc.constantFrom('hold', 'drop', `[${sending(HELD)}]`);

const parts = fc.record({
  per: fc.constantFrom(...(['item', 'item', 'item', 'poll', 'slot', 'nothing'] as const)),
  schedule: fc.constantFrom('every: 1m', 'every: 1m', 'every: 30s', 'every: 2m', 'cron: "*/2 * * * *", timezone: UTC'),
  changes: fc.option(changes, { nil: undefined }),
  list: fc.tuple(
    sometimes('confirm: 2', 'confirm: { new: 1, gone: 1 }', 'confirm: { new: 3, gone: 2 }'),
    sometimes('settle: 20s', 'settle: 90s', 'settle: 3m'),
    sometimes('grace: 30s', 'grace: 90s', 'grace: 4m'),
    sometimes('where: item.viewerCount >= 50', `where: "item.language == 'en'"`),
    sometimes('take: 1'),
    fc.constantFrom('first: fire', 'first: fire', ''),
  ),
  gates: fc.tuple(
    sometimes('mode: single', 'mode: restart', 'mode: parallel'),
    sometimes('cooldown: 100s', 'cooldown: { for: 4m, per: rule }'),
    sometimes('fuse: { firings: 2, per: 5m }'),
    sometimes('keep: { n: keep.n + 1 }'),
    fc
      .tuple(fc.constantFrom('17:50', '18:02', '18:04'), fc.constantFrom('18:06', '18:09', '18:13'), deferral, fc.nat(1))
      .map(([from, to, then, is]) => (is === 0 ? `quiet: { from: "${from}", to: "${to}", then: ${then} }` : '')),
    fc
      .tuple(fc.constantFrom(1, 2), fc.constantFrom('100s', '3m', '5m'), deferral, fc.nat(1))
      .map(([firings, per, then, is]) => (is === 0 ? `limit: { firings: ${firings}, per: ${per}, then: ${then} }` : '')),
    sometimes(...['count: 2', 'cron: "*/5 * * * *"'].map((due) => `gather: { ${due}, then: [${sending(HELD)}] }`)),
  ),
  steps: fc.uniqueArray(fc.constantFrom('text', ...Object.keys(STEPS)), { minLength: 1, maxLength: 4 }),
  lasting: sometimes(`while: [{ do: discord.send, every: 3m, with: { channel: live, content: "still \${{ item.viewerCount }}" } }]`),
  closing: sometimes(`finally: [{ wait: 90s }, ${sending('was live for ${{ duration(episode.lengthMs) }}')}]`),
});

function sourceOf({
  per,
  schedule,
  changes: some,
  list,
  gates,
  steps,
  lasting,
  closing,
}: typeof parts extends fc.Arbitrary<infer T> ? T : never) {
  const { about, text } = WHENS[per];
  const watched = about === '' ? [] : [about, ...(some ? [`changes: [${some.join(', ')}]`] : []), ...list];
  const then = steps.flatMap((name) => STEPS[name] ?? [sending(text)]);
  const sections = per === 'item' ? [lasting, closing] : [];
  const lines = [`when: { ${[schedule, ...watched].filter(Boolean).join(', ')} }`, ...gates, `then: [${then.join(', ')}]`, ...sections];
  return lines.filter(Boolean).join('\n');
}

/** The rule of a source, with another name or another description. */
export function namedRule(source: string, { id = 'r', about = 'a rule' } = {}): Rule | undefined {
  return check(`id: ${id}\nabout: ${about}\n${source}\n`).rules[0];
}

/** Any rule without errors. */
export const randomRule: fc.Arbitrary<RandomRule> = parts
  .map((one) => {
    const source = sourceOf(one);
    return { source, rule: namedRule(source) };
  })
  .filter((one): one is RandomRule => one.rule !== undefined);
