import { describe, expect, test } from 'vitest';
import { twitch } from '#adapters/twitch/index.ts';
import { createClients } from '#src/clients/clients.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { accountsOn } from '#src/config/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { silentLog } from '#src/log.ts';
import { readAll } from '#src/clients/operation/client.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { memoryStates } from '../support/memory-states.ts';

const USER = 'mabel';

const source = (user: string): string => `
id: card
when: { every: 15s, watch: streaming.getStreams, with: { users: [${user}] }, grace: 2m }
then: [{ id: card, do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }]
finally: [{ do: discord.edit, with: { message: "\${{ steps.card.id }}", content: over } }]
`;

interface Scene extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** A person who is not live. */
  readonly user: string;
  /** Advances the clock by seconds, with a tick for each. */
  pass(seconds: number): Promise<void>;
  order(order: 'goLive' | 'end', broadcastId?: string): string;
  /** The fired sections, in order. */
  fired(): readonly string[];
}

/** A rule that watches one channel of the sandbox through the production adapter, with a manual clock. */
async function openScene(): Promise<Scene> {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const sandbox = await startSandbox({ clock });
  const config = configOfEnvironment(sandbox.environment);
  const [account] = accountsOn('twitch', config.accounts);
  if (!account) throw new Error('the sandbox plays Twitch');
  const platform = twitch({ ...account, clock });
  const clients = createClients({ streaming: [platform], social: [], discord: [] }, clock);
  const live = new Set(sandbox.world.liveAt(clock.nowMs()).map(({ person }) => person.id));
  const user = sandbox.world.people.find(({ id, handle }) => !live.has(id) && /^[a-z]/.test(handle))?.handle ?? USER;
  const accounts = accountsOf({ ...config, sandbox: 'inside' });
  const { rules, diagnostics } = checkRule({ file: 'card.yaml', source: source(user), catalogue, accounts });
  if (rules.length === 0) throw new Error(JSON.stringify(diagnostics));

  const states = memoryStates();
  const planner = createPlanner({
    async poll({ verb, account, params }) {
      const { client, declared } = clients.operationOf(verb, account);
      if (declared.kind !== 'list') throw new Error(`${verb} is no list`);
      return readAll(client, declared, params);
    },
    log: silentLog,
  });
  const scheduler = await createScheduler({
    rules,
    states,
    read: (due, onPoll, signal) => planner.read(due, onPoll, signal),
    advance,
    onCommit: () => undefined,
    clock,
    log: silentLog,
  });

  return {
    sandbox,
    user,
    async pass(seconds) {
      for (let second = 0; second < seconds; second++) {
        await clock.advance(1000);
        const round = scheduler.tick();
        await untilDone(round, clock);
      }
    },
    order: (order, broadcastId) => sandbox.world.order({ do: order, user, broadcastId }, clock.nowMs())?.id ?? '',
    fired: () => states.commits.flatMap(({ firings }) => firings.map(({ section }) => section)),
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** Waits for a round, and advances the clock for delayed requests. */
async function untilDone(round: Promise<void>, clock: ManualClock): Promise<void> {
  let done = false;
  void round.finally(() => (done = true));
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.sleeping > 0) await clock.advance(50);
  }
}

describe('a flapping stream through the Twitch adapter', () => {
  test('online, empty, online again within 75 seconds with the same id is one announcement', async () => {
    await using scene = await openScene();
    await scene.pass(16);

    const id = scene.order('goLive');
    await scene.pass(30);
    scene.order('end');
    await scene.pass(60);
    scene.order('goLive', id);
    await scene.pass(60);

    expect(scene.fired()).toEqual(['then']);
  });

  test('a stream is closed once after its end, and a new stream is announced', async () => {
    await using scene = await openScene();
    await scene.pass(16);

    scene.order('goLive');
    await scene.pass(30);
    scene.order('end');
    await scene.pass(180);
    scene.order('goLive');
    await scene.pass(30);

    expect(scene.fired()).toEqual(['then', 'finally', 'then']);
  });

  test.for(['status', 'emptyList', 'resetBefore'] as const)(
    'failed polls (%s) shorter than the grace period close nothing',
    async (kind) => {
      await using scene = await openScene();
      await scene.pass(16);
      scene.order('goLive');
      await scene.pass(30);

      scene.sandbox.faults.add({ platform: 'twitch', route: '/streams', kind, status: 500 });
      await scene.pass(90);
      scene.sandbox.faults.clear();
      await scene.pass(60);

      expect(scene.fired()).toEqual(['then']);
    },
  );

  test('failed polls never close a stream', async () => {
    await using scene = await openScene();
    await scene.pass(16);
    scene.order('goLive');
    await scene.pass(30);

    scene.sandbox.faults.add({ platform: 'twitch', route: '/streams', kind: 'status', status: 503 });
    await scene.pass(600);
    scene.sandbox.faults.clear();
    await scene.pass(60);

    expect(scene.fired()).toEqual(['then']);
  });
});
