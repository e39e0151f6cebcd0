import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sandbox as sandboxPlatform } from '#adapters/sandbox/index.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { communitiesOf } from '#sandbox/social/communities.ts';
import { ALL, signIn } from '../support/sandbox-people.ts';
import { eventually, freePort, getJson, launch, type FanfareProcess } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { install, type Installation } from './installation.ts';
import { truthOf, type SandboxTruth } from './sandbox-truth.ts';
import { observedPlatforms, type DoneRequest } from './observed-platforms.ts';

const Deliveries = z.object({ items: z.array(z.object({ do: z.string(), state: z.string(), message: z.string().optional() })) });

// The tests run concurrently because they mostly wait.
describe.concurrent('2. crash between send and commit, each network → 0 duplicates or `unknown` surfaced', () => {
  interface Network {
    readonly account: string;
    readonly step: string;
    /** Whether a request is the write. */
    readonly isWrite: (request: DoneRequest) => boolean;
    readonly written: (truth: SandboxTruth) => Promise<readonly string[]>;
    /** Prevents reconciliation; absent if the network always allows it. */
    readonly hide?: (sandbox: Sandbox) => void;
  }

  /** All networks. */
  const NETWORKS: readonly Network[] = [
    {
      account: 'sandbox',
      step: 'do: social.createPost, with: { text: "${{ item.title }}" }',
      isWrite: ({ platform, path }) => platform === 'social' && path.endsWith('/createPost'),
      written: async (truth) => (await truth.posts()).map(({ text }) => text),
    },
    {
      account: 'discord',
      step: 'do: discord.send, with: { channel: live, content: "${{ item.title }}" }',
      isWrite: ({ platform, method, path }) => platform === 'discord' && method === 'POST' && path.endsWith('/messages'),
      written: async (truth) => (await truth.messages()).map(({ content }) => content),
      hide: ({ faults }) => faults.add({ platform: 'discord', method: 'GET', route: '/messages', kind: 'status', status: 403 }),
    },
  ];

  interface Crash extends AsyncDisposable {
    readonly sandbox: Sandbox;
    /** The process after the crash. */
    readonly fanfare: FanfareProcess;
  }

  /** Kills a process after the platform has received the write and before the answer, then starts another process. */
  async function crash(network: Network, beforeRestart: (sandbox: Sandbox) => void = () => undefined): Promise<Crash> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(temporaryFolder());
    const killed = Promise.withResolvers<void>();
    let victim: FanfareProcess | undefined;
    async function onDone(request: DoneRequest): Promise<void> {
      if (!victim || !network.isWrite(request)) return;
      const last = victim;
      victim = undefined;
      await last.kill();
      killed.resolve();
    }
    const sandbox = stack.use(await startSandbox({ platforms: observedPlatforms({ onDone }) }));
    sandbox.world.order({ do: 'goLive', user: 'ada', title: 'Ranked' }, Date.now());
    mkdirSync(join(folder.path, 'rules'));
    const rule = `id: live\nwhen: { every: 5s, watch: streaming.getStreams, with: { users: [ada] }, first: fire }\nthen: [{ ${network.step} }]\n`;
    writeFileSync(join(folder.path, 'rules', 'live.yaml'), rule);
    const port = await freePort();
    const environment = { ...sandbox.environment, FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: join(folder.path, 'rules') };
    victim = await launch({ environment, port });
    await killed.promise;
    beforeRestart(sandbox);
    const fanfare = stack.use(await launch({ environment, port }));
    const crashed = stack.move();
    return { sandbox, fanfare, [Symbol.asyncDispose]: () => crashed.disposeAsync() };
  }

  const settled = ({ fanfare }: Crash, state: string): Promise<z.output<typeof Deliveries>['items']> =>
    eventually(`a delivery that is ${state}`, async () => {
      const { items } = Deliveries.parse(await getJson(`${fanfare.url}/api/deliveries`));
      return items.every((item) => item.state === state) && items.length > 0 && items;
    });

  test('2. the list of networks has each one that rules can write to', async ({ expect }) => {
    await using sandbox = await startSandbox();
    const accounts = accountsOf(configOfEnvironment(sandbox.environment));

    const writable = [...(accounts['social']?.all ?? []), ...(accounts['discord']?.all ?? [])];

    expect(NETWORKS.map(({ account }) => account).toSorted()).toEqual(writable.toSorted());
  });

  test.for(NETWORKS)('2. crash between send and commit, $account → 0 duplicates', async (network, { expect }) => {
    await using crashed = await crash(network);

    await settled(crashed, 'sent');
    // Two more polls without news.
    await sleep(6_000);

    expect(await network.written(truthOf(crashed.sandbox))).toEqual(['Ranked']);
    await settled(crashed, 'sent');
  });

  test.for(NETWORKS.filter(({ hide }) => hide))(
    '2. crash between send and commit, $account, which then cannot be asked → `unknown` surfaced',
    async (network, { expect }) => {
      await using crashed = await crash(network, network.hide);

      const [delivery] = await settled(crashed, 'unknown');
      await sleep(6_000);

      expect(delivery?.message).toMatch(/could not be searched for it/);
      expect(crashed.fanfare.output()).toMatch(/ warn .*the outcome is unknown/);
      expect(await network.written(truthOf(crashed.sandbox))).toEqual(['Ranked']);
      await settled(crashed, 'unknown');
    },
  );
});

