import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '#sandbox/index.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { createClients } from '#src/clients/clients.ts';
import { createEngine } from '#src/app/engine.ts';
import { platformsOf } from '#src/app/platforms.ts';
import { startApp } from '#src/app/app.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { silentLog } from '#src/log.ts';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { hash, planSteps, type Firing } from '#src/rules/firing.ts';
import type { Step } from '#src/rules/step.ts';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';
import { openStore } from '#src/store/store.ts';
import { controlApi } from './control-api.ts';
import { countExecutedFiles } from './executed-files.ts';
import { ManualClock } from './manual-clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

const EVERY_MS = 60_000;
const WARM_UPS = 5;
const MEASURED = 5;

const RULE = `
id: job
when:
  every: 1m
  watch: streaming.getTopStreams
  take: 20
  changes: [entered]
then:
  - do: social.createPost
    with: { text: "\${{ item.owner.displayName }} is #\${{ item.rank }} \${{ item.url }}" }
`;

/** The files in which a function is executed on each path, after a warm-up. */
export interface PathFiles {
  /** From tick to commit of a poll of one rule on Twitch that announces someone. */
  readonly poll: readonly string[];
  /** From the lane to the receipt of a post to a social platform. */
  readonly post: readonly string[];
  /** From the lane to the receipt of a message to Discord. */
  readonly message: readonly string[];
  /** From the interaction to the response of `/automation list`. */
  readonly command: readonly string[];
}

/** Measures the three paths on the sandbox. */
export async function pathFiles(): Promise<PathFiles> {
  return { ...(await enginePaths()), command: await commandFiles() };
}

async function enginePaths(): Promise<Omit<PathFiles, 'command'>> {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  await using sandbox = await startSandbox({ clock, seed: 7 });
  const config = configOfEnvironment(sandbox.environment);
  await using store = await openStore({ clock });
  const { rules, diagnostics } = checkRule({
    file: 'rules/job.yaml',
    source: RULE,
    catalogue,
    accounts: accountsOf(config),
    nowMs: clock.nowMs(),
  });
  if (rules.length === 0) throw new Error(JSON.stringify(diagnostics));
  const clients = createClients(await platformsOf(config, { log: silentLog, store, clock }), clock);
  const eventBus = createEventBus();
  const { scheduler, deliveryEngine } = await createEngine({
    rules,
    clients,
    store,
    eventBus,
    health: createAccountHealth(() => undefined),
    clock,
    log: silentLog,
  });
  using executed = countExecutedFiles();
  const polls: (readonly string[])[] = [];
  for (let round = 0; round < WARM_UPS + MEASURED; round++) {
    await clock.advance(EVERY_MS);
    executed.take();
    await scheduler.tick();
    if (round >= WARM_UPS) polls.push(executed.take());
  }

  const stopping = new AbortController();
  const running = deliveryEngine.run(stopping.signal);
  while ((await store.deliveryLog.list({ state: 'pending', limit: 1 })).items.length > 0) await settle(store.deliveries.accounts(), clock);

  /** Commits a firing with one step, and measures from the lane to the receipt. */
  async function send(step: Step, index: number): Promise<readonly string[]> {
    const [account = ''] = step.as;
    const sent = Promise.withResolvers<void>();
    const stop = eventBus.subscribe((event) => {
      if (event.kind !== 'delivery' || event.delivery.rule !== `${step.do} ${index}`) return;
      if (event.delivery.state === 'sent') sent.resolve();
      if (event.delivery.state === 'failed') sent.reject(new Error(event.delivery.error?.message));
    });
    await store.ruleStates.commit(commitOf(step, `${step.do} ${index}`, clock.nowMs()));
    executed.take();
    deliveryEngine.wake([account]);
    await settle(sent.promise, clock);
    stop();
    return executed.take();
  }

  async function sendAll(step: Step): Promise<readonly string[]> {
    const files = new Set<string>();
    for (let round = 0; round < WARM_UPS + MEASURED; round++) {
      const executedNow = await send(step, round);
      if (round >= WARM_UPS) for (const file of executedNow) files.add(file);
    }
    return [...files].toSorted();
  }

  const common = { creates: true, reads: [] } as const;
  const text = '${{ item.owner.displayName }} is live: ${{ item.title }} ${{ item.url }}';
  const post = await sendAll({ ...common, do: 'social.createPost', with: { text }, as: ['sandbox'] });
  const message = await sendAll({ ...common, do: 'discord.send', with: { channel: 'announcements', content: text }, as: ['discord'] });
  stopping.abort();
  await running;
  return { poll: [...new Set(polls.flat())].toSorted(), post, message };
}

