import type { JsonObject } from '#src/clients/operation/json.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { Report } from '#src/rules/document/report.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ruleNameOf } from '#src/rules/rule-name.ts';
import { overloadedAccounts, unreachableWithin } from './check-budgets.ts';
import type { CheckedRule } from './check-rule.ts';
import { locate } from './locate.ts';
import { repeatedAnnouncements } from './repeated-announcements.ts';

export interface CheckedFile extends CheckedRule {
  readonly file: string;
  readonly source: string;
  /** Diagnostics of the local files that it names; undefined if nothing checked them. */
  readonly fileDiagnostics?: readonly Diagnostic[] | undefined;
}

/** A hint names at most this many rules. */
const MOST_NAMES = 10;

/**
 * Checks all rules together: messages that two files edit, commands that two rules answer, posts and messages that two rules copy in both directions, streams
 * that two rules announce, overloaded accounts, unknown rules in `history`. `ids` are the ids of all rules, or undefined if they are not all known.
 */
export function checkAcrossFiles(
  files: readonly CheckedFile[],
  { accounts, ids }: { readonly accounts: Accounts; readonly ids?: ReadonlySet<string> | undefined },
): readonly Diagnostic[] {
  return [
    ...sharedMessages(files),
    ...wrongPreviousIds(files),
    ...sharedCommands(files),
    ...mutualCopies(files),
    ...repeatedAnnouncements(files),
    ...overloadedAccounts(files, accounts),
    ...unreachableWithin(files, accounts),
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
    if (rule?.was === undefined) return [];
    const was = ruleNameOf(rule.was);
    const [other, heir] = [named.get(was), heirs.get(was)];
    heirs.set(was, heir ?? file);
    const message = other === undefined ? heir && `${heir} already continues ${was}` : `${other} is the rule ${was}, so nothing is moved`;
    if (message === undefined) return [];
    const report = new Report(file, source);
    report.warning(locate({ file, source }, ['was']), 'wrong-previous-id', message, 'remove was');
    return report.diagnostics;
  });
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

/** The lists that show the posts of an account. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set(['social.getPosts', 'social.getUserMedia', 'social.getHomeTimeline']);

/** Warns of two rules that copy posts or messages in both directions. A fuse may never end that, because each poll copies one only. */
function mutualCopies(files: readonly CheckedFile[]): readonly Diagnostic[] {
  const first = new Map<string, { readonly file: CheckedFile; readonly only: string }>();
  return files.flatMap((one) => {
    const copied = copiesOf(one);
    const [other] = copied.flatMap(({ from, to, only }) => {
      const found = first.get(`${to} ${from}`);
      // Two conditions on the text are most likely for two kinds of posts.
      return found && (found.only === only || found.only === '' || only === '') ? [found.file] : [];
    });
    for (const { from, to, only } of copied) first.set(`${from} ${to}`, first.get(`${from} ${to}`) ?? { file: one, only });
    if (!other) return [];
    const report = new Report(one.file, one.source);
    const what = one.rules.some(({ watched }) => watched?.verb === MESSAGES) ? 'messages' : 'posts';
    const message = `${other.file} copies ${what} in the other direction: each rule can copy the ${what} of the other without end`;
    const hint = `remove one of the rules, or add !item.author.self to where if it copies no ${what} of yours`;
    report.warning(locate(one, ['when', 'watch']), 'mutual-copies', message, hint);
    return report.diagnostics;
  });
}

/** The list that shows the messages of a channel. */
const MESSAGES = 'discord.getMessages';

interface Copies {
  readonly from: string;
  readonly to: string;
  /** The condition on the text; empty: there is none. */
  readonly only: string;
}

/** The accounts whose lists of posts a file copies, each with an account that posts the copies, and the channels whose messages it copies. */
function copiesOf(one: CheckedFile): readonly Copies[] {
  const { source, rules } = one;
  if (source.includes('author.self') || source.includes('author.bot')) return [];
  const isOfMessages = /\bitem\.content\b/u.test(source);
  if (!isOfMessages && !/\bitem\.text\b/u.test(source)) return [];
  const copying = rules.filter((rule) => !SELECTIVE.test(conditionOf(rule)));
  if (isOfMessages) return copying.flatMap(copiedMessagesOf);
  return copying.flatMap((rule) => {
    const { watched, then, enabled } = rule;
    if (!watched || !OF_ACCOUNTS.has(watched.verb) || enabled === false) return [];
    const accounts = then.flatMap((step) => (step.do === 'social.createPost' ? step.as : []));
    return watched.accounts.flatMap((from) =>
      accounts.map((to) => ({ from, to, only: textCondition(rule) })).filter(({ to }) => to !== from),
    );
  });
}

/** A condition on the author, or on what a text lacks, which each copy can have. */
const SELECTIVE = /\bitem\.author\b|!\s*(?:rx\(\s*)?item\.(?:content|text)\b/u;

function conditionOf({ watched, if: condition }: Rule): string {
  return [watched?.where, condition].flatMap((one) => one?.source ?? []).join(' && ');
}

function textCondition(rule: Rule): string {
  const condition = conditionOf(rule);
  return /\bitem\.(?:content|text)\b/u.test(condition) ? condition : '';
}

/** The channel whose messages a rule sends to other channels. */
function copiedMessagesOf(rule: Rule): readonly Copies[] {
  const { watched, then, enabled } = rule;
  if (watched?.verb !== MESSAGES || enabled === false) return [];
  const channelOf = (parameters: JsonObject): readonly string[] => {
    const { channel } = parameters;
    return typeof channel === 'string' && !isTemplate(channel) ? [channel.replace(/^#/u, '').toLowerCase()] : [];
  };
  const sent = then.flatMap((step) => (step.do === 'discord.send' ? channelOf(step.with).map((to) => ({ to, accounts: step.as })) : []));
  return channelOf(watched.with).flatMap((from) =>
    sent.flatMap(({ to, accounts }) =>
      accounts
        .filter((account) => to !== from && watched.accounts.includes(account))
        .map((account) => ({ from: `${account} #${from}`, to: `${account} #${to}`, only: textCondition(rule) })),
    ),
  );
}
