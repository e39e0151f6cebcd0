import { accountsOn } from '#src/config/accounts.ts';
import type { RuleShelf } from '#src/cli/rule-shelf.ts';
import { troubleWithFile } from '#src/media/trouble-with-file.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { loadRules } from '#src/rules/load.ts';
import { printProblem } from '#src/rules/print-problem.ts';
import { ruleSchema } from '#src/rules/schema.ts';
import { accountsOf } from './accounts.ts';
import { catalogue } from './catalogue.ts';
import { openConfig } from './configuration/open-config.ts';
import { hasKeptState, withKeptState } from './explain/kept-state.ts';
import { isOn } from './is-on.ts';
import { orphansBelow, ruleFileOf, runTests } from './run-tests.ts';

/** The rules of the installation that `environment` describes, as the commands look at them. */
export function openRules(environment: Readonly<Record<string, string | undefined>>): RuleShelf {
  const config = openConfig(environment);
  const accounts = accountsOf(config);

  /** With what servers stated when they were asked last: nothing is asked here. */
  async function accountsAsKnown(): Promise<Accounts> {
    if (!hasKeptState(config) || accountsOn('mastodon', config.accounts).length === 0) return accounts;
    return accountsOf(config, await withKeptState(config, ({ statedLimits }) => statedLimits.all()));
  }

  const load: RuleShelf['load'] = async (paths) => {
    const chosen = paths.length > 0 ? paths : [config.rulesDirectory];
    const { rules, problems, files } = await loadRules({
      paths: chosen,
      catalogue,
      accounts: await accountsAsKnown(),
      nowMs: Date.now(),
      isOn: (rule) => isOn(rule, config),
      isPart: paths.length > 0,
      troubleWith: troubleWithFile,
    });
    return { rules, problems, files: files.length };
  };

  return {
    load,
    async runTests(paths) {
      const orphans = await orphansBelow(paths.length > 0 ? paths : [config.rulesDirectory]);
      const alone = new Set(orphans.map(({ file }) => file));
      const named = paths.filter((path) => !alone.has(path));
      if (paths.length > 0 && named.length === 0) return { problems: orphans, untested: [], cases: [] };
      const { rules, problems } = await load(named.map(ruleFileOf));
      // The same on every machine, whatever its servers stated.
      return runTests(rules, { problems: [...problems, ...orphans], accounts });
    },
    schema: () => ruleSchema(catalogue),
    printProblem,
  };
}
