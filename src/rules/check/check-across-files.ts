import type { Accounts } from '#src/rules/accounts.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { readDocument } from '#src/rules/document/read-document.ts';
import { Report, type Location, type Path } from '#src/rules/document/report.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import { parametersOf } from '#src/rules/people/people.ts';
import type { Rule } from '#src/rules/rule.ts';
import { requestCount, sharedRequests, requestPrice, type RequestPrice } from '#src/rules/request-estimates.ts';
import type { CheckedRule } from './check-rule.ts';
import { clientOf } from './choose-accounts.ts';

/** A checked file. */
export interface CheckedFile extends CheckedRule {
  readonly file: string;
  readonly source: string;
  /** Diagnostics of the local files that it names; undefined if nothing checked them. */
  readonly fileDiagnostics?: readonly Diagnostic[] | undefined;
}

/** The request limit per minute of an account whose limit is unknown. */
const LIKELY_BUDGET = 600;

/** A hint names at most this many rules. */
const MOST_NAMES = 10;

/**
 * Checks all rules together: messages that two files edit, commands that two rules answer, overloaded accounts, unknown rules in `history`. `ids` are the ids of all
 * rules, or undefined if they are not all known.
 */
export function checkAcrossFiles(
  files: readonly CheckedFile[],
  { accounts, ids }: { readonly accounts: Accounts; readonly ids?: ReadonlySet<string> | undefined },
): readonly Diagnostic[] {
  return [
    ...sharedMessages(files),
    ...wrongPreviousIds(files),
    ...sharedCommands(files),
    ...overloadedAccounts(files, accounts),
    ...(ids ? unknownFollowedRules(files, ids) : []),
  ];
}

function unknownFollowedRules(files: readonly CheckedFile[], ids: ReadonlySet<string>): readonly Diagnostic[] {
  return files.flatMap(({ file, source, follows }) => {
    const report = new Report(file, source);
    for (const { rule, location } of follows) {
      if (ids.has(rule)) continue;
      const meant = closestName(rule, ids);
      const known = [...ids].filter((id) => !id.includes('/')).toSorted();
      const list = known.length > MOST_NAMES ? undefined : `available: ${known.join(', ')}`;
      const message = `unknown rule ${rule}: it has no history`;
      report.warning(location, 'unknown-rule', message, meant === undefined ? list : `did you mean ${meant}?`);
    }
    return report.diagnostics;
  });
}

/** Warns of a previous id that another rule has or continues, because the state of a rule can move only once. */
function wrongPreviousIds(files: readonly CheckedFile[]): readonly Diagnostic[] {
  const named = new Map(files.flatMap(({ file, rules }) => rules.map(({ name }) => [name, file] as const)));
  const heirs = new Map<string, string>();
  return files.flatMap(({ file, source, rules: [rule] }) => {
    const was = rule?.was?.split('/')[0];
    if (was === undefined) return [];
    const [other, heir] = [named.get(was), heirs.get(was)];
    heirs.set(was, heir ?? file);
    const message = other === undefined ? heir && `${heir} already continues ${was}` : `${other} is the rule ${was}, so nothing is moved`;
    if (message === undefined) return [];
    const report = new Report(file, source);
    report.warning(locate({ file, source }, ['was']), 'wrong-previous-id', message, 'remove was');
    return report.diagnostics;
  });
}

function locate({ file, source }: Pick<CheckedFile, 'file' | 'source'>, path: Path): Location {
  return readDocument(source, new Report(file, source))?.locationOf(path) ?? { path, offset: 0 };
}

function sharedMessages(files: readonly CheckedFile[]): readonly Diagnostic[] {
  const first = new Map<string, CheckedFile>();
  return files.flatMap((one) =>
    one.editedMessages.flatMap(({ target, location }) => {
      const other = first.get(target) ?? one;
      first.set(target, other);
      if (other === one) return [];
      const report = new Report(one.file, one.source);
      const message = `${other.file} also edits this message: the rules overwrite each other's edits`;
      report.warning(location, 'shared-message', message, 'use another message in one of the rules');
      return report.diagnostics;
    }),
  );
}

