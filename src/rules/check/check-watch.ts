import type { Declared, Watch } from '#src/clients/operation/declared.ts';
import { parseDuration } from '#src/clients/operation/duration.ts';
import { canonical, type JsonObject } from '#src/clients/operation/json.ts';
import { plainValue } from '#src/rules/document/plain-value.ts';
import { allOf, conditionSource } from '#src/rules/expression/condition.ts';
import type { KnownFacts } from '#src/rules/expression/decided-clauses.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import { hasVersions, keyReader } from '#src/rules/expression/item-key.ts';
import { listsIn } from '#src/rules/expression/list-shapes.ts';
import type { Node } from '#src/rules/expression/language/tree.ts';
import { hash } from '#src/rules/firing.ts';
import type { WhenDraft } from '#src/rules/grammar/rule-file.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import { ABOUT_WATCH, watchKind } from '#src/rules/grammar/when-file.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import { queryPartsOf } from '#src/rules/people/bind-lists.ts';
import { keyOfPerson } from '#src/rules/people/index-people.ts';
import type { Watched } from '#src/rules/rule.ts';
import type { StepNames } from '#src/rules/step.ts';
import { checkExcludedAudience, checkInclude } from './check-audience.ts';
import { checkChanges, checkWatchKind } from './check-changes.ts';
import { isSet, type CheckContext, type RuleCheckContext } from './check-context.ts';
import { checkCondition, checkKey, type CheckedExpression } from './check-expression.ts';
import { checkMissingKey } from './check-item-key.ts';
import { checkFixedParameters } from './check-parameters.ts';
import { checkPeople } from './check-people.ts';
import { chooseAccounts, clientOf } from './choose-accounts.ts';
import { operationHint } from './suggest-operation.ts';
import { intern, internNames } from './intern.ts';
import { isWatching, originOf } from './meant-keys.ts';
import { checkPollSupport } from './platform-warnings.ts';
import { textsIn, valueAt } from './json-path.ts';

/** The keys that the items of different users do not share. */
const USER_KEY = /^\s*item\.owner\.(?:id|handle)\s*$/u;

/** Checks the watched list; undefined if the rule watches nothing or an unusable operation. */
export function checkWatch(when: WhenDraft, context: RuleCheckContext): Watched | undefined {
  const { document, report, catalogue } = context;
  const { watch: verb, where, key, take } = when;
  if (!isWatching(context)) {
    if (report.hasUnreadableLines) return undefined;
    const { origin, own } = originOf(context);
    for (const name of ABOUT_WATCH.filter((one) => isSet(context, ['when', one]) && !own.includes(one))) {
      const message = origin === undefined ? `${name} needs watch` : `a rule that ${origin} has no ${name}`;
      const instead = origin === undefined ? `add watch, or remove ${name}` : `remove ${name}`;
      const hint = origin !== undefined && name === 'where' ? 'write the condition as if of the rule, beside when' : instead;
      report.error(document.keyLocation(['when'], name), 'key-without-watch', message, hint);
    }
    return undefined;
  }
  const site = itemSite(when, context);
  const checked = [
    where === undefined ? undefined : checkCondition(where, { path: ['when', 'where'], site }, context),
    key === undefined ? undefined : checkKey(key, { path: ['when', 'key'], site }, context),
  ];
  const changes = checkChanges(when, context);
  const watchable = verb === undefined ? undefined : findWatchable(verb, context);
  if (verb === undefined || !watchable) return undefined;

  const people = when.people === undefined ? undefined : checkPeople(when, { verb, list: when.people }, context);
  const accounts = people
    ? Object.keys(people.platforms)
    : chooseAccounts({ verb, path: ['when', 'account'], named: accountsNamed(when), isOne: true }, context);
  const { value: parameters, atPoll } = checkFixedParameters(watchable.declared, ['when', 'with'], context);
  checkPollSupport(parameters, { verb, accounts }, context);
  const include = checkInclude({ include: when.include, verb, path: ['when'] }, watchable.declared, context);
  const watched: Watched = {
    verb,
    kind: watchable.kind,
    ...(isNewestFirst(watchable, parameters) && { isNewestFirst: true }),
    with: parameters,
    withOf: atPoll,
    people,
    accounts,
    include: include && intern(include),
    where: allOf([watchable.declared.kind === 'list' ? watchable.declared.watchedWhere : undefined, where], { site, catalogue }),
    ...(!people && conditionListsOf(when)),
    take,
    ...(people ? { key: (item) => keyOfPerson(item, people) } : keyReader(key && conditionSource(key).source, { site, catalogue })),
    ...(key !== undefined && !USER_KEY.test(conditionSource(key).source) && { sharesKeys: true }),
    changes,
    per: when.per ?? 'item',
    confirm: intern(confirmOf(when.confirm)),
    settleMs: parseDuration(when.settle ?? '') ?? 0,
    graceMs: parseDuration(when.grace ?? '') ?? 0,
    first: when.first ?? 'silent',
    definition: {
      ...queryPartsOf(verb, parameters),
      accounts,
      where: shortHash(where?.trim() ?? '', constantsIn(checked.slice(0, 1), context), ...(include ?? [])),
      take,
    },
    fingerprint: hash(
      verb,
      canonical(parameters),
      accounts.join(),
      where?.trim() ?? '',
      take ?? 0,
      key?.trim() ?? (people ? `people ${people.list}` : ''),
      constantsIn(checked, context),
      ...(include ?? []),
      // Earlier versions of Fanfare stored an edited post under its id, so its episode needs the new key.
      ...(key === undefined && hasVersions(itemShape(watchable.declared)) ? ['firstVersionId'] : []),
    ),
  };
  const [condition] = checked;
  if (condition) checkExcludedAudience(condition, { watched, context });
  checkWatchKind(watched, when, context);
  if (!people) checkMissingKey(when, site, context);
  return watched;
}

