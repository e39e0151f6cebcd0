import type { FirstRun } from '#src/admin/access/access.ts';
import { sandboxUseOf, type SandboxUse } from '#src/config/accounts.ts';
import { isOnIn } from '#src/config/is-on.ts';
import { brokenFiles, type BrokenFile } from '#src/engine/rule-sets/broken-files.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { offRules, type OffRule } from '#src/rules/messages/off-rules.ts';
import * as parts from './app-parts.ts';
import { partsWith } from './parts.ts';
import { settings, type AppOptions } from './settings.ts';

/** A running Fanfare. */
export interface App extends AsyncDisposable {
  /** The address of the page. */
  readonly url: string;
  readonly sandbox: SandboxUse;
  /** The address of the sandbox in this process. */
  readonly sandboxUrl?: string | undefined;
  /** How the first admin is created; absent if people can sign in, or if only this machine reaches the page. */
  readonly firstRun?: FirstRun | undefined;
  /** The ids of the running rules. */
  readonly rules: readonly string[];
  readonly off: readonly OffRule[];
  /** The rule files with errors, and the number of errors in each. */
  readonly out: readonly BrokenFile[];
  /** The formatted diagnostics of the rule files. */
  readonly diagnostics: readonly string[];
  /** Reloads the rule files; resolves with whether a rule changed; undefined: the files cannot be read. */
  readonly reload: () => Promise<boolean | undefined>;
  /**
   * Resolves when the clock was set back. The state in memory has later instants, so Fanfare has to restart. Rejects with `ConfigError`
   * if a newer Fanfare migrated the database.
   */
  readonly clockSetBack: Promise<void>;
}

/** Starts all parts: rules run, the delivery engine sends, the bot answers in Discord, and the page is served. */
export async function startApp(options: AppOptions): Promise<App> {
  const given = settings(options);
  const started = await partsWith(given, given.stopping)
    .with(parts.sandbox)
    .with(parts.state)
    .with(parts.membership)
    .with(parts.observation)
    .with(parts.accounts)
    .with(parts.rules)
    .with(parts.engine)
    .with(parts.operators)
    .with(parts.bot)
    .with(parts.page)
    .with(parts.work)
    .start();
  const { config, sandboxUrl, url, firstRun, registry, reloads, restart } = started.given;
  return {
    url,
    sandbox: sandboxUseOf(config),
    sandboxUrl,
    firstRun,
    rules: registry.running.map(({ id }) => id),
    off: offRules(registry.now.rules, isOnIn(config)),
    out: brokenFiles(registry.now),
    diagnostics: registry.now.diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, { color: options.color })),
    reload: reloads.reload,
    clockSetBack: restart.promise,
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}
