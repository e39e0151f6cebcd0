import { isCollecting } from '#src/rules/collecting.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { Path } from '#src/rules/document/report.ts';
import { formatList } from '#src/rules/messages/format.ts';
import { isWatching } from './meant-keys.ts';
import type { CheckContext, RuleCheckContext } from './check-context.ts';
import { meantName } from './value-synonyms.ts';
import type { Declared } from '#src/clients/operation/declared.ts';
import type { Section } from '#src/rules/firing.ts';
import type { Watched } from '#src/rules/rule.ts';

const CONNECT = 'connect an account with npx fanfare auth';

interface Choice {
  readonly verb: string;
  /** The path of the key that names accounts. */
  readonly path: Path;
  readonly named: readonly string[] | undefined;
  /** Whether a rule that names no account uses only one. */
  readonly isOne?: boolean | undefined;
}

/**
 * The accounts of a step or a poll: the named ones, else the defaults, else the only one.
 *
 * A rule that is off keeps every name. Without an account, the name of the client replaces it, so that tests can run the rule.
 */
export function chooseAccounts(choice: Choice, context: RuleCheckContext): readonly string[] {
  const { all, defaults } = accountsFor(choice.verb, context);
  if (choice.named) return choice.named.filter((name, index) => isUsable(name, index, choice, context));
  if (defaults.length === 1 || (defaults.length > 0 && !choice.isOne)) return defaults;
  return all.length === 1 ? all : reportNone(choice, all, context);
}

/** The accounts of a poll on all platforms, with their platforms: the named ones, else the first one of each platform, defaults first. */
export function accountPlatforms(choice: Choice, context: RuleCheckContext): Readonly<Record<string, string>> {
  const { all, defaults, platformNames } = accountsFor(choice.verb, context);
  const platformOf = (account: string): string => platformNames?.[account] ?? account;
  const chosen = choice.named || all.length === 0 ? chooseAccounts(choice, context) : [...new Set([...defaults, ...all])];
  const seen = new Set<string>();
  const first = chosen.filter((account) => choice.named || (!seen.has(platformOf(account)) && seen.add(platformOf(account))));
  return Object.fromEntries(first.map((account) => [account, platformOf(account)]));
}

interface ItemLookup extends Pick<Choice, 'verb' | 'path'> {
  readonly declared: Declared;
  readonly section: Section;
}

/** The accounts of a look-up that runs as the account of its item: those of the watched accounts whose platforms support it. */
export function accountsOfItem(
  { verb, declared, section, path }: ItemLookup,
  watched: Watched | undefined,
  context: RuleCheckContext,
): readonly string[] {
  const { document, report } = context;
  const location = document.locationOf(path);
  if (declared.kind === 'write') {
    report.error(location, 'item-account', `${verb} is not a look-up`, 'name the account');
    return [];
  }
  const hasItem = isWatching(context) && !isCollecting(section) && (watched?.per ?? 'item') === 'item';
  if (!hasItem || (watched && clientOf(watched.verb) !== clientOf(verb))) {
    const message = `as: \${{ item.account }} needs a rule that watches items of ${clientOf(verb)} and fires for each`;
    report.error(location, 'item-account', message, 'name the account');
    return [];
  }
  const { platforms = {} } = accountsFor(verb, context);
  const supporting = watched?.accounts.filter((account) => platforms[account]?.capabilities[declared.name]?.support !== 'unsupported');
  if (watched && supporting?.length === 0) {
    const message = `${formatList(watched.accounts, 'and')} ${watched.accounts.length === 1 ? 'does' : 'do'} not support ${verb}`;
    report.error(location, 'item-account', message, 'name another account, or remove the step');
  }
  return supporting ?? [];
}

function accountsFor(verb: string, { accounts }: CheckContext): Accounts[string] {
  const client = clientOf(verb);
  return (Object.hasOwn(accounts, client) ? accounts[client] : undefined) ?? { all: [], defaults: [] };
}

/** The client of a verb, for example `social`. */
export function clientOf(verb: string): string {
  return verb.split('.')[0] ?? verb;
}

function isUsable(name: string, index: number, { verb, path, named }: Choice, context: RuleCheckContext): boolean {
  const { document, report, isOff } = context;
  const { all } = accountsFor(verb, context);
  const location = document.locationOf(named && named.length > 1 ? [...path, index] : path);
  if (named && named.indexOf(name) < index) {
    report.error(location, 'duplicate-account', `the account ${name} appears twice`, 'remove one of them');
    return false;
  }
  if (all.includes(name)) return true;
  const isOfOther = Object.values(context.accounts).some((client) => client.all.includes(name));
  const message = isOfOther ? `the account ${name} does not support ${verb}` : `there is no account ${name}`;
  report[severityOf(context)](location, 'unknown-account', message, accountHint(name, { verb, isOfOther }, context));
  return isOff;
}

/** The account that was probably meant, else how to connect this one and the accounts that support the operation. */
function accountHint(
  name: string,
  { verb, isOfOther }: { readonly verb: string; readonly isOfOther: boolean },
  context: RuleCheckContext,
): string {
  const known = supportingAccounts(verb, context);
  const listed = name.split(/\s*,\s*/u);
  if (listed.length > 1) return `write [${listed.join(', ')}]`;
  const meant = meantName(name, known);
  if (meant !== undefined) return `did you mean ${meant}?`;
  if (isOfOther) return known.length > 0 ? `available: ${known.join(', ')}` : CONNECT;
  return known.length > 0 ? `connect it with npx fanfare auth, or write ${formatList(known)}` : 'connect it with npx fanfare auth';
}

/** The accounts whose platforms support an operation, as far as this is known. */
function supportingAccounts(verb: string, context: RuleCheckContext): readonly string[] {
  const { all, platforms = {} } = accountsFor(verb, context);
  const operation = verb.slice(verb.indexOf('.') + 1);
  const isAble = (account: string): boolean =>
    !Object.hasOwn(platforms, account) || platforms[account]?.capabilities[operation]?.support !== 'unsupported';
  return all.filter(isAble);
}

function severityOf({ isOff }: RuleCheckContext): 'error' | 'warning' {
  return isOff ? 'warning' : 'error';
}

function reportNone({ verb, path }: Choice, all: readonly string[], context: RuleCheckContext): readonly string[] {
  const { document, report, isOff } = context;
  const location = document.locationOf(path);
  const severity = severityOf(context);
  if (all.length === 0) report[severity](location, 'no-account', `no account supports ${verb}`, CONNECT);
  else
    report[severity](
      location,
      'several-accounts',
      `several accounts support ${verb}: ${formatList(all, 'and')}`,
      `write, for example, ${path.at(-1)}: ${supportingAccounts(verb, context)[0] ?? all[0]}`,
    );
  return isOff ? [all[0] ?? clientOf(verb)] : [];
}
