import { catalogue } from '#src/clients/catalogue.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { CheckedFile } from '#src/rules/check/check-across-files.ts';
import { checkTexts, type KnownFiles } from '#src/rules/load.ts';
import type { Rule } from '#src/rules/rule.ts';
import { isTestFile } from '#src/engine/testing/test-files.ts';
import { publishedHash, type PublishedFile } from './rule-versions.ts';

export interface PublishedCheckOptions {
  readonly accounts: Accounts;
  readonly isOn: (rule: Pick<Rule, 'enabled'>) => boolean;
  readonly findFileError?: ((path: string) => Promise<string | undefined>) | undefined;
}

/** Checks the rule files among published files. */
export type PublishedCheck = (files: readonly PublishedFile[], nowMs: number) => Promise<readonly CheckedFile[]>;

/** Creates a check of published files. It checks unchanged files once. */
export function createPublishedCheck(options: PublishedCheckOptions): PublishedCheck {
  const known: KnownFiles = { checked: new Map(), versions: new Map() };
  return (files, nowMs) => {
    const rules = files.filter(({ file }) => !isTestFile(file));
    const texts = rules.map(({ file, source }) => ({ file, source, published: publishedHash(source) }));
    return checkTexts(texts, { ...options, catalogue, known, nowMs });
  };
}
