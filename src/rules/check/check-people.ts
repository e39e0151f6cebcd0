import { knownNameHint } from '#src/clients/operation/closest-name.ts';
import type { WhenDraft } from '#src/rules/grammar/rule-file.ts';
import { PEOPLE_WATCH } from '#src/rules/grammar/when-file.ts';
import type { People } from '#src/rules/people/people.ts';
import { isSet, type RuleCheckContext } from './check-context.ts';
import { accountPlatforms } from './choose-accounts.ts';

/** The keys of `when` whose values `people` sets, with their paths. */
const SET_BY_PEOPLE = [['key'], ['with', 'users']] as const;

/** Checks `people`: the list whose entries a rule watches, and the accounts that read them. */
export function checkPeople(
  when: WhenDraft,
  { verb, list }: { readonly verb: string; readonly list: string },
  context: RuleCheckContext,
): People {
  const { document, report } = context;
  if (verb !== PEOPLE_WATCH) {
    const message = `people cannot be combined with ${verb}`;
    report.error(document.locationOf(['when', 'watch']), 'people-with-watch', message, `write watch: ${PEOPLE_WATCH}, or remove it`);
  }
  for (const path of SET_BY_PEOPLE) {
    if (!isSet(context, ['when', ...path])) continue;
    const message = `people sets ${path.at(-1)}`;
    report.error(document.locationOf(['when', ...path]), 'set-by-people', message, `remove ${path.at(-1)}`);
  }
  if (context.lists && !Object.hasOwn(context.lists, list)) {
    // In expressions, the name follows `lists.`.
    const name = /^lists\.(\w+)/u.exec(list)?.[1] ?? list;
    const none = `there are no lists: create lists/${name}.yaml, or run npx fanfare lists add ${name}`;
    const hint = Object.hasOwn(context.lists, name) ? `write people: ${name}` : knownNameHint(name, Object.keys(context.lists), none);
    report.error(document.locationOf(['when', 'people']), 'unknown-list', `unknown list ${list}`, hint);
  }
  const named = when.account === undefined ? undefined : [when.account].flat().filter((name) => name !== null);
  return { list, platforms: accountPlatforms({ verb, path: ['when', 'account'], named }, context) };
}
