import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refused } from '#src/errors.ts';
import { unknownRuleMessage } from '#src/rules/messages/unknown-rule.ts';
import type { Rule } from '#src/rules/rule.ts';

interface RulePathOptions {
  readonly rulesDirectory: string;
  /** All rules without errors. */
  readonly rules: () => Promise<readonly Rule[]>;
}

/** Replaces rule ids by the files of the rules. Existing files and folders stay unchanged. */
export async function rulePaths(names: readonly string[], { rulesDirectory, rules }: RulePathOptions): Promise<readonly string[]> {
  if (names.every((name) => existsSync(name))) return names;
  const known = existsSync(rulesDirectory) ? await rules() : [];
  return names.map((name) => {
    if (existsSync(name)) return name;
    const rule = known.find((one) => one.id === name || one.name === name);
    if (rule) return rule.file;
    // The file of a rule with errors usually has its id as its name.
    const file = join(rulesDirectory, `${name}.yaml`).replaceAll('\\', '/');
    if (existsSync(file)) return file;
    // A path: the message for missing files is clearer.
    if (/[./\\]/u.test(name)) return name;
    throw new Refused('ruleNotFound', unknownRuleMessage(name, [...new Set(known.map((one) => one.name))]));
  });
}
