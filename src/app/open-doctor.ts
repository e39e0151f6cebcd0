import { z } from 'zod';
import { definitionOf, secretsOf, type Account } from '#src/config/accounts.ts';
import type { NotifierReport, NotifierStore } from '#src/clients/operation/notifier.ts';
import { SECRET_CODE, type Diagnostic } from '#src/rules/diagnostic.ts';
import { offRules } from '#src/rules/messages/off-rules.ts';
import { createLog, silentLog } from '#src/log.ts';
import type { Scope } from '#src/http/secrets/sign-in.ts';
import { createChannelChecks } from '#src/admin/channel-checks/channel-checks.ts';
import { isOnIn } from '#src/config/is-on.ts';
import { openConfig } from '#src/config/open-config.ts';
import { keyFileOf, makeDataDirectory } from '#src/config/data-directory.ts';
import { examineVersion } from '#src/admin/doctor/examine-version.ts';
import { notificationEndpoints } from './notification-endpoints.ts';
import { emptiedFolder } from './emptied-folder.ts';
import { lateWebhooksOf } from './late-webhooks.ts';
import { examineDatabase } from './examine-database.ts';
import { listDiagnosticsOf, openLists } from './open-lists.ts';
import { openRegistry } from './open-registry.ts';
import { examineOtherKeys } from './shared-key.ts';
import { storedTokensIn } from './stored-tokens.ts';
import { browserSignInOf, ungranted } from '#src/admin/accounts/account-actions.ts';
import { learnAbout, platformsOf } from './platforms.ts';
import { ruleOperations } from './rule-operations.ts';
import { spendingsIn } from './spending.ts';
import { identifyAccount } from './identify-account.ts';
import { examineBudget } from '#src/admin/doctor/budgets.ts';
import { examineNotifications } from '#src/admin/doctor/notifications.ts';
import { createDoctor, type Doctor } from '#src/admin/doctor/doctor.ts';

/** The stored form of every sign-in. */
const Kept = z.object({ scopes: z.array(z.string()).optional() });

export interface OpenDoctorOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default: `.env` in the working directory. */
  readonly environmentFile?: string | undefined;
  /** Receives each log line. */
  readonly write: (line: string) => void;
}

/** Opens the checks of `fanfare doctor`. */
export async function openDoctor({ environment, environmentFile = '.env', write }: OpenDoctorOptions): Promise<Doctor> {
  await using stack = new AsyncDisposableStack();
  const config = openConfig(environment);
  await makeDataDirectory(config);
  const { store, database } = await examineDatabase(config);
  const { clock } = store;
  stack.use(store);
  const log = createLog({ level: 'error', secrets: secretsOf(config), write, color: false });
  const tokensOf = storedTokensIn(store, config, log);
  const parts = { log, store, clock };

  async function missingScopes(account: Account): Promise<readonly Scope[]> {
    const definition = definitionOf(account);
    const operationsOf = (): Promise<ReadonlySet<string>> => ruleOperations(account.account, { config, store, clock });
    const asChannel = definition.channelSignIn && (await definition.channelSignIn(account, { clock, operations: await operationsOf() }));
    const wanted = (asChannel ?? (await browserSignInOf(account)))?.scopes ?? [];
    const { scopes } = Kept.catch({}).parse(wanted.length === 0 ? {} : ((await tokensOf(account.account).load()) ?? {}));
    // Rules may need a channel that never signed in.
    if (scopes === undefined) return asChannel?.isNeeded === true ? wanted : [];
    return ungranted(wanted, scopes);
  }

  async function rules(signal: AbortSignal): ReturnType<Parameters<typeof createDoctor>[0]['rules']> {
    const { ruleVersions: versions } = store;
    const stored = await store.ruleSources.load();
    const registry = await openRegistry({ config, store, versions, stored, nowMs: () => clock.nowMs() });
    const emptied = emptiedFolder({ config, registry });
    if (emptied) throw emptied;
    const { now, running, version } = registry;
    await using sandbox = new AsyncDisposableStack();
    const withAccounts =
      config.sandbox === 'inside' ? (await (await import('./sandbox.ts')).openPreviewSandbox(config, sandbox)).config : config;
    const { discord: servers } = await platformsOf(withAccounts, parts);
    const { listSource: lists } = openLists({ config, store, log: silentLog });
    const checks = createChannelChecks({ servers, rules: () => running, lists, onChange: () => undefined, clock, log: silentLog });
    await checks.check(signal);
    return {
      on: running.length,
      off: offRules(now.rules, isOnIn(config)),
      mistakes: errorsIn(now.diagnostics),
      listMistakes: errorsIn(await listDiagnosticsOf(config, store)),
      published: versions && examineVersion(version),
      secrets: now.diagnostics.filter(({ code }) => code === SECRET_CODE),
      channels: running.flatMap((rule) => checks.diagnosticsOf(rule)),
    };
  }

  const doctor = createDoctor({
    machine: {
      dataDirectory: config.dataDirectory,
      keyFile: keyFileOf(config),
      environmentKey: config.key,
      environmentFile,
    },
    accounts: config.accounts,
    usesSandbox: config.sandbox === 'inside',
    async whoIs(account, signal) {
      const platforms = await platformsOf({ ...config, accounts: [account] }, parts);
      const who = await identifyAccount(account, { platforms, clock, signal });
      await learnAbout({ platforms, config, store, log, signal });
      return who;
    },
    async recoveryProblems(account, signal) {
      const isSignedIn = definitionOf(account).knownUser?.(account) === undefined;
      const { social } = isSignedIn ? await platformsOf({ ...config, accounts: [account] }, parts) : { social: [] };
      const problems = await Promise.all(social.map(async (platform) => (await platform.recoveryProblems?.({ signal })) ?? []));
      return problems.flat();
    },
    missingScopes,
    budgetsOf: (account) => examineBudget(account.account, spendingsIn(store, config, clock)(account)),
    async notificationsOf(account) {
      const { webhookSetting: setting } = definitionOf(account);
      const url = notificationEndpoints({ config, store, log }).endpointOf(account.account)?.url;
      const webhook = setting !== undefined && url !== undefined ? { setting, url } : undefined;
      return examineNotifications(account.account, await runningReport(account.account, store.notifiers), webhook);
    },
    feeds: async () => examineNotifications('feeds', await runningReport('feed', store.notifiers)),
    lateWebhooks: lateWebhooksOf({ config, store, clock }),
    rules,
    storedClock: store.storedClock,
    database,
    otherKeys: await examineOtherKeys(store, config),
    clock,
    clockName: store.ruleVersions && 'the clock of the database',
  });
  const opened = stack.move();
  return { ...doctor, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

function errorsIn(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter(({ severity }) => severity === 'error').length;
}

/** How long a free lock takes to claim at most. */
const CLAIM_MS = 2_000;

/** The report of an account that a process is connected for. A process that was killed leaves its last report. */
async function runningReport(account: string, notifiers: NotifierStore): Promise<NotifierReport | undefined> {
  const report = await notifiers.report(account);
  if (report?.state !== 'connected') return report;
  const waiting = new AbortController();
  const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(CLAIM_MS)]);
  try {
    const claim = await notifiers.claim({ account, isSubstitute: false, onWait: () => waiting.abort(), signal });
    claim[Symbol.dispose]();
    return undefined;
  } catch (error) {
    if (!signal.aborted) throw error;
    return report;
  }
}
