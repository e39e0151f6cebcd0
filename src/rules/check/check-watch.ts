import type { Declared, Watch } from '#src/operation/declared.ts';
import { canonical } from '#src/operation/json.ts';
import { conditionOf, conditionSource } from '../expression/condition.ts';
import type { Place } from '../expression/expressions.ts';
import { keyReader } from '../expression/item-key.ts';
import { hash } from '../firing.ts';
import { parseDuration } from '#src/operation/duration.ts';
import type { WhenDraft } from '../grammar/rule-file.ts';
import { watchKind } from '../grammar/watchable.ts';
import { ABOUT_WATCH } from '../grammar/when-draft.ts';
import type { Watched } from '../rule.ts';
import { closestName } from '../wording/closest-name.ts';
import { enumerate } from '../wording/enumerate.ts';
import { checkChanges } from './check-changes.ts';
import { checkCondition, checkKey, type Checked } from './check-expression.ts';
import { checkKind } from './check-kind.ts';
import { chooseAccounts } from './choose-accounts.ts';
import { isWritten, type Desk, type RuleDesk } from './desk.ts';
import { checkFixedParameters } from './parameters/fixed-parameters.ts';
import { valueAt } from './json-path.ts';
import { shared, sharedNames } from './shared.ts';

/** What the rule looks at; undefined where it watches nothing, and where what it watches was found wrong. */
export function checkWatch(when: WhenDraft, desk: RuleDesk): Watched | undefined {
  const { document, report, catalogue } = desk;
  const { watch: verb, where, key, take } = when;
  if (!isWritten(desk, ['when', 'watch'])) {
    if (report.hasGaps) return undefined;
    const idle = ABOUT_WATCH.filter((name) => isWritten(desk, ['when', name]));
    for (const name of idle) report.error(document.keySpot(['when'], name), `${name} needs watch: there is nothing that it could be about`);
    return undefined;
  }
  const named = accountsNamed(when);
  const place = itemPlace(when, desk);
  const checked = [
    where === undefined ? undefined : checkCondition(where, { path: ['when', 'where'], place }, desk),
    key === undefined ? undefined : checkKey(key, { path: ['when', 'key'], place }, desk),
  ];
  const changes = checkChanges(when, desk);
  const watchable = verb === undefined ? undefined : findWatchable(verb, desk);
  if (verb === undefined || !watchable) return undefined;

  const accounts = chooseAccounts({ verb, path: ['when', 'account'], named, isOne: true }, desk);
  const parameters = checkFixedParameters(watchable.declared, ['when', 'with'], desk);
  const watched: Watched = {
    verb,
    kind: watchable.kind,
    with: parameters,
    accounts,
    where: where === undefined ? undefined : conditionOf(where, { place, catalogue }),
    take,
    key: keyReader(key && conditionSource(key).source, { place, catalogue }),
    changes,
    per: when.per ?? 'item',
    confirm: shared(confirmOf(when.confirm)),
    settleMs: parseDuration(when.settle ?? '') ?? 0,
    graceMs: parseDuration(when.grace ?? '') ?? 0,
    first: when.first ?? 'silent',
    fingerprint: hash(
      verb,
      canonical(parameters),
      accounts.join(),
      where?.trim() ?? '',
      take ?? 0,
      key?.trim() ?? '',
      constantsIn(checked, desk),
    ),
  };
  checkKind(watched, desk);
  return watched;
}

/** Where what looks at one item stands. */
export function itemPlace(when: WhenDraft, { constants }: Desk): Place {
  const byAccount = (accountsNamed(when) ?? []).length > 1 ? true : undefined;
  return { kind: 'item', names: sharedNames({ watch: when.watch ?? '', byAccount, steps: {}, constants }) };
}

function accountsNamed({ account }: WhenDraft): readonly string[] | undefined {
  return account === undefined ? undefined : [account].flat().filter((name) => name !== null);
}

/** What conditions on items say with the constants that they name. */
function constantsIn(conditions: readonly (Checked | undefined)[], { constants }: Desk): string {
  const paths = new Set(conditions.flatMap((checked) => [...(checked?.expression.constants ?? [])]));
  return canonical([...paths].toSorted().map((path) => [path, valueAt({ ...constants }, path.split('.')) ?? null]));
}

function findWatchable(
  verb: string,
  { document, report, catalogue }: Desk,
): { readonly declared: Declared; readonly kind: Watch } | undefined {
  const declared = catalogue.get(verb);
  const kind = watchKind(declared);
  if (declared && kind) return { declared, kind };
  const known = [...catalogue].flatMap(([name, one]) => (watchKind(one) ? [name] : [])).toSorted();
  const meant = declared ? undefined : closestName(verb, known);
  const hint = meant === undefined ? `these can be watched: ${enumerate(known, 'and')}` : `did you mean ${meant}?`;
  report.error(document.spot(['when', 'watch']), `${verb} ${declared ? whyUnwatchable(declared) : 'is no operation'}`, hint);
  return undefined;
}

function whyUnwatchable({ kind }: Declared): string {
  return kind === 'write' ? 'writes: it cannot be watched' : 'answers once and for all: there is nothing to watch';
}

function confirmOf(confirm: WhenDraft['confirm']): Watched['confirm'] {
  if (typeof confirm === 'number') return { new: confirm, gone: confirm };
  return { new: confirm?.new ?? 1, gone: confirm?.gone ?? 2 };
}
