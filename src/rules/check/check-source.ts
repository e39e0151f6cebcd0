import type { Catalogue, Declared } from '#src/clients/operation/declared.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { plainValue } from '#src/rules/document/plain-value.ts';
import { SourceFile } from '#src/rules/grammar/list-file.ts';
import type { PeopleSource } from '#src/rules/lists.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
import { checkFixedParameters } from './check-parameters.ts';
import { checkStructure } from './check-structure.ts';
import { chooseAccounts } from './choose-accounts.ts';

/** The operations and accounts that a source of a list can name. */
export interface SourceNames {
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
}

const PATH = ['source'];

/** Checks the key `source` of a list file. Without `names`, a list cannot have a source. */
export function checkSource(
  names: SourceNames | undefined,
  { document, report }: Pick<CheckContext, 'document' | 'report'>,
): PeopleSource | undefined {
  const location = document.keyLocation([], 'source');
  if (!names) {
    report.error(location, 'no-source', 'only a list file can have a source', 'write the entries as ada: { twitch: ada }');
    return undefined;
  }
  const context = { document, report, ...names, isOff: false };
  const written = checkStructure(SourceFile, plainValue(document, PATH, { kind: 'anything' }) ?? {}, { path: PATH }, context);
  const read = SourceFile.safeParse(written);
  if (!read.success || report.isFull) return undefined;
  const { watch: verb, account: named } = read.data;
  const declared = names.catalogue.get(verb);
  if (!declared || !isPeople(declared)) {
    const known = peopleReads(names.catalogue);
    const meant = closestName(verb, known);
    const hint = meant === undefined ? `use one of ${known.join(', ')}` : `did you mean ${meant}?`;
    report.error(document.locationOf([...PATH, 'watch']), 'no-people', `${verb} reads no list of people`, hint);
    return undefined;
  }
  const path = [...PATH, 'account'];
  const [account] = chooseAccounts({ verb, path, named: named === undefined ? undefined : [named], isOne: true }, context);
  const { value: params } = checkFixedParameters(declared, [...PATH, 'with'], context);
  if (isJsonObject(params) && params['pages'] !== undefined)
    report.error(document.keyLocation([...PATH, 'with'], 'pages'), 'not-for-polls', 'a source reads all pages', 'remove pages');
  if (account === undefined || report.hasErrors) return undefined;
  const platform = names.accounts[verb.split('.')[0] ?? '']?.platformNames?.[account] ?? account;
  return { verb, account, platform, params };
}

/** The operations that a source can name: those whose result is a whole list of people. */
export function peopleReads(catalogue: Catalogue): readonly string[] {
  return [...catalogue].flatMap(([verb, declared]) => (isPeople(declared) ? [verb] : [])).toSorted();
}

function isPeople(declared: Declared): boolean {
  if (declared.kind !== 'list' || declared.watch !== 'set') return false;
  const shape = shapeOf(declared.item);
  return shape.kind === 'record' && shape.fields.has('handle');
}
