import { mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { DraftedRule, DraftRefusal } from '#src/clients/assistant/drafts.ts';
import { codeOf, ConfigError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { publishApproved, type ApprovalOptions } from '#src/engine/rule-sets/approve-rule.ts';
import type { ApprovedDraft, RuleVersions } from '#src/engine/rule-sets/rule-versions.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { isDraftedName } from '#src/rules/file-names.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';
import { readRegularFile, type FileContent } from '#src/rules/regular-file.ts';
import { writeAllNew, type NewFile } from '#src/admin/scaffold/write-new.ts';

/** The place of rules that members approve. */
export interface ApprovedRules {
  /** Whether a rule has this id, or its file exists with other content than this source. */
  isTaken(id: string, source: string): Promise<boolean>;
  /** Stores a rule and its tests, so that it runs. Existing files stay unchanged. Throws {@link DraftDecided} if another process decided about the draft. */
  add(rule: DraftedRule, by: string, draft: ApprovedDraft): Promise<{ readonly where: string } | { readonly why: DraftRefusal }>;
}

/** The rules that this process has loaded. */
interface LoadedRules {
  readonly now: Pick<RuleSet, 'rules'>;
}

interface FolderOptions {
  readonly folder: string;
  readonly registry: LoadedRules;
  readonly log: Log;
}

/** Approved rules in the rules folder. */
export function rulesInFolder({ folder, registry, log }: FolderOptions): ApprovedRules {
  const fileOf = (rule: string, ending: string): string => join(folder, `${rule}${ending}`).replaceAll('\\', '/');

  async function write({ rule, source, tests }: DraftedRule): Promise<void> {
    await mkdir(folder, { recursive: true });
    // The tests come first, because the rule runs as soon as its file exists.
    const files = [
      ...(tests === undefined ? [] : [{ file: fileOf(rule, '.test.yaml'), text: tests }]),
      { file: fileOf(rule, '.yaml'), text: source },
    ];
    const isThere = await Promise.all(files.map(isWritten));
    await writeAllNew(files.filter((_, index) => !isThere[index]));
  }

  return {
    async isTaken(id, source) {
      const file = fileOf(id, '.yaml');
      const there = await readRegularFile(file, { mostBytes: source.length * 4 }).catch(unlessMissing);
      if (there && !('bytes' in there && Buffer.from(there.bytes).toString() === source)) return true;
      return registry.now.rules.some((rule) => rule.name === id && resolve(rule.file) !== resolve(file));
    },

    async add(rule) {
      requireId(rule);
      try {
        await write(rule);
        return { where: fileOf(rule.rule, '.yaml') };
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        log.warn({ rule: rule.rule, file: error.file, reason: error.message, code: error.hint }, 'a drafted rule could not be stored');
        return { why: { kind: 'unwritten', file: basename(error.file) } };
      }
    },
  };
}

/** Approved rules in the published version of the rules. */
export function rulesInVersions({
  registry,
  versions,
  ...options
}: ApprovalOptions & { readonly registry: LoadedRules; readonly versions: RuleVersions }): ApprovedRules {
  return {
    async isTaken(id, source) {
      const file = `${id}.yaml`;
      const inForce = await versions.inForce();
      const there = inForce && (await versions.text(inForce.number, file));
      if (there !== undefined) return there !== source;
      return registry.now.rules.some((rule) => rule.name === id && rule.file !== file);
    },

    async add(rule, by, draft) {
      requireId(rule);
      const { rule: id, source, tests } = rule;
      const result = await publishApproved({ rule: id, source, tests, by, draft }, { versions, ...options });
      if (result.kind === 'published') return { where: result.file };
      if (result.kind === 'taken') return { why: { kind: 'taken', rule: id } };
      return { why: { kind: 'check', lines: result.errors.map((error) => formatDiagnostic(error, { color: false })).join('\n') } };
    },
  };
}

/** The id becomes a path, so this function does not rely on the earlier check of the rule. */
function requireId({ rule }: DraftedRule): void {
  if (!isDraftedName(`${rule}.yaml`)) throw new Error('the id of the rule is invalid');
}

/** Whether an earlier attempt wrote the same content. */
async function isWritten({ file, text }: NewFile): Promise<boolean> {
  const there = await readRegularFile(file, { mostBytes: text.length * 4 }).catch(() => undefined);
  return there !== undefined && 'bytes' in there && Buffer.from(there.bytes).toString() === text;
}

function unlessMissing(error: unknown): FileContent | undefined {
  return codeOf(error) === 'ENOENT' ? undefined : { unreadable: String(error) };
}
