import { storedValues } from '#src/admin/actions/stored-values.ts';
import { secretsOf } from '#src/config/accounts.ts';
import { openConfig } from '#src/config/open-config.ts';
import type { FollowSourcesOptions } from '#src/engine/lists/follow-sources.ts';
import { eitherOf, readUnread } from '#src/engine/lists/unread-sources.ts';
import { createLog, silentLog } from '#src/log.ts';
import type { Previewer } from '#src/engine/simulation/preview/preview-view.ts';
import { previewRule } from '#src/engine/simulation/preview/preview-rule.ts';
import { openStore } from '#src/store/store.ts';
import { createClients } from '#src/clients/clients.ts';
import { openLists } from './open-lists.ts';
import { learnSoon, platformsOf } from './platforms.ts';
import { previewAccounts } from './preview-accounts.ts';
import { ruleViews } from './rule-views.ts';
import { hasStoredState, openState } from './stored-state.ts';

export interface OpenPreviewerOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each log line. */
  readonly write: (line: string) => void;
}

/** Opens the previewer of `fanfare preview`. Without an account, it reads from the running sandbox or starts a new one. */
export async function openPreviewer({ environment, write }: OpenPreviewerOptions): Promise<Previewer> {
  await using stack = new AsyncDisposableStack();
  const configured = openConfig(environment);
  const { config, isRunning } =
    configured.sandbox === 'inside'
      ? await (await import('./sandbox.ts')).openPreviewSandbox(configured, stack)
      : { config: configured, isRunning: true };
  const log = createLog({ level: 'warn', secrets: secretsOf(config), write, color: false });
  const kept = stack.use(await (hasStoredState(config) ? openState(config) : openStore()));
  const { clock } = kept;
  // Questions of a preview to an assistant, and people of lists that it reads, are not stored.
  const { transcripts, listSources: unstored } = stack.use(await openStore({ clock }));
  const platforms = await platformsOf(config, { log, store: { ...kept, transcripts }, clock });
  const [assistant] = platforms.models;
  const clients = createClients(platforms, clock, { assistant, keep: { transcripts } });
  await learnSoon({ platforms, config, store: kept, log });
  const accounts = previewAccounts(clients, platforms.discord);
  const stored = kept.listSources;
  const { listSource, filesOnly: folder } = openLists({ config, store: { ...kept, listSources: eitherOf(stored, unstored) }, log });
  const { signal } = new AbortController();
  const read: FollowSourcesOptions['read'] = ({ verb, account, params }, stop) =>
    accounts.poll({ verb, account, params: { ...params, pages: 'all' } }, { signal: stop });
  const opened = stack.move();
  return {
    startedSandbox: !isRunning,
    preview: (id, items) =>
      ruleViews(config, {
        id,
        nowMs: clock.nowMs(),
        view: async (rule) => {
          await readUnread(rule, { folder, stored, unstored, read, clock, log: silentLog, signal });
          return previewRule(rule, { accounts, items, lists: listSource, kept: await storedValues(rule, kept.ruleStates), clock, log });
        },
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
