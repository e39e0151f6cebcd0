import type { Declared, DeclaredList } from '#src/operation/declared.ts';
import { canonical } from '#src/operation/json.ts';
import { conditionOf, conditionSource } from '../expression/condition.ts';
import type { Place } from '../expression/expressions.ts';
import { keyReader } from '../expression/item-key.ts';
import { hash } from '../firing.ts';
import { parseDuration } from '../grammar/duration.ts';
import { ABOUT_WATCH, type WhenDraft } from '../grammar/rule-file.ts';
import { watchableList } from '../grammar/watchable.ts';
import type { Watched } from '../rule.ts';
import { closestName } from '../wording/closest-name.ts';
import { enumerate } from '../wording/enumerate.ts';
import { checkCondition, checkKey } from './check-expression.ts';
import { chooseAccount } from './choose-accounts.ts';
import { isWritten, type Desk } from './desk.ts';
import { checkFixedParameters } from './parameters/fixed-parameters.ts';

/** What the rule looks at; undefined where it watches nothing, and where what it watches was found wrong. */
export function checkWatch(when: WhenDraft, desk: Desk): Watched | undefined {
  const { document, report, catalogue } = desk;
  const { watch: verb, where, key, take } = when;
  if (!isWritten(desk, ['when', 'watch'])) {
    if (report.hasGaps) return undefined;
    const idle = ABOUT_WATCH.filter((name) => isWritten(desk, ['when', name]));
    for (const name of idle) report.error(document.keySpot(['when'], name), `${name} needs watch: there is nothing that it could be about`);
    return undefined;
  }
  const place: Place = { kind: 'item', names: { watch: verb ?? '', steps: {} } };
  if (where !== undefined) checkCondition(where, { path: ['when', 'where'], place }, desk);
  if (key !== undefined) checkKey(key, { path: ['when', 'key'], place }, desk);
  const declared = verb === undefined ? undefined : findList(verb, desk);
  if (verb === undefined || !declared) return undefined;

  const account = chooseAccount({ verb, path: ['when', 'account'], named: when.account === undefined ? undefined : [when.account] }, desk);
  const parameters = checkFixedParameters(declared, ['when', 'with'], desk);
  return {
    verb,
    kind: declared.watch,
    with: parameters,
    account: account ?? '',
    where: where === undefined ? undefined : conditionOf(where, { place, catalogue }),
    take,
    key: keyReader(key && conditionSource(key).source, { place, catalogue }),
    changes: (when.changes ?? ['entered']).filter((change) => change !== null),
    confirm: confirmOf(when.confirm),
    settleMs: parseDuration(when.settle ?? '') ?? 0,
    graceMs: parseDuration(when.grace ?? '') ?? 0,
    first: when.first ?? 'silent',
    fingerprint: hash(verb, canonical(parameters), account ?? '', where?.trim() ?? '', take ?? 0, key?.trim() ?? ''),
  };
}

function findList(verb: string, { document, report, catalogue }: Desk): DeclaredList | undefined {
  const declared = catalogue.get(verb);
  const list = watchableList(declared);
  if (list) return list;
  const known = [...catalogue].flatMap(([name, one]) => (watchableList(one) ? [name] : [])).toSorted();
  const meant = declared ? undefined : closestName(verb, known);
  const hint = meant === undefined ? `these can be watched: ${enumerate(known, 'and')}` : `did you mean ${meant}?`;
  report.error(document.spot(['when', 'watch']), `${verb} ${declared ? whyUnwatchable(declared) : 'is no operation'}`, hint);
  return undefined;
}

function whyUnwatchable(declared: Declared): string {
  if (declared.kind === 'write') return 'writes: it cannot be watched';
  if (declared.kind === 'read') return 'gives one record: there is no list to watch';
  return `gives a list of the kind ${declared.watch}, which rules cannot watch`;
}

function confirmOf(confirm: WhenDraft['confirm']): Watched['confirm'] {
  if (typeof confirm === 'number') return { new: confirm, gone: confirm };
  return { new: confirm?.new ?? 1, gone: confirm?.gone ?? 2 };
}
