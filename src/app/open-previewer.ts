import type { AssistantPlatform } from '#src/assistant/port.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { secretsOf } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { openConfig } from '#src/config/open-config.ts';
import { createLog } from '#src/log.ts';
import type { Previewer } from '#src/queries/preview-view.ts';
import { previewRule } from '#src/simulation/preview/preview-rule.ts';
import { openStore } from '#src/store/store.ts';
import { createClients } from './clients.ts';
import { learnSoon, type PlatformsOf } from './platforms.ts';
import { previewAccounts } from './preview-accounts.ts';
import { ruleViews } from './rule-views.ts';
import { hasStoredState, openState } from './stored-state.ts';

export interface OpenPreviewerOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each log line. */
  readonly write: (line: string) => void;
  readonly platformsOf: PlatformsOf;
  /** The models of all assistants, and the default one. */
  readonly modelsOf: (
    config: Config,
    clock: Clock,
  ) => { readonly models: readonly AssistantPlatform[]; readonly assistant: AssistantPlatform | undefined };
}

/** Opens the previewer of `fanfare preview`. Without an account, it reads from the running sandbox or starts a new one. */
export async function openPreviewer({ environment, write, platformsOf, modelsOf }: OpenPreviewerOptions): Promise<Previewer> {
  await using stack = new AsyncDisposableStack();
  const configured = openConfig(environment);
  const clock = systemClock;
  const { config, isRunning } =
    configured.sandbox === 'inside'
      ? await (await import('./sandbox.ts')).openPreviewSandbox(configured, stack)
      : { config: configured, isRunning: true };
  const log = createLog({ level: 'warn', secrets: secretsOf(config), write, color: false });
  const kept = stack.use(await (hasStoredState(config) ? openState(config, { clock }) : openStore({ clock })));
  // Questions of a preview to an assistant are not stored.
  const { transcripts } = stack.use(await openStore({ clock }));
  const { models, assistant } = modelsOf(config, clock);
  const platforms = await platformsOf(config, { log, store: { ...kept, transcripts }, models, clock });
  const clients = createClients(platforms, clock, { assistant, keep: { transcripts } });
  await learnSoon({ platforms, config, store: kept, log });
  const accounts = previewAccounts(clients, platforms.discord);
  const opened = stack.move();
  return {
    startedSandbox: !isRunning,
    preview: (id, items) =>
      ruleViews(config, { id, nowMs: clock.nowMs(), view: (rule) => previewRule(rule, { accounts, items, clock, log }) }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
