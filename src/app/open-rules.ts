import { existsSync } from 'node:fs';
import { conflicts } from '#src/admin/lists/list-source.ts';
import { knownLists } from '#src/admin/lists/known-lists.ts';
import { definitionOf } from '#src/config/accounts.ts';
import { openListFolder } from '#src/engine/lists/list-folder.ts';
import type { RuleFiles } from '#src/engine/simulation/rule-files.ts';
import { findFileError } from '#src/http/media/file-errors.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { IsOn } from '#src/rules/check/check-context.ts';
import type { ListShapes } from '#src/rules/expression/list-shapes.ts';
import { listSchema } from '#src/rules/list-schema.ts';
import { loadRules, type Loaded, type LoadOptions } from '#src/rules/load.ts';
import { offRules } from '#src/rules/messages/off-rules.ts';
import { formatDiagnostic, type Diagnostic } from '#src/rules/diagnostic.ts';
import { ruleSchema } from '#src/rules/editor-schema.ts';
import { shippedRules, sourceNames } from './open-lists.ts';
import { accountsOf } from './accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { listsFolderOf, openConfig, readConfig, type ReadConfig } from '#src/config/open-config.ts';
import { rulePaths } from './rule-paths.ts';
import { isStateReadable, isStateSkipped, withStoredState } from './stored-state.ts';
import { isOnIn } from '#src/config/is-on.ts';
import { readTestFile, ruleFileOf } from '#src/engine/testing/test-files.ts';
import { orphansBelow, runTests } from '#src/engine/simulation/test-files.ts';

/** The rule files of the installation that `environment` describes, for commands. */
export function openRules(
  environment: Readonly<Record<string, string | undefined>>,
  options: { readonly isTesting?: boolean } = {},
): RuleFiles {
  return ruleFilesOf({ config: openConfig(environment, options), diagnostics: [], hasAllAccounts: true });
}

/** The same, if `fanfare.yaml` may have errors. They are among the diagnostics of the rules. */
export function openRulesAndConfig(environment: Readonly<Record<string, string | undefined>>): {
  readonly rules: RuleFiles;
  readonly isConfigValid: boolean;
} {
  const read = readConfig(environment);
  return { rules: ruleFilesOf(read), isConfigValid: read.diagnostics.length === 0 };
}

function isUnknownList({ code, message }: Diagnostic): boolean {
  return code === 'unknown-list' || (code === 'expression' && message.startsWith('unknown list '));
}

/** The rule file of a test file. A path that does not exist stays the same, because its error names it. */
function ruleFileFor(path: string): string {
  return existsSync(path) ? ruleFileOf(path) : path;
}

/** Diagnostics about accounts that `fanfare.yaml` may have. */
const ABOUT_ACCOUNTS: ReadonlySet<string> = new Set(['unknown-account', 'no-account', 'several-accounts', 'empty-own']);

function ruleFilesOf({ config, diagnostics: ofConfig, hasAllAccounts }: ReadConfig): RuleFiles {
  const accounts = accountsOf(config);

  /** The accounts with the stored limits of their servers. This sends no request. */
  async function accountsWithLimits(): Promise<Accounts> {
    const isStated = config.accounts.some((account) => definitionOf(account).textLimit?.varies);
    if (!isStated || !(await isStateReadable(config))) return accounts;
    return accountsOf(config, await withStoredState(config, ({ statedLimits }) => statedLimits.all()));
  }

  const listFolder = openListFolder(listsFolderOf(config.rulesDirectory), sourceNames(config));

  /** The living lists are read only if a rule names a list that no file has, because a check needs no database. */
  async function withLists(loadWith: (lists: ListShapes) => Promise<Loaded>): Promise<Loaded> {
    const files = await listFolder.read();
    const loaded = await loadWith(knownLists(files, []));
    if (!loaded.diagnostics.some(isUnknownList)) return loaded;
    // The unknown lists may be in the state that is not read.
    if (await isStateSkipped(config)) return { ...loaded, diagnostics: loaded.diagnostics.filter((found) => !isUnknownList(found)) };
    if (!(await isStateReadable(config))) return loaded;
    const living = await withStoredState(config, async ({ lists }) => (await lists.read()).lists.map(({ list }) => list));
    return loadWith(knownLists(files, living));
  }

  /** The diagnostics of all list files. A check needs no database, so lists of the same name are only looked for in a state file. */
  async function listDiagnostics(): Promise<readonly Diagnostic[]> {
    const files = await listFolder.read();
    if (files.lists.size === 0 || config.databaseUrl !== undefined || !(await isStateReadable(config))) return files.diagnostics;
    const { lists: living } = await withStoredState(config, ({ lists }) => lists.read());
    return [...files.diagnostics, ...conflicts(files, living)];
  }

  async function loadFrom(paths: readonly string[], isRuleOn: IsOn): ReturnType<RuleFiles['load']> {
    const chosen = paths.length > 0 ? paths : [config.rulesDirectory];
    const options: Omit<LoadOptions, 'lists'> = {
      paths: chosen,
      catalogue,
      accounts: await accountsWithLimits(),
      nowMs: Date.now(),
      isOn: isRuleOn,
      isPart: paths.length > 0,
      shipped: paths.length > 0 ? undefined : await shippedRules(config),
      findFileError,
    };
    const { rules, diagnostics, files } = await withLists((lists) => loadRules({ ...options, lists }));
    return { rules, diagnostics, files: files.length, off: offRules(rules, isOnIn(config)) };
  }
  const load: RuleFiles['load'] = (paths) => loadFrom(paths, isOnIn(config));

  const pathsOf = (names: readonly string[]): Promise<readonly string[]> =>
    rulePaths(names, { rulesDirectory: config.rulesDirectory, rules: async () => (await load([])).rules });

  return {
    folder: config.rulesDirectory,
    async load(names) {
      // A pattern of a shell, for example rules/*.yaml, also names the test files.
      const loaded = await load([...new Set((await pathsOf(names)).map(ruleFileFor))]);
      const ofLists = names.length === 0 ? await listDiagnostics() : [];
      const found = [...ofLists, ...loaded.diagnostics];
      const shown = hasAllAccounts ? found : found.filter(({ code }) => !ABOUT_ACCOUNTS.has(code));
      return { ...loaded, diagnostics: [...ofConfig, ...shown] };
    },
    async runTests(names) {
      const paths = await pathsOf(names);
      const within = paths.length > 0 ? paths : [config.rulesDirectory];
      const orphans = await orphansBelow(within);
      const alone = new Set(orphans.map(({ file }) => file));
      const named = paths.filter((path) => !alone.has(path));
      if (paths.length > 0 && named.length === 0) return { diagnostics: orphans, untested: [], simulatedAccounts: [], cases: [] };
      // A rule that is off may name accounts that are not connected, and tests simulate all accounts.
      const { rules, diagnostics } = await loadFrom(named.map(ruleFileFor), () => false);
      // Without the limits of servers, so that tests have the same result on every machine.
      return runTests(rules, { diagnostics: [...diagnostics, ...orphans], accounts, read: (file) => readTestFile(file, within) });
    },
    schema: () => ruleSchema(catalogue),
    listSchema: () => listSchema(catalogue),
    formatDiagnostic,
  };
}
