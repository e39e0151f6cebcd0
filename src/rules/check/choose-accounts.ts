import type { Path } from '../document/report.ts';
import { knownNameHint } from '#src/operation/closest-name.ts';
import { formatList } from '../messages/format.ts';
import type { CheckContext, RuleCheckContext } from './check-context.ts';

const CONNECT = 'connect an account with fanfare auth';

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
 * A rule that is off keeps every name. Without an account, the name of the client stands in, so that tests can run the rule.
 */
export function chooseAccounts(choice: Choice, context: RuleCheckContext): readonly string[] {
  const { all, defaults } = accountsFor(choice.verb, context);
  if (choice.named) return choice.named.filter((name, index) => isUsable(name, index, choice, context));
  if (defaults.length === 1 || (defaults.length > 0 && !choice.isOne)) return defaults;
  return all.length === 1 ? all : reportNone(choice, all, context);
}

function accountsFor(verb: string, { accounts }: CheckContext): { readonly all: readonly string[]; readonly defaults: readonly string[] } {
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
  report[severityOf(context)](location, 'unknown-account', `no account ${name} supports ${verb}`, knownNameHint(name, all, CONNECT));
  return isOff;
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
      `write, for example, ${path.at(-1)}: ${all[0]}`,
    );
  return isOff ? [all[0] ?? clientOf(verb)] : [];
}