function isNewestFirst({ kind, declared }: { readonly kind: Watch; readonly declared: Declared }, parameters: JsonObject): boolean {
  if (declared.kind !== 'list') return false;
  if (!declared.newestFirst) return kind === 'feed';
  return Object.entries(declared.newestFirst).every(([name, values]) => values.some((value) => value === parameters[name]));
}

/** The lists whose changes change which items count. With `people`, most new items of such a poll would not be announced. */
function conditionListsOf({ where = '', key = '' }: WhenDraft): Pick<Watched, 'conditionLists'> {
  const conditionLists = listsIn(`${where} ${key}`);
  return conditionLists.length === 0 ? {} : { conditionLists };
}

function shortHash(...parts: readonly string[]): string {
  return hash(...parts).slice(0, 8);
}

/** The facts about item and change at the start of every firing; undefined if they are unknown. */
export function knownFacts(when: WhenDraft, watched: Watched | undefined, context: CheckContext): KnownFacts | undefined {
  const { report, document } = context;
  if (!watched || watched.per !== 'item' || report.hasErrors) return undefined;
  // With templates in `changes`, each instance of `each` may fire for other changes.
  if (textsIn(plainValue(document, ['when', 'changes'], { kind: 'anything' })).some(({ text }) => isTemplate(text))) return undefined;
  const kinds = [...new Set(watched.changes.map(({ kind }) => kind))];
  // An item also leaves if `where` no longer holds for it.
  return { where: kinds.includes('left') ? undefined : whereTree(when, context), kinds, watch: watched.kind };
}

/** The checked condition on items; undefined: there is none, or the file has errors. */
export function whereTree(when: WhenDraft, context: CheckContext): Node | undefined {
  if (when.where === undefined || context.report.hasErrors) return undefined;
  return expressionsOf(context.catalogue).compile(conditionSource(when.where).source, itemSite(when, context)).tree;
}

function itemSite(when: WhenDraft, { constants, lists, listShapes }: CheckContext): ExpressionSite {
  return { kind: 'item', names: internNames({ watch: when.watch ?? '', ...itemNames(when, lists), steps: {}, listShapes, constants }) };
}

/** What the list adds to its items. */
export function itemNames(when: WhenDraft, lists: CheckContext['lists']): Pick<StepNames, 'byAccount' | 'people' | 'personFields'> {
  const { people } = when;
  if (people !== undefined) return { byAccount: true, people: true, personFields: lists?.[people] ?? undefined };
  return { byAccount: (accountsNamed(when) ?? []).length > 1 ? true : undefined };
}

/** The accounts in `when`; undefined: it names none. */
export function accountsNamed({ account }: WhenDraft): readonly string[] | undefined {
  return account === undefined ? undefined : [account].flat().filter((name) => name !== null);
}

/** The values of the constants that conditions on items read. */
function constantsIn(conditions: readonly (CheckedExpression | undefined)[], { constants }: CheckContext): string {
  const paths = new Set(conditions.flatMap((checked) => [...(checked?.expression.constants ?? [])]));
  return canonical([...paths].toSorted().map((path) => [path, valueAt({ ...constants }, path.split('.')) ?? null]));
}

function findWatchable(
  verb: string,
  { document, report, catalogue }: CheckContext,
): { readonly declared: Declared; readonly kind: Watch } | undefined {
  const declared = catalogue.get(verb);
  const kind = watchKind(declared);
  if (declared && kind) return { declared, kind };
  const known = [...catalogue].flatMap(([name, one]) => (watchKind(one) ? [name] : [])).toSorted();
  const hint = declared
    ? `available: ${known.filter((one) => one.startsWith(`${clientOf(verb)}.`)).join(', ')}`
    : operationHint(verb, known);
  const message = declared ? `${verb} ${whyUnwatchable(declared)}` : `unknown operation ${verb}`;
  report.error(document.locationOf(['when', 'watch']), declared ? 'unwatchable' : 'unknown-operation', message, hint);
  return undefined;
}

function whyUnwatchable({ kind }: Declared): string {
  return kind === 'write' ? 'cannot be watched: it writes' : 'cannot be watched: its result does not change';
}

function confirmOf(confirm: WhenDraft['confirm']): Watched['confirm'] {
  if (typeof confirm === 'number') return { new: confirm, gone: confirm };
  return { new: confirm?.new ?? 1, gone: confirm?.gone ?? 2 };
}
