import { findFileError } from '#src/http/media/file-errors.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Accounts } from '#src/rules/accounts.ts';
import type { CheckedFile } from '#src/rules/check/check-across-files.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { dependsOnLists, type ListShapes } from '#src/rules/expression/list-shapes.ts';
import { checkFiles, checkTexts, type KnownFiles, type LoadOptions } from '#src/rules/load.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { RuleSource } from '#src/rules/rule-sources.ts';
import { ruleSetOf, type RuleSet } from '#src/rules/rule-set.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import type { RuleVersion, RuleVersions } from './rule-versions.ts';
import { shippedFiles } from './shipped-rules.ts';
import { createVersionReader } from './version-reader.ts';

export interface RuleRegistryOptions {
  /** The folder of the rule files. */
  readonly folder: string;
  /** The published versions, which replace the folder; absent if one process uses the store. */
  readonly versions?: Pick<RuleVersions, 'inForce' | 'files'> | undefined;
  /** The accounts that rules can name. */
  readonly accounts: Accounts;
  /** The lists that rules can name. Absent: each list that a rule names exists. */
  readonly lists?: (() => Promise<ListShapes>) | undefined;
  /** The names of the lists that exist, which decide about the rules of the program; absent: there are none. */
  readonly listNames?: (() => Promise<readonly string[]>) | undefined;
  /** Whether a rule runs with the configured accounts. */
  readonly isOn: (rule: Pick<Rule, 'enabled'>) => boolean;
  /** The sources that were active in the last run, by file. */
  readonly stored: ReadonlyMap<string, RuleSource>;
  readonly nowMs: () => number;
}

/** The loaded rules. Read `now` and `running` at each use, because a reload replaces them. */
export interface RuleRegistry {
  readonly now: RuleSet;
  /** The published version of `now`; absent if the rules come from a folder, or nothing is published. */
  readonly version?: RuleVersion | undefined;
  /** The rules of the last run. */
  readonly stored: RuleSet;
  /** The sources of the last run, by file. */
  readonly storedSources: ReadonlyMap<string, string>;
  /** The loaded rules that are on. */
  readonly running: readonly Rule[];
  readonly isOn: (rule: Rule) => boolean;
  /** Reads the files. Unchanged files are not checked again. Resolves with `now` if no file changed. */
  read(): Promise<RuleSet>;
  activate(next: RuleSet): void;
}

function forgetFile({ checked, versions }: KnownFiles, file: string): void {
  checked.delete(file);
  versions.delete(file);
}

/** Finds a loaded rule by its id, and whether it is on. */
export function findIn(registry: Pick<RuleRegistry, 'now' | 'isOn'>) {
  return (id: string): { readonly rule: Rule; readonly isOn: boolean } | undefined => {
    const rule = registry.now.rules.find((one) => one.id === id);
    return rule && { rule, isOn: registry.isOn(rule) };
  };
}

/**
 * Opens the rules in a folder, where a file with errors is replaced by its stored version, or the published rules. A published file with
 * errors, for example because an account is missing here, does not run: its last version is no longer in force.
 */
export async function openRuleRegistry({
  folder,
  versions,
  accounts,
  lists,
  listNames,
  isOn,
  stored,
  nowMs,
}: RuleRegistryOptions): Promise<RuleRegistry> {
  const options: Omit<LoadOptions, 'known'> = {
    paths: [folder],
    catalogue,
    accounts,
    isOn,
    findFileError,
  };
  const known: KnownFiles = { checked: new Map(), versions: new Map() };
  const published = versions && createVersionReader(versions);

  let shapes = await lists?.();

  /** Forgets the results of rules that read lists, if a list has other fields now. */
  async function readLists(): Promise<void> {
    const next = await lists?.();
    if (isDeepStrictEqual(next, shapes)) return;
    shapes = next;
    for (const [file, { source }] of known.checked) if (dependsOnLists(source)) forgetFile(known, file);
  }

  /** The lists that exist. A read that fails changes no rule. */
  let names: readonly string[] = [];

  async function checkAll(): Promise<readonly CheckedFile[]> {
    await readLists();
    const at = { ...options, lists: shapes, known, nowMs: nowMs() };
    const found = published ? await checkTexts(await published.read(), at) : await checkFiles(at);
    names = (await listNames?.().catch(() => undefined)) ?? names;
    return [...found, ...shippedFiles(found, { ...options, names })];
  }

  function activeSet(found: readonly CheckedFile[], before: RuleSet['inForce']): RuleSet {
    return ruleSetOf(found, published ? options : { ...options, before });
  }

  let files = await checkAll();
  const before = [...stored.values()].map(({ file, source }): CheckedFile => {
    const same = known.checked.get(file);
    return same?.source === source ? same : { ...checkRule({ file, source, ...options, lists: shapes, nowMs: nowMs() }), file, source };
  });
  const storedSet = ruleSetOf(before, options);
  /** Whether `now` is the set of the last read. */
  let isActive = true;
  let now = activeSet(files, storedSet.inForce);
  let version = published?.version();
  let running = now.rules.filter(isOn);

  return {
    stored: storedSet,
    storedSources: new Map(before.map(({ file, source }) => [file, source])),
    isOn,
    async read() {
      const found = await checkAll();
      if (isActive && found.length === files.length && found.every((file, index) => file === files[index])) {
        // A version may have other tests only.
        version = published?.version();
        return now;
      }
      files = found;
      isActive = false;
      return activeSet(found, now.inForce);
    },
    activate(next) {
      isActive = true;
      now = next;
      version = published?.version();
      running = next.rules.filter(isOn);
    },
    get now() {
      return now;
    },
    get version() {
      return version;
    },
    get running() {
      return running;
    },
  };
}