/** Reports a command that two rules answer in one server. Discord gets that of the first rule. */
function sharedCommands(files: readonly CheckedFile[]): readonly Diagnostic[] {
  const first = new Map<string, Rule>();
  return files.flatMap((one) =>
    one.rules.flatMap((rule) => {
      const { command } = rule;
      const places = command?.accounts.map((account) => `${account} ${command.name}`) ?? [];
      const other = places.map((place) => first.get(place)).find((found) => found !== undefined);
      for (const place of places) first.set(place, first.get(place) ?? rule);
      if (!command || !other) return [];
      const report = new Report(one.file, one.source);
      const message = `the rule ${other.id} already answers /${command.name}`;
      report.error(locate(one, ['when', 'command']), 'shared-command', message, 'choose another name');
      return report.diagnostics;
    }),
  );
}

function overloadedAccounts(files: readonly CheckedFile[], accounts: Accounts): readonly Diagnostic[] {
  return requestLoad(
    files.flatMap((one) => one.rules),
    accounts,
  ).flatMap((load) => {
    const budget = accounts[load.client]?.requestsPerMinute?.[load.account] ?? LIKELY_BUDGET;
    const worst = files.find((one) => one.rules.includes(load.worst.rule));
    return load.perMinute > budget && worst ? reportLoad(worst, load, budget) : [];
  });
}

function reportLoad({ file, source }: CheckedFile, { account, perMinute, worst }: AccountLoad, budget: number): readonly Diagnostic[] {
  const report = new Report(file, source);
  const location = locate({ file, source }, ['when', 'every']);
  const share = Math.round(worst.perMinute);
  report.warning(
    location,
    'overloaded-account',
    `all rules together send ${Math.round(perMinute)} requests per minute to ${account}, which allows about ${budget}; this rule sends ${share}`,
    `poll less often, for example every ${formatDuration((worst.everyMs * perMinute) / budget)}, or read fewer pages`,
  );
  return report.diagnostics;
}

/** The requests of all rules to one account. */
interface AccountLoad {
  readonly client: string;
  readonly account: string;
  readonly perMinute: number;
  /** The rule with the most requests. */
  readonly worst: RuleLoad;
}

interface RuleLoad {
  readonly rule: Rule;
  readonly everyMs: number;
  readonly perMinute: number;
}

/** Polls that share requests. */
interface PollGroup {
  readonly everyMs: number;
  readonly price: RequestPrice;
  pages: number;
  readonly names: Set<string>;
}

/** The requests a minute of all rules, by account. Cron rules are too rare to count. */
export function requestLoad(rules: readonly Rule[], accounts: Accounts): readonly AccountLoad[] {
  const loads = new Map<
    string,
    { readonly client: string; readonly account: string; readonly groups: Map<string, PollGroup>; worst: RuleLoad }
  >();
  for (const rule of rules) {
    const { watched, schedule } = rule;
    if (!watched || !('everyMs' in schedule) || rule.enabled === false) continue;
    const { everyMs } = schedule;
    const client = clientOf(watched.verb);
    for (const account of watched.accounts) {
      const { key, names, pages } = sharedRequests(watched.verb, parametersOf(watched, account));
      const price = requestPrice(watched.verb, account, accounts);
      const alone: RuleLoad = { rule, everyMs, perMinute: costOf({ everyMs, pages, names: new Set(names), price }) };
      const load = loads.get(`${client}/${account}`) ?? { client, account, groups: new Map<string, PollGroup>(), worst: alone };
      loads.set(`${client}/${account}`, load);
      if (alone.perMinute > load.worst.perMinute) load.worst = alone;
      const group = `${everyMs} ${key}`;
      const shared = load.groups.get(group) ?? { everyMs, pages, names: new Set<string>(), price };
      shared.pages = Math.max(shared.pages, pages);
      for (const name of names) shared.names.add(name);
      load.groups.set(group, shared);
    }
  }
  return [...loads.values()].map(({ client, account, groups, worst }) => ({
    client,
    account,
    worst,
    perMinute: [...groups.values()].reduce((sum, group) => sum + costOf(group), 0),
  }));
}

function costOf({ everyMs, pages, names, price }: PollGroup): number {
  return (requestCount({ pages, names: { length: names.size } }, price) * 60_000) / everyMs;
}
