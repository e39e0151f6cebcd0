import { ConfigError } from '#src/errors.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';
import { isTestFile, testFileOf } from '#src/engine/testing/test-files.ts';
import { nameDiagnostics } from '#src/rules/file-names.ts';
import { lacking, type CheckedFolder } from './check-folder.ts';
import type { PlanLine } from './plan-lines.ts';
import type { PublicationResult, PublishedFile, RuleVersion, RuleVersions } from './rule-versions.ts';

/** A comparison of files with the version in force. */
export interface PublicationPlan {
  readonly files: readonly PublishedFile[];
  /** The effects of the publication. */
  readonly lines: readonly PlanLine[];
  /** The version in force; undefined before the first publication. */
  readonly inForce?: RuleVersion | undefined;
  /** The earlier version that the files are from. */
  readonly repeats?: number | undefined;
}

export interface FolderPlan extends PublicationPlan {
  readonly diagnostics: readonly Diagnostic[];
  /** The approved rule files that the folder lacks. The plan keeps them. */
  readonly kept: readonly string[];
  /** The number of errors. With errors, the plan has no lines and cannot be published. */
  readonly errors: number;
}

/** Publishes rules for all processes. */
export interface RulePublisher {
  /** Checks the rules folder and compares it with the version in force. */
  planPush(): Promise<FolderPlan>;
  /** Checks files that a person sends, and compares them with the version in force. */
  planFiles(files: readonly PublishedFile[]): Promise<FolderPlan>;
  /** Compares the version in force with the same version without a rule that a member approved in Discord. */
  planDeletion(rule: string): Promise<PublicationPlan>;
  /** The approved files of the version in force. */
  approved(): Promise<readonly PublishedFile[]>;
  /** Compares a stored version with the version in force. Without a number, takes the version before. */
  planRollback(number?: number): Promise<PublicationPlan>;
  publish(plan: PublicationPlan, publication: { readonly by: string; readonly note?: string | undefined }): Promise<PublicationResult>;
  /** All stored versions, newest first. */
  list(): Promise<readonly RuleVersion[]>;
}

/** A publisher that can also write into the rules folder. */
export interface FolderRulePublisher extends RulePublisher {
  /** Writes the approved rules that the rules folder lacks. Resolves with their files. */
  pull(): Promise<readonly string[]>;
}

export interface RulePublisherOptions {
  readonly versions: RuleVersions;
  readonly checkFolder: (approved: readonly PublishedFile[]) => Promise<CheckedFolder>;
  readonly ruleSetOf: (files: readonly PublishedFile[]) => Promise<RuleSet>;
  /** Describes the difference between two rule sets. */
  readonly describe: (before: RuleSet, after: RuleSet) => Promise<readonly PlanLine[]>;
}

export function createRulePublisher({ versions, checkFolder, ruleSetOf, describe }: RulePublisherOptions): RulePublisher {
  async function setInForce(inForce: RuleVersion | undefined): Promise<RuleSet> {
    return ruleSetOf((inForce && (await versions.files(inForce.number))) ?? []);
  }

  return {
    async planPush() {
      const inForce = await versions.inForce();
      const approved = inForce ? await versions.approved(inForce.number) : [];
      const { files, set, diagnostics, errors } = await checkFolder(approved);
      const lines = errors > 0 ? [] : await describe(await setInForce(inForce), set);
      const kept = files.filter(({ file, isApproved = false }) => isApproved && !isTestFile(file)).map(({ file }) => file);
      return { files, lines, inForce, diagnostics, kept, errors };
    },

    async planFiles(sent) {
      const inForce = await versions.inForce();
      const approved = inForce ? await versions.approved(inForce.number) : [];
      const { inForce: rules } = await ruleSetOf(sent);
      const missing = lacking(approved, { files: new Set(sent.map(({ file }) => file)), rules: new Set(rules.keys()) });
      const files = [...sent, ...missing];
      const set = await ruleSetOf(files);
      const diagnostics = [...set.diagnostics, ...sent.filter(({ file }) => isTestFile(file)).flatMap(({ file }) => nameDiagnostics(file))];
      const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
      const kept = missing.filter(({ file }) => !isTestFile(file)).map(({ file }) => file);
      return { files, lines: errors > 0 ? [] : await describe(await setInForce(inForce), set), inForce, diagnostics, kept, errors };
    },

    async planDeletion(rule) {
      const inForce = await versions.inForce();
      const files = (inForce && (await versions.files(inForce.number))) ?? [];
      const before = await ruleSetOf(files);
      const found = files.find(({ file }) => file === before.inForce.get(rule)?.file);
      if (!found?.isApproved) throw notApproved(rule, found?.file, files);
      const without = files.filter(({ file }) => file !== found.file && file !== testFileOf(found.file));
      return { files: without, lines: await describe(before, await ruleSetOf(without)), inForce };
    },

    async approved() {
      const inForce = await versions.inForce();
      return inForce ? versions.approved(inForce.number) : [];
    },

    async planRollback(number) {
      const all = await versions.list();
      const [inForce] = all;
      const repeats = number ?? (inForce && versionBefore(inForce, all));
      if (!inForce || repeats === undefined) throw noVersion('there is no version before the version in force');
      const files = await versions.files(repeats);
      if (!files) throw noVersion(`there is no version ${repeats}`);
      return { files, lines: await describe(await setInForce(inForce), await ruleSetOf(files)), inForce, repeats };
    },

    publish: ({ files, inForce, repeats }, publication) =>
      versions.publish({ files, repeats, after: inForce?.number ?? 0, ...publication }),

    list: () => versions.list(),
  };
}

/** The newest version before the one in force. A second rollback goes one version further back. */
function versionBefore({ number, repeats = number }: RuleVersion, all: readonly RuleVersion[]): number | undefined {
  return all.find((one) => one.number < repeats)?.number;
}

function notApproved(rule: string, file: string | undefined, files: readonly PublishedFile[]): ConfigError {
  const approved = files.filter((one) => one.isApproved && !isTestFile(one.file)).map((one) => one.file.replace(/\.ya?ml$/u, ''));
  if (file !== undefined)
    return new ConfigError(`${rule} is not a rule that a member approved in Discord`, {
      file,
      hint: 'delete the file from the rules folder and publish the folder',
    });
  return new ConfigError(`no rule ${rule} is in force`, {
    file: 'fanfare rules',
    hint: approved.length === 0 ? 'no approved rules are in force' : `approved in Discord: ${approved.join(', ')}`,
  });
}

function noVersion(message: string): ConfigError {
  return new ConfigError(message, { file: 'fanfare rules', hint: 'list the stored versions: npx fanfare rules versions' });
}
