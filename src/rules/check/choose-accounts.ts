import type { Path } from '../document/report.ts';
import { closestName } from '../wording/closest-name.ts';
import { enumerate } from '../wording/enumerate.ts';
import type { Desk, RuleDesk } from './desk.ts';

const CONNECT = 'connect one: README.md lists the variables, under Connect real accounts';

interface Choice {
  readonly verb: string;
  /** Where the author names accounts, or could. */
  readonly path: Path;
  readonly named: readonly string[] | undefined;
  /** Whether several must be named: a rule that names none reads with one. */
  readonly isOne?: boolean | undefined;
}

/**
 * The accounts that do a step or read: those that are named, else the defaults, else the only one there is.
 *
 * Of a rule that is off all that are named stand, and where there is none its client's name, so that it can be tested.
 */
export function chooseAccounts(choice: Choice, desk: RuleDesk): readonly string[] {
  const { all, defaults } = accountsFor(choice.verb, desk);
  if (choice.named) return choice.named.filter((name, index) => isUsable(name, index, choice, desk));
  if (defaults.length === 1 || (defaults.length > 0 && !choice.isOne)) return defaults;
  return all.length === 1 ? all : reportNone(choice, all, desk);
}

function accountsFor(verb: string, { accounts }: Desk): { readonly all: readonly string[]; readonly defaults: readonly string[] } {
  const client = clientOf(verb);
  return (Object.hasOwn(accounts, client) ? accounts[client] : undefined) ?? { all: [], defaults: [] };
}

/** The client that a verb belongs to, as `social`. */
export function clientOf(verb: string): string {
  return verb.split('.')[0] ?? verb;
}

function isUsable(name: string, index: number, { verb, path, named }: Choice, desk: RuleDesk): boolean {
  const { document, report } = desk;
  const { all } = accountsFor(verb, desk);
  const spot = document.spot(named && named.length > 1 ? [...path, index] : path);
  if (named && named.indexOf(name) < index) {
    report.error(spot, `the account ${name} is named twice`);
    return false;
  }
  if (all.includes(name)) return true;
  report[severityOf(desk)](spot, `no account ${name} can do ${verb}`, knownHint(name, all));
  return desk.isOff;
}

/** What a rule that is off lacks is only to be known. */
function severityOf({ isOff }: RuleDesk): 'error' | 'warning' {
  return isOff ? 'warning' : 'error';
}

function knownHint(name: string, all: readonly string[]): string {
  const meant = closestName(name, all);
  if (meant !== undefined) return `did you mean ${meant}?`;
  return all.length > 0 ? `there is ${enumerate(all)}` : CONNECT;
}

function reportNone({ verb, path }: Choice, all: readonly string[], desk: RuleDesk): readonly string[] {
  const { document, report } = desk;
  const key = String(path.at(-1));
  const say = severityOf(desk);
  const spot = document.spot(path);
  if (all.length === 0) report[say](spot, `there is no account that can do ${verb}`, CONNECT);
  else report[say](spot, `${enumerate(all, 'and')} can do this: say which`, `add ${key}: ${all[0]}`);
  return desk.isOff ? [all[0] ?? clientOf(verb)] : [];
}
