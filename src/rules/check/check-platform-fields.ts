import { editSteps } from '#src/clients/operation/closest-name.ts';
import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import type { Path } from '#src/rules/document/report.ts';
import { PEOPLE_WATCH } from '#src/rules/grammar/when-file.ts';
import { entryNames } from '#src/rules/people/index-people.ts';
import type { CheckContext } from './check-context.ts';
import type { SourceNames } from './check-source.ts';
import { userIssue } from './check-names.ts';
import { accountPlatforms, clientOf } from './choose-accounts.ts';

type EntryContext = Pick<CheckContext, 'document' | 'report'> & SourceNames;

interface PlatformFieldsOptions {
  /** The path of the entries in the file. */
  readonly base: Path;
  /** Whether a source gives the people names, so that no id of an entry stands for one. */
  readonly isSourced: boolean;
}

/**
 * Warns of names that no user can have, and of misspelled platforms in entries. A rule with `people` ignores such a field. On its first platform, the
 * rule polls the id of the entry instead, which can be the name of a stranger.
 */
export function checkPlatformFields(
  entries: ReadonlyMap<string, JsonObject>,
  { base, isSourced }: PlatformFieldsOptions,
  { document, report, ...names }: EntryContext,
): void {
  if (!names.accounts[clientOf(PEOPLE_WATCH)]?.all.length) return;
  const context = { document, report, ...names, isOff: false };
  const platforms = accountPlatforms({ verb: PEOPLE_WATCH, path: base, named: undefined }, context);
  const known = new Set([...Object.keys(platforms), ...Object.values(platforms)]);

  function warnIn(fields: JsonObject, path: Path, readsAs: (platform: string) => string | undefined): void {
    for (const [field, value] of Object.entries(fields)) {
      if (known.has(field) || (typeof value !== 'string' && typeof value !== 'number')) continue;
      const meant = [...known].find((platform) => !Object.hasOwn(fields, platform) && isMisspelled(field, platform));
      if (meant === undefined) continue;
      const name = readsAs(meant);
      const instead =
        name === undefined ? `does not poll this entry on ${meant}` : `polls ${name} on ${meant}, which is the id of the entry`;
      const message = `${field} is not a platform: a rule with people ${instead}`;
      report.warning(document.keyLocation(path, field), 'misspelled-platform', message, `did you mean ${meant}?`);
    }
  }

  // The ids of other lists are names of games or of texts.
  const hasNames = [...entries.values()].some((fields) => Object.keys(fields).some((field) => known.has(field)));
  for (const [id, fields] of entries) {
    const read = isSourced ? {} : entryNames({ id, fields }, platforms);
    warnIn(fields, [...base, id], (platform) => nameOn(platform, read, platforms));
    for (const [account, [name = '']] of Object.entries(read)) {
      const issue = userIssue(name);
      const field = [account, platforms[account] ?? account].find((one) => Object.hasOwn(fields, one));
      const location = field === undefined ? document.keyLocation(base, id) : document.locationOf([...base, id, field]);
      if (issue && (hasNames || field !== undefined)) report.warning(location, 'impossible-user', issue.message, issue.hint);
    }
    const { userIds } = fields;
    if (isJsonObject(userIds)) warnIn(userIds, [...base, id, 'userIds'], () => undefined);
  }
}

function nameOn(platform: string, read: ReturnType<typeof entryNames>, platforms: Readonly<Record<string, string>>): string | undefined {
  const [, names] = Object.entries(read).find(([account]) => account === platform || platforms[account] === platform) ?? [];
  return names?.[0];
}

/** A typing error rarely affects the first letter: `switch` does not mean `twitch`. */
function isMisspelled(field: string, platform: string): boolean {
  const written = field.toLowerCase();
  return written[0] === platform[0] && editSteps(written, platform) <= platform.length / 3;
}
