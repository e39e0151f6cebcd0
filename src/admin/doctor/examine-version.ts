import type { RulesVersion } from '#src/admin/queries/records.ts';
import type { CheckResult } from './check-result.ts';

/** The check of the published rules of several processes. */
export function examineVersion(version: RulesVersion | undefined): CheckResult {
  const about = 'published rules';
  if (!version)
    return {
      about,
      state: 'warning',
      what: 'none',
      remedy: 'publish the rules folder: npx fanfare rules push',
      reason: { kind: 'nonePublished' },
    };
  const { number, publishedAt, by } = version;
  const reason = { kind: 'published', number, publishedAtMs: publishedAt.getTime(), by } as const;
  return { about, state: 'good', what: `version ${number}, published ${publishedAt.toISOString()} by ${by}`, reason };
}
