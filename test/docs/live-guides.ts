import { setTimeout as sleep } from 'node:timers/promises';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { createEngine, type Engine } from '#src/app/engine.ts';
import { platformsOf } from '#src/app/platforms.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { storedTokensIn } from '#src/app/stored-tokens.ts';
import { createClients, type Clients } from '#src/clients/clients.ts';
import { mergeConfig } from '#src/config/config.ts';
import { readFanfareFile } from '#src/config/read-fanfare-file.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createObservers } from '#src/engine/observers.ts';
import { recordedPollsOf } from '#src/engine/planner/recorded-polls.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';
import { readTestLists, type TestLists } from '#src/engine/testing/test-lists.ts';
import { silentLog } from '#src/log.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { bindLists } from '#src/rules/people/bind-lists.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { SandboxContext } from '#sandbox/context.ts';
import { discordServer } from '#sandbox/discord/discord.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { onRequestPlatforms } from '#sandbox/on-request.ts';
import { sandboxPlatforms } from '#sandbox/platforms.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { NO_LIMITS } from '../adapters/discord/open-chat.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { signedInChannel } from '../support/signed-in-channel.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isWritten, pollOf, recordedCase, type LiveRun } from './recorded-case.ts';

const MINUTE_MS = 60_000;
/** Work that takes longer in real time waits for the clock, for example for a rate limit. */
const ROUND_MS = 40;
const STEP_MS = 250;

/** The changes in the simulated platforms, by minute of the run. */
export interface LiveWorld {
  readonly sandbox: Sandbox;
  readonly clients: Clients;
}

export interface LiveOptions {
  /** Rule files. */
  readonly sources: readonly string[];
  /** Rule files that also run, for example those whose episodes the others read. */
  readonly others?: readonly string[];
  readonly lists: TestLists;
  readonly startMs: number;
  readonly minutes: number;
  readonly play: (minute: number, world: LiveWorld) => Promise<unknown>;
}

export interface LiveResult {
  /** The number of steps that wrote. */
  readonly sent: number;
  /** What differs between the run and a test of the rule with the polls and results of this run. */
  readonly differences: readonly string[];
}

