import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckedFile } from '#src/rules/check/across-files.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { ruleSetOf, type RuleSet } from '#src/rules/rule-set.ts';
import { accounts, catalogue } from '../support/rule-language.ts';

const GOOD = (id: string, text = 'hello'): string => `id: ${id}
when: { cron: "0 18 * * *" }
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

function refused({ problems }: RuleSet): readonly string[] {
  return problems.filter(({ severity }) => severity === 'error').map(({ file, path }) => `${file} ${path}`);
}

describe('what is in force of rule files', () => {
  test('is all that can run, in the order of the files', () => {
    expect(running(setOf({ 'a.yaml': GOOD('two'), 'b.yaml': GOOD('one'), 'c.yaml': BROKEN('three') }))).toEqual([
      'two in a.yaml: hello',
      'one in b.yaml: hello',
    ]);
  });

  test('is what a file was before it became invalid', () => {
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

  test('is nothing of a file that is gone', () => {
    expect(running(setOf({}, setOf({ 'a.yaml': GOOD('one') })))).toEqual([]);
  });

  test('of two files with one id is the one that was there', () => {
    const after = setOf({ 'a.yaml': GOOD('one', 'bye'), 'b.yaml': GOOD('one') }, setOf({ 'b.yaml': GOOD('one') }));

    expect(running(after)).toEqual(['one in b.yaml: hello']);
    expect(refused(after)).toEqual(['a.yaml id']);
  });

  test('of two files with one id is the one that was there also while it is invalid', () => {
    const after = setOf({ 'a.yaml': GOOD('one', 'bye'), 'b.yaml': BROKEN('one') }, setOf({ 'b.yaml': GOOD('one') }));

    expect(running(after)).toEqual(['one in b.yaml: hello']);
  });

  test('a file that takes the id of another is refused, and its own rule goes on as before', () => {
    const before = setOf({ 'a.yaml': GOOD('one'), 'b.yaml': GOOD('two') });

    const after = setOf({ 'a.yaml': GOOD('one'), 'b.yaml': GOOD('one', 'bye') }, before);

    expect(running(after)).toEqual(['one in a.yaml: hello', 'two in b.yaml: hello']);
    expect(refused(after)).toEqual(['b.yaml id']);
    expect([...after.asBefore]).toEqual(['b.yaml']);
  });

  test('a file that was moved takes its rule along, also where it was broken on the way', () => {
    const before = setOf({ 'a.yaml': GOOD('one'), 'b.yaml': GOOD('two') });

    expect(running(setOf({ 'c.yaml': GOOD('one'), 'd.yaml': BROKEN('two') }, before))).toEqual([
      'one in c.yaml: hello',
      'two in d.yaml: hello',
    ]);
  });

  test('two files may change names', () => {
    const before = setOf({ 'a.yaml': GOOD('one'), 'b.yaml': GOOD('two', 'bye') });

    const after = setOf({ 'a.yaml': GOOD('two', 'bye'), 'b.yaml': GOOD('one') }, before);

    expect(running(after)).toEqual(['two in a.yaml: bye', 'one in b.yaml: hello']);
    expect(refused(after)).toEqual([]);
  });
});

test('whatever becomes of the files, no rule runs twice, and none that ran is lost but by being deleted or renamed', () => {
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
  );
});
