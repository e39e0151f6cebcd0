import { z } from 'zod';
import type { DiscordPlatform } from '#adapters/discord/index.ts';
import type { AssistantPlatform } from '#src/assistant/port.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { secretsOf, type Account } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { offRules } from '#src/rules/messages/off-rules.ts';
import { createLog, silentLog, type Log } from '#src/log.ts';
import type { Scope } from '#src/secrets/sign-in.ts';
import type { Store } from '#src/store/store.ts';
import { createChannelChecks } from '#src/channel-checks/channel-checks.ts';
import { isOn } from '#src/config/is-on.ts';
import { openConfig } from '#src/config/open-config.ts';
import { keyFileOf, makeDataDirectory } from '#src/config/data-directory.ts';
import { examineVersion } from '#src/doctor/published-rules.ts';
import { examineDatabase } from './examine-database.ts';
import { openRegistry } from './open-registry.ts';
import { examineOtherKeys } from './shared-key.ts';
import { storedTokensIn } from './stored-tokens.ts';
import { browserSignInOf, ungranted, type BrowserSignIns } from '#src/sign-in/sign-in.ts';
import { learnAbout } from './platforms.ts';
import { spendingsIn } from './spending.ts';
import { canPost, identifyAccount, type IdentifyAccountOptions } from './identify-account.ts';
import { examineBudget } from '#src/doctor/budgets.ts';
import { createDoctor, type Doctor } from '#src/doctor/doctor.ts';

/** The stored form of every sign-in. */
const Kept = z.object({ scopes: z.array(z.string()).optional() });

export interface OpenDoctorOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each log line. */
  readonly write: (line: string) => void;
  /** The adapters of accounts. */
  readonly platformsOf: (
    config: Config,
    parts: { readonly log: Log; readonly store: Store; readonly models: readonly AssistantPlatform[]; readonly clock: Clock },
  ) => Promise<IdentifyAccountOptions['platforms'] & { readonly discord: readonly DiscordPlatform[] }>;
  readonly signIns: BrowserSignIns;
}

/** Opens the checks of `fanfare doctor`. */
export async function openDoctor({ environment, write, platformsOf, signIns }: OpenDoctorOptions): Promise<Doctor> {
  await using stack = new AsyncDisposableStack();
  const config = openConfig(environment);
  await makeDataDirectory(config);
  const clock = systemClock;
  const { store, database } = await examineDatabase(config, clock);
  stack.use(store);
  const log = createLog({ level: 'error', secrets: secretsOf(config), write, color: false });
  const tokensOf = storedTokensIn(store, config, log);
  const parts = { log, store, models: [], clock };

  async function missingScopes(account: Account): Promise<readonly Scope[]> {
    const wanted = browserSignInOf(account, signIns)?.scopes ?? [];
    const { scopes } = Kept.catch({}).parse(wanted.length === 0 ? {} : ((await tokensOf(account.account).load()) ?? {}));
    return scopes === undefined ? [] : ungranted(wanted, scopes);
  }

  async function rules(signal: AbortSignal): ReturnType<Parameters<typeof createDoctor>[0]['rules']> {
    const { ruleVersions: versions } = store;
    const { now, running, version } = await openRegistry({ config, versions, stored: new Map(), nowMs: () => clock.nowMs() });
    await using sandbox = new AsyncDisposableStack();
    const withAccounts =
      config.sandbox === 'inside' ? (await (await import('./sandbox.ts')).openPreviewSandbox(config, sandbox)).config : config;
    const { discord: servers } = await platformsOf(withAccounts, parts);
    const checks = createChannelChecks({ servers, rules: () => running, onChange: () => undefined, clock, log: silentLog });
    await checks.check(signal);
    return {
      on: running.length,
      off: offRules(now.rules, (rule) => isOn(rule, config)),
      mistakes: now.diagnostics.filter(({ severity }) => severity === 'error').length,
      published: versions && examineVersion(version),
      channels: running.flatMap((rule) => checks.diagnosticsOf(rule)),
    };
  }

  const doctor = createDoctor({
    machine: { dataDirectory: config.dataDirectory, keyFile: keyFileOf(config), hasEnvironmentKey: config.key !== undefined },
    accounts: config.accounts,
    usesSandbox: config.sandbox === 'inside',
    async whoIs(account, signal) {
      const platforms = await platformsOf({ ...config, accounts: [account] }, parts);
      const who = await identifyAccount(account, { platforms, clock, signal });
      await learnAbout({ platforms, config, store, log, signal });
      return who;
    },
    async recoveryProblems(account, signal) {
      const isSignedIn = account.platform !== 'x' || canPost(account);
      const { social } = isSignedIn ? await platformsOf({ ...config, accounts: [account] }, parts) : { social: [] };
      const problems = await Promise.all(social.map(async (platform) => (await platform.recoveryProblems?.({ signal })) ?? []));
      return problems.flat();
    },
    missingScopes,
    budgetsOf: (account) => examineBudget(account.account, spendingsIn(store, config, clock)(account)),
    rules,
    storedClock: store.storedClock,
    database,
    otherKeys: await examineOtherKeys(store, config),
    clock,
  });
  const opened = stack.move();
  return { ...doctor, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