describe('3. target 2 of 5 returns 403 → 4 delivered, 1 reported, never re-sent', () => {
  const COMMUNITY = 'factory-floor';
  const ACCOUNTS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

  /** Five people. The second cannot post in the community. */
  function handlesIn({ world }: Sandbox): readonly string[] {
    const { people = [] } = communitiesOf(world).find(COMMUNITY) ?? {};
    const newcomer = world.people.find((person) => !people.includes(person))?.handle ?? '';
    const [first = '', ...others] = people.slice(0, 4).map(({ handle }) => handle);
    return [first, newcomer, ...others];
  }

  async function installFive(onDone: (request: DoneRequest) => void): Promise<Installation> {
    return install({
      onDone,
      rules: [
        `
id: five
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - do: social.createPost
    as: [${ACCOUNTS.join(', ')}]
    with: { text: "\${{ item.title }}", community: ${COMMUNITY} }
`,
      ],
      accounts: (usual) => ({ ...usual, social: { all: ACCOUNTS, defaults: ACCOUNTS } }),
      social: async (running, clock) => {
        const truth = truthOf(running);
        const url = running.environment['SANDBOX_URL'] ?? '';
        return Promise.all(
          handlesIn(running).map(async (user, place) => {
            const { token } = z.object({ token: z.string() }).parse(await truth.control('/social/sessions', { user }));
            return sandboxPlatform({ url, token, account: ACCOUNTS[place], clock });
          }),
        );
      },
    });
  }

  /** The number of posts of each person. */
  async function written(fanfare: Installation): Promise<readonly number[]> {
    const handles = handlesIn(fanfare.sandbox);
    const reader = await signIn(fanfare, handles[0] ?? '');
    const { items } = await fanfare.during(reader.getCommunityPosts(COMMUNITY, ALL));
    const authors = items.filter(({ text }) => text === 'Ranked').map(({ author }) => author.handle);
    return handles.map((handle) => authors.filter((author) => author === handle).length);
  }

  test('3. target 2 of 5 returns 403 → 4 delivered, 1 reported, never re-sent', async () => {
    const attempts: DoneRequest[] = [];
    await using fanfare = await installFive((request) => void (request.path.endsWith('/createPost') && attempts.push(request)));
    fanfare.order({ do: 'end', user: 'ada' });
    await fanfare.pass(90);
    fanfare.order({ do: 'goLive', user: 'ada', game: 'Factorio', title: 'Ranked' });

    await fanfare.pass(120);
    const soon = await written(fanfare);
    await fanfare.stop();
    await fanfare.start();
    await fanfare.pass(12 * 3600, 600);

    const { items } = await fanfare.store.deliveryLog.list({});
    const refused = items.filter(({ state }) => state === 'failed');
    expect(soon).toEqual([1, 0, 1, 1, 1]);
    expect(await written(fanfare)).toEqual([1, 0, 1, 1, 1]);
    expect(attempts).toHaveLength(5);
    expect(items.map(({ state }) => state).toSorted()).toEqual(['failed', 'sent', 'sent', 'sent', 'sent']);
    expect(refused).toMatchObject([{ account: 'second', attempts: 1, error: { fault: 'forbidden' } }]);
    expect(fanfare.lines.filter((line) => line.includes('account=second'))).toEqual([
      expect.stringMatching(/ (warn|error) .*forbidden|403/),
    ]);
    const shown = await getJson(`${fanfare.url}/api/deliveries?state=failed`);
    expect(shown).toMatchObject({ items: [{ account: 'second', message: expect.stringMatching(/403|forbidden|may not/i) }] });
  });
});
