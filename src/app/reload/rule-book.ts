import type { Config } from '#src/config/config.ts';
import { troubleWithFile } from '#src/media/trouble-with-file.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { CheckedFile } from '#src/rules/check/across-files.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { checkFiles, type LoadOptions } from '#src/rules/load.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { RuleSource } from '#src/rules/rule-sources.ts';
import { ruleSetOf, type RuleSet } from '#src/rules/rule-set.ts';
import { accountsOf } from '../accounts.ts';
import { catalogue } from '../catalogue.ts';
import { isOn } from '../is-on.ts';

export interface RuleBookOptions {
  readonly config: Config;
  /** What was in force last, by file. */
  readonly stored: ReadonlyMap<string, RuleSource>;
  /** Those that rules may name; otherwise those of the configuration. */
  readonly accounts?: Accounts | undefined;
  readonly nowMs: () => number;
}

/** The rules as they are at the moment; whoever shows them asks each time. */
export interface RuleBook {
  readonly now: RuleSet;
  /** What was in force before the program began. */
  readonly stored: RuleSet;
  /** Its texts, by file. */
  readonly storedSources: ReadonlyMap<string, string>;
  /** Those of the rules in force that are on. */
  readonly running: readonly Rule[];
  readonly isOn: (rule: Rule) => boolean;
  /** What the files stand for at this moment; what did not change is not checked again. */
  read(): Promise<RuleSet>;
  turnTo(next: RuleSet): void;
}

/** The rules in the folder of the installation; what cannot be used is as it was stored. */
export async function openRuleBook({ config, stored, accounts = accountsOf(config), nowMs }: RuleBookOptions): Promise<RuleBook> {
  const isRunning = (rule: Pick<Rule, 'enabled'>): boolean => isOn(rule, config);
  const options: Omit<LoadOptions, 'known'> = {
    paths: [config.rulesDirectory],
    catalogue,
    accounts,
    isOn: isRunning,
    troubleWith: troubleWithFile,
  };
  let known: ReadonlyMap<string, CheckedFile> = new Map();

  async function look(): Promise<readonly CheckedFile[]> {
    const files = await checkFiles({ ...options, known, nowMs: nowMs() });
    known = new Map(files.map((file) => [file.file, file]));
    return files;
  }

  const files = await look();
  const before = [...stored.values()].map(({ file, source }): CheckedFile => {
    const same = known.get(file);
    return same?.source === source ? same : { ...checkRule({ file, source, ...options, nowMs: nowMs() }), file, source };
  });
  const storedSet = ruleSetOf(before, options);
  let now = ruleSetOf(files, { ...options, before: storedSet.inForce });
  let running = now.rules.filter(isRunning);

  return {
    stored: storedSet,
    storedSources: new Map(before.map(({ file, source }) => [file, source])),
    isOn: isRunning,
    read: async () => ruleSetOf(await look(), { ...options, before: now.inForce }),
    turnTo(next) {
      now = next;
      running = next.rules.filter(isRunning);
    },
    get now() {
      return now;
    },
    get running() {
      return running;
    },
  };
}
