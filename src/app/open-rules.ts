import { accountsOn } from '#src/config/accounts.ts';
import type { RuleFiles } from '#src/queries/rule-files.ts';
import { findFileError } from '#src/media/file-errors.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { IsOn } from '#src/rules/check/check-context.ts';
import { loadRules } from '#src/rules/load.ts';
import { offRules } from '#src/rules/messages/off-rules.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { ruleSchema } from '#src/rules/schema.ts';
import { accountsOf } from './accounts.ts';
import { catalogue } from '#src/catalogue.ts';
import { openConfig, readConfig, type ReadConfig } from '#src/config/open-config.ts';
import { rulePaths } from './rule-paths.ts';
import { hasStoredState, withStoredState } from './stored-state.ts';
import { isOn } from '#src/config/is-on.ts';
import { ruleFileOf } from '#src/rules/testing/test-files.ts';
import { orphansBelow, runTests } from '#src/simulation/test-files.ts';

/** The rule files of the installation that `environment` describes, for commands. */
export function openRules(environment: Readonly<Record<string, string | undefined>>): RuleFiles {
  return ruleFilesOf({ config: openConfig(environment), diagnostics: [], hasAllAccounts: true });
}

/** The same, if `fanfare.yaml` may have errors. They are among the diagnostics of the rules. */
export function openRulesAndConfig(environment: Readonly<Record<string, string | undefined>>): {
  readonly rules: RuleFiles;
  readonly isConfigValid: boolean;
} {
  const read = readConfig(environment);
  return { rules: ruleFilesOf(read), isConfigValid: read.diagnostics.length === 0 };
}

/** Diagnostics about accounts that `fanfare.yaml` may have. */
const ABOUT_ACCOUNTS: ReadonlySet<string> = new Set(['unknown-account', 'no-account', 'several-accounts', 'empty-own']);

function ruleFilesOf({ config, diagnostics: ofConfig, hasAllAccounts }: ReadConfig): RuleFiles {
  const accounts = accountsOf(config);

  /** The accounts with the stored limits of their servers. This sends no request. */
  async function accountsWithLimits(): Promise<Accounts> {
    if (!hasStoredState(config) || accountsOn('mastodon', config.accounts).length === 0) return accounts;
    return accountsOf(config, await withStoredState(config, ({ statedLimits }) => statedLimits.all()));
  }

  async function loadFrom(paths: readonly string[], isRuleOn: IsOn): ReturnType<RuleFiles['load']> {
    const chosen = paths.length > 0 ? paths : [config.rulesDirectory];
    const { rules, diagnostics, files } = await loadRules({
      paths: chosen,
      catalogue,
      accounts: await accountsWithLimits(),
      nowMs: Date.now(),
      isOn: isRuleOn,
      isPart: paths.length > 0,
      findFileError,
    });
    return { rules, diagnostics, files: files.length, off: offRules(rules, (rule) => isOn(rule, config)) };
  }
  const load: RuleFiles['load'] = (paths) => loadFrom(paths, (rule) => isOn(rule, config));

  const pathsOf = (names: readonly string[]): Promise<readonly string[]> =>
    rulePaths(names, { rulesDirectory: config.rulesDirectory, rules: async () => (await load([])).rules });

  return {
    async load(names) {
      const loaded = await load(await pathsOf(names));
      const ofRules = hasAllAccounts ? loaded.diagnostics : loaded.diagnostics.filter(({ code }) => !ABOUT_ACCOUNTS.has(code));
      return { ...loaded, diagnostics: [...ofConfig, ...ofRules] };
    },
    async runTests(names) {
      const paths = await pathsOf(names);
      const orphans = await orphansBelow(paths.length > 0 ? paths : [config.rulesDirectory]);
      const alone = new Set(orphans.map(({ file }) => file));
      const named = paths.filter((path) => !alone.has(path));
      if (paths.length > 0 && named.length === 0) return { diagnostics: orphans, untested: [], simulatedAccounts: [], cases: [] };
      // A rule that is off may name accounts that are not connected, and tests simulate all accounts.
      const { rules, diagnostics } = await loadFrom(named.map(ruleFileOf), () => false);
      // Without the limits of servers, so that tests have the same result on every machine.
      return runTests(rules, { diagnostics: [...diagnostics, ...orphans], accounts });
    },
    schema: () => ruleSchema(catalogue),
    formatDiagnostic,
  };
}
