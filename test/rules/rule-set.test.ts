import { fc } from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import type { CheckedFile } from '#src/rules/check/check-across-files.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { ruleSetOf, type RuleSet } from '#src/rules/rule-set.ts';
import { accounts, catalogue } from '../support/rule-language.ts';

const GOOD = (id: string, text = 'hello'): string => `id: ${id}
when: { cron: "0 18 * * *", timezone: UTC }
then: [{ do: discord.send, with: { channel: live, content: ${text} } }]
`;
const BROKEN = (id: string): string => `${GOOD(id)}wenn: now\n`;

function setOf(files: Readonly<Record<string, string>>, before?: RuleSet): RuleSet {
  const checked = Object.entries(files).map(([file, source]): CheckedFile => ({
    ...checkRule({ file, source, catalogue, accounts }),
    file,
    source,
  }));
  return ruleSetOf(checked, { accounts, before: before?.inForce });
}

function running({ rules, inForce }: RuleSet): readonly string[] {
  return rules.map(({ name, file }) => `${name} in ${file}: ${inForce.get(name)?.source.includes('hello') ? 'hello' : 'bye'}`);
}

function refused({ diagnostics }: RuleSet): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ file, path }) => `${file} ${path}`);
}

describe('a rule whose history is read', () => {
  const DIGEST = (rule: string, more = ''): string => `id: digest
when: { cron: "0 9 * * *", timezone: UTC }
${more}then:
  - { id: day, do: history.getEpisodes, with: { rule: ${rule}, since: 24h }, onError: continue }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.day.items.size() }} were live" } }
`;
  const EACH = `${GOOD('games', '"${{ each.on }}"')}each: { on: [chess, go] }\n`;
  const warned = (set: RuleSet): readonly (readonly unknown[])[] =>
    set.diagnostics.map(({ file, line, column, severity, message, hint }) => [`${file}:${line}:${column}`, severity, message, hint]);

  test('gets a warning if it does not exist', () => {
    const hello = GOOD('live-card');

    expect(warned(setOf({ 'a.yaml': DIGEST('live-crad'), 'b.yaml': hello }))).toEqual([
      ['a.yaml:4:55', 'warning', 'unknown rule live-crad: it has no history', 'did you mean live-card?'],
    ]);
    expect(warned(setOf({ 'a.yaml': DIGEST('"${{ vars.of }}"', 'vars: { of: nope }\n'), 'b.yaml': hello }))).toEqual([
      ['a.yaml:5:55', 'warning', 'unknown rule nope: it has no history', 'available: digest, live-card'],
    ]);
  });

  test('gets a warning if another rule watches it', () => {
    const watching = `id: w
when: { every: 5m, watch: history.getEpisodes, with: { rule: nope, since: 24h } }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;

    expect(warned(setOf({ 'a.yaml': watching }))).toMatchObject([
      ['a.yaml:2:62', 'warning', expect.stringContaining('unknown rule nope'), 'available: w'],
    ]);
  });

  test.each([
    ['another file', DIGEST('one'), { 'b.yaml': GOOD('one') }],
    ['an invalid file', DIGEST('one'), { 'b.yaml': BROKEN('one') }],
    ['a file with nothing but its id', DIGEST('one'), { 'b.yaml': 'id: one\nwhen: [' }],
    ['the same file', DIGEST('digest'), {}],
    ['all rules of each', DIGEST('games'), { 'b.yaml': EACH }],
    ['one rule of each', DIGEST('games/chess'), { 'b.yaml': EACH }],
    ['a value of each', DIGEST('"${{ each.of }}"', 'each: { of: [games, "digest"] }\n'), { 'b.yaml': EACH }],
  ])('exists as %s', (_, digest, others) => {
    expect(warned(setOf({ 'a.yaml': digest, ...others })).filter(([, severity]) => severity === 'warning')).toEqual([]);
  });

  test('may be unknown if only some rules are loaded', () => {
    const checked = { ...checkRule({ file: 'a.yaml', source: DIGEST('elsewhere'), catalogue, accounts }), file: 'a.yaml', source: '' };

    expect(ruleSetOf([checked], { accounts, isPart: true }).diagnostics).toEqual([]);
  });
});

describe('the rules in force', () => {
  test('are all valid rules, in the order of their files', () => {
    expect(running(setOf({ 'a.yaml': GOOD('two'), 'b.yaml': GOOD('one'), 'c.yaml': BROKEN('three') }))).toEqual([
      'two in a.yaml: hello',
      'one in b.yaml: hello',
    ]);
  });

  test('stay in force after their file becomes invalid', () => {
    const before = setOf({ 'a.yaml': GOOD('one') });

    const after = setOf({ 'a.yaml': BROKEN('one') }, before);
    const later = setOf({ 'a.yaml': GOOD('one', 'bye') }, after);

    expect([running(after), [...after.asBefore], running(later), later.asBefore.size]).toEqual([
      ['one in a.yaml: hello'],
      ['a.yaml'],
      ['one in a.yaml: bye'],
      0,
    ]);
  });

  test('do not include rules of deleted files', () => {
    expect(running(setOf({}, setOf({ 'a.yaml': GOOD('one') })))).toEqual([]);
  });

  test('keep the earlier file of two files with one id', () => {
    const after = setOf({ 'a.yaml': GOOD('one', 'bye'), 'b.yaml': GOOD('one') }, setOf({ 'b.yaml': GOOD('one') }));

    expect(running(after)).toEqual(['one in b.yaml: hello']);
    expect(refused(after)).toEqual(['a.yaml id']);
  });

  test('keep the earlier file of two files with one id, even while it is invalid', () => {
    const after = setOf({ 'a.yaml': GOOD('one', 'bye'), 'b.yaml': BROKEN('one') }, setOf({ 'b.yaml': GOOD('one') }));

    expect(running(after)).toEqual(['one in b.yaml: hello']);
  });

  test('keep the rule of a file that takes the id of another file', () => {
    const before = setOf({ 'a.yaml': GOOD('one'), 'b.yaml': GOOD('two') });

    const after = setOf({ 'a.yaml': GOOD('one'), 'b.yaml': GOOD('one', 'bye') }, before);

    expect(running(after)).toEqual(['one in a.yaml: hello', 'two in b.yaml: hello']);
    expect(refused(after)).toEqual(['b.yaml id']);
    expect([...after.asBefore]).toEqual(['b.yaml']);
  });

  test('keep the rule of a file that is moved, even if it is invalid afterwards', () => {
    const before = setOf({ 'a.yaml': GOOD('one'), 'b.yaml': GOOD('two') });

    expect(running(setOf({ 'c.yaml': GOOD('one'), 'd.yaml': BROKEN('two') }, before))).toEqual([
      'one in c.yaml: hello',
      'two in d.yaml: hello',
    ]);
  });

  test('may swap their files', () => {
    const before = setOf({ 'a.yaml': GOOD('one'), 'b.yaml': GOOD('two', 'bye') });

    const after = setOf({ 'a.yaml': GOOD('two', 'bye'), 'b.yaml': GOOD('one') }, before);

    expect(running(after)).toEqual(['two in a.yaml: bye', 'one in b.yaml: hello']);
    expect(refused(after)).toEqual([]);
  });
});

test('no rule runs twice, and no rule stops unless its file is deleted or renamed', () => {
  const file = fc.record({ name: fc.constantFrom('one', 'two', 'three'), broken: fc.boolean() });
  const folder = fc.dictionary(fc.constantFrom('a.yaml', 'b.yaml', 'c.yaml', 'd.yaml'), file);

  fc.assert(
    fc.property(fc.array(folder, { minLength: 1, maxLength: 8 }), (folders) => {
      let before: RuleSet | undefined;
      for (const files of folders) {
        const texts = Object.entries(files).map(([path, { name, broken }]) => [path, broken ? BROKEN(name) : GOOD(name)]);
        const after = setOf(Object.fromEntries(texts), before);
        const names = new Set(after.rules.map(({ name }) => name));

        expect(after.rules).toHaveLength(names.size);
        const stayed = [...(before?.inForce ?? [])].filter(([name, { file: path }]) => files[path]?.name === name);
        expect(stayed.map(([name]) => after.inForce.get(name)?.file)).toEqual(stayed.map(([, { file: path }]) => path));
        const good = Object.values(files).filter(({ broken }) => !broken);
        expect(good.filter(({ name }) => !names.has(name))).toEqual([]);
        for (const [path, { name, broken }] of Object.entries(files)) {
          const runs = after.inForce.get(name)?.file === path && !after.asBefore.has(path);
          expect(runs || refused(after).some((one) => one.startsWith(path))).toBe(true);
          expect(runs && broken).toBe(false);
        }
        before = after;
      }
    }),
    { numRuns: 40 },
  );
});

describe('a rule with a previous id', () => {
  const renamed = (id: string, was: string): string => `${GOOD(id)}was: ${was}\n`;
  const warnings = ({ diagnostics }: RuleSet) =>
    diagnostics.map(({ file, line, column, severity, code, message }) => [`${file}:${line}:${column}`, severity, code, message]);

  test('has no warning if the id is free', () => {
    expect(warnings(setOf({ 'a.yaml': renamed('new', 'old'), 'b.yaml': GOOD('other') }))).toEqual([]);
  });

  test('has a warning if another rule has the id', () => {
    expect(warnings(setOf({ 'a.yaml': renamed('new', 'old'), 'b.yaml': GOOD('old') }))).toEqual([
      ['a.yaml:4:6', 'warning', 'wrong-previous-id', 'b.yaml is the rule old, so nothing is moved'],
    ]);
  });

  test('has a warning if another rule has the same previous id', () => {
    expect(warnings(setOf({ 'a.yaml': renamed('new', 'old'), 'b.yaml': renamed('newer', 'old') }))).toEqual([
      ['b.yaml:4:6', 'warning', 'wrong-previous-id', 'a.yaml already continues old'],
    ]);
  });

  test('has an error if the id is its own, or no id', () => {
    const errors = ['own', 'No Id'].map((was) =>
      setOf({ 'a.yaml': renamed('own', was) }).diagnostics.map(({ line, code }) => [line, code]),
    );

    expect(errors).toEqual([[[4, 'was-itself']], [[4, 'wrong-value']]]);
  });

  test('continues each instance with the same values', () => {
    const set = setOf({ 'a.yaml': `${renamed('new', 'old')}each: { on: [chess, go] }\n` });

    expect(set.rules.map(({ id, was }) => [id, was])).toEqual([
      ['new/chess', 'old/chess'],
      ['new/go', 'old/go'],
    ]);
  });
});

describe('two rules that copy posts', () => {
  const copy = (id: string, [from, to]: readonly [string, string], where = 'item.repostOf == ""'): string => `id: ${id}
when: { every: 5m, watch: social.getPosts, account: ${from}, with: { user: ada }, where: '${where}' }
then: [{ do: social.createPost, as: ${to}, with: { text: "\${{ item.text }}" } }]
`;
  const there = ['bluesky', 'mastodon'] as const;
  const back = ['mastodon', 'bluesky'] as const;
  const warnings = ({ diagnostics }: RuleSet) =>
    diagnostics.map(({ file, line, column, code, message }) => [`${file}:${line}:${column}`, code, message]);

  test('in both directions get a warning', () => {
    expect(warnings(setOf({ 'a.yaml': copy('a', there), 'b.yaml': copy('b', back) }))).toEqual([
      ['b.yaml:2:27', 'mutual-copies', 'a.yaml copies posts in the other direction: each rule can copy the posts of the other without end'],
    ]);
  });

  test('in one direction, or not those of the account, get none', () => {
    expect(warnings(setOf({ 'a.yaml': copy('a', there), 'b.yaml': copy('b', there) }))).toEqual([]);
    expect(warnings(setOf({ 'a.yaml': copy('a', there), 'b.yaml': copy('b', back, '!item.author.self') }))).toEqual([]);
  });

  test.each([
    ['item.author.handle == "ada"', 'item.author.handle == "ada"', 0],
    ['!item.text.contains("(copy)")', '!item.text.contains("(copy)")', 0],
    ['item.text.contains("#de")', 'item.text.contains("#en")', 0],
    ['item.text.contains("#de")', 'item.text.contains("#de")', 1],
    ['item.text.contains("#de")', 'true', 1],
  ])('whose conditions are %j and %j get %d', (one, other, count) => {
    expect(warnings(setOf({ 'a.yaml': copy('a', there, one), 'b.yaml': copy('b', back, other) }))).toHaveLength(count);
  });
});

test('two rules that copy messages of Discord in both directions get a warning', () => {
  const copy = (id: string, [from, to]: readonly [string, string], top = ''): string => `id: ${id}
when: { every: 5m, watch: discord.getMessages, with: { channel: "${from}" } }
${top}then: [{ do: discord.send, with: { channel: "${to}", content: "\${{ truncate(item.content, 500) }}" } }]
`;
  const warnings = ({ diagnostics }: RuleSet) =>
    diagnostics.map(({ file, line, column, code, message }) => [`${file}:${line}:${column}`, code, message]);

  expect(warnings(setOf({ 'a.yaml': copy('a', ['news', '#help']), 'b.yaml': copy('b', ['help', 'news']) }))).toEqual([
    [
      'b.yaml:2:27',
      'mutual-copies',
      'a.yaml copies messages in the other direction: each rule can copy the messages of the other without end',
    ],
  ]);
  expect(warnings(setOf({ 'a.yaml': copy('a', ['news', 'help']), 'b.yaml': copy('b', ['help', 'mods']) }))).toEqual([]);
  expect(
    warnings(setOf({ 'a.yaml': copy('a', ['news', 'help']), 'b.yaml': copy('b', ['help', 'news'], 'if: "!item.author.self"\n') })),
  ).toEqual([]);
});

describe('two rules that announce a stream', () => {
  const announce = (id: string, { users = '[ada]', when = '', top = '', channel = 'live' } = {}): string => `id: ${id}
when: { every: 1m, watch: streaming.getStreams, with: { users: ${users} }${when} }
${top}then: [{ do: discord.send, with: { channel: "${channel}", content: hi } }]
`;
  const warnings = (one: string, other: string) =>
    setOf({ 'a.yaml': one, 'b.yaml': other }).diagnostics.map(({ file, line, column, code, message }) => [
      `${file}:${line}:${column}`,
      code,
      message,
    ]);

  test('in the same channel get a warning', () => {
    expect(warnings(announce('a'), announce('b', { users: '[grace, "@Ada"]', channel: '#Live' }))).toEqual([
      ['b.yaml:2:55', 'repeated-announcement', 'a.yaml also announces ada in Live: each stream is announced twice'],
    ]);
  });

  test.each([
    ['in another channel', { channel: 'news' }],
    ['of other users', { users: '[grace]' }],
    ['with a condition on items', { when: ', where: item.viewerCount > 100' }],
    ['with a condition', { top: 'if: now.getMinutes() > 3\n' }],
    ['later', { when: ', settle: 30m' }],
    ['at the end', { when: ', changes: [left]' }],
    ['if one is off', { top: 'enabled: false\n' }],
    ['if one is for the sandbox', { top: 'enabled: sandbox\n' }],
    ['at other hours', { top: 'quiet: { from: "08:00", to: "22:00", timezone: Europe/Paris, then: drop }\n' }],
  ])('%s get none', (_, parts) => {
    expect(warnings(announce('a'), announce('b', parts))).toEqual([]);
  });
});
