import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { createEngine } from '#src/app/engine.ts';
import { learnAbout, platformsOf } from '#src/app/platforms.ts';
import { previewAccounts } from '#src/app/preview-accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { createClients } from '#src/clients/clients.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createObservers } from '#src/engine/observers.ts';
import { previewRule } from '#src/engine/simulation/preview/preview-rule.ts';
import type { PreviewView } from '#src/engine/simulation/preview/preview-view.ts';
import { silentLog } from '#src/log.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openStore } from '#src/store/store.ts';
import type { SandboxContext } from '#sandbox/context.ts';
import { discordServer } from '#sandbox/discord/discord.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { onRequestPlatforms } from '#sandbox/on-request.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { controlApi } from '../../../support/control-api.ts';
import { nearServer, near } from '../../../support/same-origin.ts';
import { fileWith, MP4, PNG, servePicture } from '../../../support/media-files.ts';
import type { CaseFiles } from './random-announcements.ts';
import { NO_LIMITS } from '../../../adapters/discord/open-chat.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { whileSleeping } from '../../../support/while-sleeping.ts';

/** A video with a sound track, which Mastodon takes only without other files. */
const HEARD = Buffer.concat([MP4, Buffer.from('hdlr\0\0\0\0\0\0\0\0soun', 'latin1')]);

const MOST_WAITS = 20;
const WAIT_MS = 60_000;

/** The simulated Discord, X, Bluesky, Mastodon and Twitch, with an account of Fanfare on each. */
export interface PreviewStage extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly files: CaseFiles;
  /** Starts a stream of Ada with a title. */
  goLive(title: string): void;
  /** Loads a rule; undefined: it is invalid. */
  load(source: string): Rule | undefined;
  /** Previews a rule for one item. */
  preview(rule: Rule): Promise<PreviewView>;
  /** Ends the stream of Ada. */
  endStream(): void;
  /** Starts Fanfare with a rule. */
  start(rule: Rule): Promise<RunningRule>;
}

interface RunningRule extends AsyncDisposable {
  /** Runs the rule once, and returns the deliveries of this poll in the order of their steps. */
  poll(): Promise<readonly Delivery[]>;
}

export async function openPreviewStage(): Promise<PreviewStage> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  const clock = new ManualClock('2026-11-20T18:00:00Z', { ticks: 3 });
  const limitless = (context: SandboxContext) => discordServer(context, { limits: NO_LIMITS });
  const sandbox = stack.use(await startSandbox({ clock, platforms: [twitchServer, limitless, nearServer, ...onRequestPlatforms] }));
  // Only accounts with X Premium edit posts.
  await controlApi(sandbox.url)('/x/premium', {});
  const address = near({ sandbox }, stack.use(await servePicture()));
  const variables = Object.assign({ FANFARE_DATA: folder.path }, sandbox.environment, ...Object.values(sandbox.onRequest));
  const config = configOfEnvironment(variables);
  const accounts = accountsOf(config);
  const kept = stack.use(await openStore({ clock }));
  const platforms = await platformsOf(config, { log: silentLog, store: kept, clock });
  const clients = createClients(platforms, clock);
  const { signal } = new AbortController();
  await whileSleeping(clock, learnAbout({ platforms, config, store: kept, log: silentLog, signal }));

  const opened = stack.move();
  return {
    sandbox,
    files: {
      picture: fileWith(PNG, { folder, name: 'card.png' }),
      video: fileWith(HEARD, { folder, name: 'clip.mp4' }),
      missing: `${folder.path}/no-such-file.png`,
      address,
      nowhere: address.replace('card.png', 'page'),
    },
    goLive: (title) => void sandbox.world.order({ do: 'goLive', user: 'ada', title }, clock.nowMs()),
    load(source) {
      return checkRule({ file: 'rule.yaml', source, catalogue, accounts, nowMs: clock.nowMs() }).rules[0];
    },
    preview: (rule) =>
      whileSleeping(clock, previewRule(rule, { accounts: previewAccounts(clients, platforms.discord), items: 1, clock, log: silentLog })),
    endStream: () => void sandbox.world.order({ do: 'end', user: 'ada' }, clock.nowMs()),
    async start(rule) {
      const store = await openStore({ clock });
      const deliveries = new Map<string, Delivery>();
      const earlier = new Set<string>();
      const observers = createObservers();
      observers.add({ delivered: (delivery) => void deliveries.set(delivery.id, delivery) });
      const { scheduler, deliveryEngine } = await createEngine({
        rules: [rule],
        clients,
        store,
        observers,
        eventBus: createEventBus(),
        health: createAccountHealth(() => undefined),
        clock,
        log: silentLog,
      });
      return {
        async poll() {
          for (const id of deliveries.keys()) earlier.add(id);
          await whileSleeping(clock, scheduler.run(rule.id));
          for (let waits = 0; waits < MOST_WAITS; waits++) {
            while (await whileSleeping(clock, deliveryEngine.deliverNext()));
            if (![...(await store.deliveryLog.list({ state: 'pending', limit: 1 })).items].some(({ error }) => error === undefined)) break;
            // The account has reached a limit.
            await clock.advance(WAIT_MS);
          }
          await clock.advance(WAIT_MS);
          // Failed deliveries of earlier polls are repeated.
          return [...deliveries.values()].filter(({ id }) => !earlier.has(id));
        },
        [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