/** Runs rules in the engine over the servers of the sandbox. Then runs each as a test that has the polls and results of that run. Returns the results by id. */
export async function runLive({
  sources,
  others = [],
  lists,
  startMs,
  minutes,
  play,
}: LiveOptions): Promise<ReadonlyMap<string, LiveResult>> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  const clock = new ManualClock(startMs);
  // discord.js measures the windows of limits with the time of the machine, which is much slower than the clock of the run.
  const platforms = [...sandboxPlatforms, ...onRequestPlatforms].map((platform) =>
    platform === discordServer ? (context: SandboxContext) => discordServer(context, { limits: NO_LIMITS }) : platform,
  );
  const sandbox = stack.use(await startSandbox({ clock, platforms }));
  const variables = Object.assign({ FANFARE_DATA: folder.path }, sandbox.environment, ...Object.values(sandbox.onRequest));
  const { file } = readFanfareFile('fanfare.yaml', 'defaults: { streaming: twitch, social: mastodon }');
  const { config } = mergeConfig(variables, file);
  const accounts = accountsOf(config);
  const load = (source: string): readonly Rule[] => checkRule({ file: 'rule.yaml', source, catalogue, accounts, nowMs: startMs }).rules;
  const rules = sources.flatMap(load);

  const store = stack.use(await openStore({ clock }));
  const channel = await signedInChannel({ url: sandbox.url, environment: sandbox.environment, clock });
  await storedTokensIn(store, config, silentLog)('twitch').save((await channel.load()) ?? {});
  const used = await platformsOf(config, { log: silentLog, store, clock });
  const [assistant] = used.models;
  const clients = createClients(used, clock, { assistant, keep: { transcripts: store.transcripts } });
  const deliveries = new Map<string, Delivery>();
  const slots = new Map<string, Set<number>>();
  const firedMs = new Map<string, number>();
  const observers = createObservers();
  observers.add({
    delivered: (delivery) => void deliveries.set(delivery.id, delivery),
    slotCommitted({ rule, slotMs, firings }) {
      slots.set(rule, (slots.get(rule) ?? new Set()).add(slotMs));
      for (const { id, atMs } of firings) firedMs.set(id, atMs);
    },
  });
  const engine = await createEngine({
    rules: [...rules, ...others.flatMap(load)].map((rule) => ({ ...rule, enabled: true })),
    clients,
    store,
    observers,
    eventBus: createEventBus(),
    listSource: { current: () => Promise.resolve(readTestLists(lists)) },
    health: createAccountHealth(() => undefined),
    clock,
    log: silentLog,
  });
  const stopping = new AbortController();
  const sending = engine.deliveryEngine.run(stopping.signal);
  stack.defer(async () => {
    stopping.abort();
    await sending;
  });

  for (let minute = 0; minute <= minutes; minute++) {
    await clock.advance(Math.max(0, startMs + minute * MINUTE_MS - clock.nowMs()));
    await during(play(minute, { sandbox, clients }), clock);
    await during(engine.scheduler.tick(), clock);
    await during(untilIdle(engine, { store, clock }), clock);
  }
  await during(store.recordedPolls.flush(), clock);

  const limits = { ...accounts['social']?.usualTextLimits, ...accounts['social']?.textLimits };
  const run: LiveRun = { deliveries: [...deliveries.values()], slots, firedMs, lists, startMs, endMs: clock.nowMs() };
  const results = new Map<string, LiveResult>();
  for (const rule of rules) {
    const polls = [];
    for await (const { slotMs, poll } of recordedPollsOf(bindLists(rule, readTestLists(lists)), store.recordedPolls, startMs)) {
      if (slots.get(rule.id)?.has(slotMs))
        polls.push(pollOf(slotMs - startMs, 'items' in poll ? { items: poll.items } : { error: poll.failure }));
    }
    const tests = { file: 'live.test.yaml', rule: rule.name, startMs, cases: [recordedCase(rule, run, polls)] };
    const [result] = await runRuleTests({ tests, rules: [rule], catalogue, textLimitOf: (account) => limits[account] });
    // A test also does what waits after the end of the run.
    const mismatches = (result?.mismatches ?? []).filter((one) => !('sent' in one) || one.sent.atMs <= run.endMs - startMs);
    const ours = run.deliveries.filter((one) => one.rule === rule.id);
    const lost = ours.filter(({ state }) => state === 'failed' || state === 'unknown');
    results.set(rule.id, {
      sent: ours.filter(isWritten).length,
      differences: [
        ...(result?.errors ?? ['the test did not run']),
        ...mismatches.map((one) => JSON.stringify(one)),
        ...lost.map((one) => `${one.do} as ${one.account} failed on the sandbox: ${one.error?.message ?? ''}`),
      ],
    });
  }
  return results;
}

/** Waits for work that can wait for the clock. */
async function during(work: Promise<unknown>, clock: ManualClock): Promise<void> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  const ended = work.then(end, end);
  for (;;) {
    const round = new AbortController();
    // An aborted pause rejects.
    await Promise.race([ended, sleep(ROUND_MS, undefined, { signal: round.signal }).catch(() => undefined)]);
    round.abort();
    if (isOver) break;
    await clock.advance(STEP_MS);
  }
  await work;
}

/** Resolves when nothing can be sent now. A step that waits for an answer or another step is not due. */
async function untilIdle(
  { deliveryEngine }: Engine,
  { store: { deliveries }, clock }: { readonly store: Store; readonly clock: ManualClock },
): Promise<void> {
  async function isAtWork(): Promise<boolean> {
    for (const account of await deliveries.accounts()) {
      if ((await deliveries.due(account, { nowMs: clock.nowMs(), limit: 1 })).length > 0) return true;
    }
    return false;
  }
  while (await isAtWork()) {
    deliveryEngine.wake();
    // Real time, because deliveries wait for requests.
    await sleep(8);
  }
}
