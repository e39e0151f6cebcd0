import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { ruleSetOf } from '#src/rules/rule-set.ts';
import { createPublishedCheck, type PublishedCheckOptions } from './check-published.ts';
import type { ApprovedDraft, PublishedFile, RuleVersions } from './rule-versions.ts';

/** A rule that a member approved. */
export interface ApprovedRule {
  readonly rule: string;
  readonly source: string;
  readonly tests?: string | undefined;
  /** The name of the member. */
  readonly by: string;
  readonly draft?: ApprovedDraft | undefined;
}

export type ApprovalResult =
  | { readonly kind: 'published'; readonly file: string }
  /** The version in force has other content under this name. Nothing is published. */
  | { readonly kind: 'taken' }
  /** The rules would have these errors. Nothing is published. */
  | { readonly kind: 'errors'; readonly errors: readonly Diagnostic[] };

export interface ApprovalOptions extends PublishedCheckOptions {
  readonly versions: Pick<RuleVersions, 'inForce' | 'files' | 'publish'>;
  readonly nowMs: () => number;
}

/** Publishes an approved rule with the other rules in force. A repetition publishes nothing. Throws {@link DraftDecided}. */
export async function publishApproved(
  { rule, source, tests, by, draft }: ApprovedRule,
  { versions, nowMs, ...options }: ApprovalOptions,
): Promise<ApprovalResult> {
  const published = createPublishedCheck(options);
  const check: Check = async (files) => ruleSetOf(await published(files, nowMs()), options).diagnostics;
  const file = `${rule}.yaml`;
  const added: readonly PublishedFile[] = [
    { file, source, isApproved: true },
    ...(tests === undefined ? [] : [{ file: `${rule}.test.yaml`, source: tests, isApproved: true }]),
  ];
  for (;;) {
    const inForce = await versions.inForce();
    const before = (inForce && (await versions.files(inForce.number))) ?? [];
    const there = before.find((one) => one.file === file);
    if (there) return there.source === source ? { kind: 'published', file } : { kind: 'taken' };
    const files = [...before.filter((one) => !added.some((fresh) => fresh.file === one.file)), ...added];
    const errors = await newErrors(before, files, check);
    if (errors.length > 0) return { kind: 'errors', errors };
    const { kind } = await versions.publish({ files, by, approves: rule, after: inForce?.number ?? 0, draft });
    // Someone else published at the same time, so the rule is added to the other version.
    if (kind !== 'overtaken') return { kind: 'published', file };
  }
}

type Check = (files: readonly PublishedFile[]) => Promise<readonly Diagnostic[]>;

/** The errors that the rules in force do not have. An account may be missing on this machine only. */
async function newErrors(before: readonly PublishedFile[], after: readonly PublishedFile[], check: Check): Promise<readonly Diagnostic[]> {
  const known = new Set((await check(before)).map(keyOf));
  return (await check(after)).filter((one) => one.severity === 'error' && !known.has(keyOf(one)));
}

function keyOf({ file, line, column, code, message }: Diagnostic): string {
  return JSON.stringify([file, line, column, code, message]);
}