function commitOf(step: Step, rule: string, atMs: number): Commit {
  const occasion = { rule, episode: `ada@${atMs}`, section: 'then', occasion: '1' } as const;
  const firing: Firing = {
    ...occasion,
    id: hash(rule, 'ada'),
    queue: `${rule}/ada`,
    atMs,
    scope: {
      rule: { id: rule },
      now: new Date(atMs).toISOString(),
      item: { id: '1', owner: { id: '1', name: 'ada', displayName: 'Ada' }, title: rule, url: 'https://streaming.example/ada' },
    },
    names: { watch: 'streaming.getStreams', per: 'item', steps: {} },
    sees: [],
    evenIfUnchanged: false,
    steps: planSteps([step], occasion),
  };
  return { rule, slotMs: atMs, firings: [firing], withdrawals: [], decisions: [] };
}

/** Advances the clock as long as the work waits for it. */
async function settle(work: Promise<unknown>, clock: ManualClock): Promise<void> {
  let isDone = false;
  const over = (): void => void (isDone = true);
  work.then(over, over);
  for (let sinceMs = performance.now(); !isDone;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (performance.now() - sinceMs < 100) continue;
    await clock.advance(1_000);
    sinceMs = performance.now();
  }
  await work;
}

/** The whole program on a sandbox, connected to Discord. */
export interface RunningProgram extends AsyncDisposable {
  /** The log. */
  readonly lines: readonly string[];
  /** Sends `/automation list`, and resolves with the response. */
  listRules(): Promise<unknown>;
}

export async function openProgram(rules: Readonly<Record<string, string>>): Promise<RunningProgram> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(temporaryFolder({ inMemory: true }));
  mkdirSync(join(path, 'rules'));
  for (const [name, source] of Object.entries(rules)) writeFileSync(join(path, 'rules', name), source);
  const sandbox = stack.use(await startSandbox({ seed: 7 }));
  const connected = Promise.withResolvers<void>();
  const lines: string[] = [];
  const environment = { ...sandbox.environment, PORT: '0', FANFARE_DATA: join(path, 'data'), FANFARE_RULES: join(path, 'rules') };
  const write = (line: string): void => {
    lines.push(line);
    if (line.includes('Discord is connected')) connected.resolve();
  };
  stack.use(await startApp({ environment, write, color: false }));
  await connected.promise;
  const control = controlApi(sandbox.url);
  const { members } = await control<{ readonly members: readonly { readonly username: string; readonly bot: boolean }[] }>('/discord');
  const order = { user: members.find(({ bot }) => !bot)?.username, channel: 'general', command: 'automation list' };
  const open = stack.move();
  return {
    lines,
    listRules: () => control('/discord/interactions', order),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

async function commandFiles(): Promise<readonly string[]> {
  await using program = await openProgram({ 'idle.yaml': RULE.replace('every: 1m', 'every: 12h') });
  using executed = countExecutedFiles();
  const rounds: ReadonlySet<string>[] = [];
  for (let round = 0; round < WARM_UPS + MEASURED; round++) {
    executed.take();
    await program.listRules();
    rounds.push(new Set(executed.take()));
  }
  // A tick, or a heartbeat, may fall into single rounds.
  const [first = new Set<string>(), ...others] = rounds.slice(WARM_UPS);
  return [...others.reduce((common, files) => common.intersection(files), first)].toSorted();
}
