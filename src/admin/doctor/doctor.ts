import { offRuleText, OFF_RULE_HINT, type OffRule } from '#src/rules/messages/off-rules.ts';
import { addressOf, definitionOf, type Account } from '#src/config/accounts.ts';
import type { Clock } from '#src/clock.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { LateWebhook } from '#src/admin/queries/records.ts';
import { formatCount, formatDuration } from '#src/rules/messages/format.ts';
import type { Scope } from '#src/http/secrets/sign-in.ts';
import { failedCheck, type CheckResult } from './check-result.ts';
import { examineMachine, type MachineOptions } from './machine.ts';
import { examineClock, examineStoredClock, type StoredClockOptions } from './wall-clock.ts';

/** Checks an installation, one check after the other. */
export interface Doctor extends AsyncDisposable {
  examine(signal: AbortSignal): AsyncIterable<CheckResult>;
}

export interface DoctorOptions {
  readonly machine: MachineOptions;
  readonly accounts: readonly Account[];
  /** Whether Fanfare runs on the sandbox, without accounts. */
  readonly usesSandbox: boolean;
  /** Returns the name of the signed-in user. */
  readonly whoIs: (account: Account, signal: AbortSignal) => Promise<string>;
  /** The errors of the reads that find a lost post. */
  readonly recoveryProblems?: ((account: Account, signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  /** The requested scopes that were not granted. */
  readonly missingScopes: (account: Account) => Promise<readonly Scope[]>;
  readonly budgetsOf?: ((account: Account) => Promise<readonly CheckResult[]>) | undefined;
  readonly notificationsOf?: ((account: Account) => Promise<readonly CheckResult[]>) | undefined;
  /** The check of the notifications of feeds, which need no account. */
  readonly feeds?: (() => Promise<readonly CheckResult[]>) | undefined;
  /** The webhooks whose receivers have not accepted an event. */
  readonly lateWebhooks?: (() => Promise<readonly LateWebhook[]>) | undefined;
  /** The number of rules that are on, those that are off, the numbers of errors, and the problems with channels and roles. */
  readonly rules: (signal: AbortSignal) => Promise<ExaminedRules>;
  readonly storedClock: StoredClockOptions['storedClock'];
  /** The check of the PostgreSQL database. */
  readonly database?: CheckResult | undefined;
  /** The problem with the keys of several processes. */
  readonly otherKeys?: CheckResult | undefined;
  readonly clock: Clock;
  /** Which clock it is; absent: that of this machine. */
  readonly clockName?: string | undefined;
}

type RuleProblem = Pick<Diagnostic, 'file' | 'line' | 'column' | 'message' | 'hint'>;

/** The rules of an installation. */
interface ExaminedRules {
  readonly on: number;
  readonly off: readonly OffRule[];
  readonly mistakes: number;
  /** The number of errors in the list files. Rules wait for a list that was never valid. */
  readonly listMistakes: number;
  /** The webhooks without a secret. */
  readonly secrets: readonly RuleProblem[];
  readonly channels: readonly RuleProblem[];
  /** The check of the published version; absent if the rules come from a folder. */
  readonly published?: CheckResult | undefined;
}

/** Creates the doctor of an installation. */
export function createDoctor(options: DoctorOptions): Omit<Doctor, keyof AsyncDisposable> {
  const { machine, accounts, usesSandbox, storedClock, database, otherKeys, clock, clockName: about } = options;
  return {
    async *examine(signal) {
      let isDiscordKnown = true;
      yield* await examineMachine(machine);
      if (database) yield database;
      if (otherKeys) yield otherKeys;
      yield* await examineStoredClock({ storedClock, clock, about });
      if (usesSandbox) {
        const remedy = 'connect one: npx fanfare auth twitch';
        yield { about: 'accounts', state: 'warning', what: 'none; Fanfare runs on the sandbox', remedy, reason: { kind: 'noAccounts' } };
      } else {
        yield* await examineClock(accounts.map(addressOf), { clock, about, signal });
        for (const account of accounts) {
          const isKnown = yield* examineAccount(account, options, signal);
          if (account.platform === 'discord') isDiscordKnown &&= isKnown;
        }
      }
      if (options.feeds) yield* await options.feeds();
      if (options.lateWebhooks) yield* (await options.lateWebhooks()).map((late) => lateResult(late, clock.nowMs()));
      yield* await examineRules(options, { isDiscordKnown, signal });
    },
  };
}

/** The result for a webhook whose receiver has not accepted an event. */
function lateResult({ webhook, since, isGone }: LateWebhook, nowMs: number): CheckResult {
  const ageMs = nowMs - since.getTime();
  return {
    about: 'webhooks',
    state: 'bad',
    what: `${webhook} has not accepted an event for ${formatDuration(ageMs)}`,
    remedy: isGone
      ? 'its receiver has deleted it (HTTP 410): correct or remove it in fanfare.yaml, then restart Fanfare'
      : 'check its receiver; the log has the answer or the error. Fanfare retries each event for 23 hours',
    reason: { kind: 'webhookLate', webhook, ageMs, isGone },
  };
}

/** Returns whether the credentials work. */
async function* examineAccount(
  account: Account,
  { whoIs, missingScopes, recoveryProblems, budgetsOf, notificationsOf }: DoctorOptions,
  signal: AbortSignal,
): AsyncGenerator<CheckResult, boolean> {
  const about = account.account;
  try {
    yield { about, state: 'good', what: await whoIs(account, signal) };
    for (const problem of (await recoveryProblems?.(account, signal)) ?? []) {
      const what = `a post whose answer is lost may need a person, because a read is refused: ${problem}`;
      yield {
        about,
        state: 'warning',
        what,
        remedy: 'check the plan and the permissions of the app',
        reason: { kind: 'readRefused', problem },
      };
    }
    for (const { name, why } of await missingScopes(account)) {
      const flag = definitionOf(account).channelSignIn ? ' --channel' : '';
      const command = `npx fanfare auth ${about}${flag}`;
      const reason = { kind: 'scopeMissing', scope: name, why, command } as const;
      yield { about, state: 'warning', what: `${name} was not granted: ${why}`, remedy: `sign in again, and allow it: ${command}`, reason };
    }
    if (budgetsOf) yield* await budgetsOf(account);
    if (notificationsOf) yield* await notificationsOf(account);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    yield failedCheck(about, error);
    return false;
  }
}

async function examineRules(
  { rules }: DoctorOptions,
  { isDiscordKnown, signal }: { readonly isDiscordKnown: boolean; readonly signal: AbortSignal },
): Promise<readonly CheckResult[]> {
  try {
    const { channels, ...rest } = await rules(signal);
    // If the account itself does not work, results about its channels would mislead.
    return toResults({ ...rest, channels: isDiscordKnown ? channels : [] });
  } catch (error) {
    signal.throwIfAborted();
    return [failedCheck('rules', error)];
  }
}

function toResults({ on, off, mistakes, listMistakes, secrets, channels, published }: ExaminedRules): readonly CheckResult[] {
  const named = off.length <= MOST_NAMED ? off.map(offRuleText) : [];
  const summary: CheckResult =
    mistakes > 0
      ? {
          about: 'rules',
          state: 'bad',
          what: `the rule files have ${formatCount(mistakes, 'error')}`,
          remedy: PRINT_THEM,
          reason: { kind: 'ruleErrors', count: mistakes },
        }
      : {
          about: 'rules',
          state: on === 0 ? 'warning' : 'good',
          ...readyText({ on, off: off.length, named }),
          reason: { kind: 'rulesReady', on, off: off.length, named },
        };
  const inDiscord = 'correct the rule or the list, or change this in Discord';
  return [
    ...(published ? [published] : []),
    summary,
    ...(listMistakes > 0 ? [listErrors(listMistakes)] : []),
    ...problemsAbout('webhooks', secrets),
    ...problemsAbout('channels', channels, inDiscord),
  ];
}

const PRINT_THEM = 'print them: npx fanfare check';

function listErrors(count: number): CheckResult {
  const what = `the list files have ${formatCount(count, 'error')}`;
  return { about: 'lists', state: 'bad', what, remedy: PRINT_THEM, reason: { kind: 'listErrors', count } };
}

/** More rules than this are only counted. */
const MOST_NAMED = 2;

interface Ready {
  readonly on: number;
  readonly off: number;
  readonly named: readonly string[];
}

function readyText({ on, off, named }: Ready): Pick<CheckResult, 'what' | 'remedy'> {
  if (on + off === 0) return { what: 'none', remedy: 'write one: npx fanfare new' };
  if (off === 0) return { what: `${on} ready to run` };
  if (named.length === 0) return { what: `${on} ready to run, ${off} off`, remedy: 'see which rules are off: npx fanfare check' };
  return { what: `${on} ready to run, off: ${named.join('; ')}`, remedy: OFF_RULE_HINT };
}

/** The problems of rules, each with its positions. Without `remedy`, each problem has a hint. */
function problemsAbout(about: string, problems: readonly RuleProblem[], remedy?: string): readonly CheckResult[] {
  return [...Map.groupBy(problems, ({ message }) => message)].map(([message, uses]) => {
    const positions = [...new Set(uses.map(({ file, line, column }) => `${file}:${line}:${column}`))];
    return { about, state: 'warning', what: `${positions.join(', ')}: ${message}`, remedy: remedy ?? uses[0]?.hint };
  });
}
