import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '#src/clock.ts';
import { startSandbox } from '#sandbox/index.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { openStore } from '#src/store/store.ts';
import { observedPlatforms, type DoneRequest } from '../acceptance/observed-platforms.ts';
import { BLUESKY, MASTODON, X, type Network } from '../exactly-once/networks.ts';
import { KEY_TEXT, sealedIn } from '../exactly-once/sealed.ts';
import { eventually, freePort, getJson, launch, type FanfareProcess } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Deliveries = z.object({ items: z.array(z.object({ state: z.string(), result: z.object({ id: z.string() }).optional() })) });

const RULE = (account: string): string => `
id: live
when: { every: 5s, watch: streaming.getStreams, with: { users: [ada] }, first: fire }
then: [{ do: social.createPost, as: ${account}, with: { text: "\${{ item.title }}" } }]
`;

/** The request at which the process is killed: before it is served, or before its answer. */
interface Death {
  readonly network: Network;
  readonly at: RegExp;
  readonly when: 'come' | 'done';
  /** Whether the token has expired and is renewed first. */
  readonly isExpired?: boolean;
  /** `sending`: Fanfare searches X for minutes before a repeat. test/exactly-once/x.deep.test.ts covers that. */
  readonly ends: 'sent' | 'sending';
}

const DEATHS: readonly Death[] = [
  { network: X, at: /^GET .*\/users\/me$/, when: 'done', ends: 'sending' },
  { network: X, at: /^POST .*\/2\/tweets$/, when: 'come', ends: 'sent' },
  { network: X, at: /^POST .*\/2\/tweets$/, when: 'done', ends: 'sent' },
  { network: X, at: /^GET .*\/users\/me$/, when: 'come', isExpired: true, ends: 'sending' },
  { network: BLUESKY, at: /^POST .*createSession$/, when: 'done', ends: 'sent' },
  { network: BLUESKY, at: /^POST .*refreshSession$/, when: 'done', isExpired: true, ends: 'sent' },
  { network: BLUESKY, at: /^POST .*putRecord$/, when: 'come', ends: 'sent' },
  { network: BLUESKY, at: /^POST .*putRecord$/, when: 'done', ends: 'sent' },
  { network: MASTODON, at: /^GET .*\/instance$/, when: 'done', ends: 'sent' },
  { network: MASTODON, at: /^POST .*\/v1\/statuses$/, when: 'come', ends: 'sent' },
  { network: MASTODON, at: /^POST .*\/v1\/statuses$/, when: 'done', ends: 'sent' },
];

// The tests run concurrently because they mostly wait.
describe.concurrent('a process that is killed during a post and restarted posts once', () => {
  test.for(DEATHS)('$network.name, $when: $at', async ({ network, at, when, isExpired, ends }, { expect }) => {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(temporaryFolder({ inMemory: true }));
    const killed = Promise.withResolvers<void>();
    const searched = Promise.withResolvers<void>();
    let victim: FanfareProcess | undefined;

    async function strike({ method, path }: DoneRequest): Promise<void> {
      if (!victim && /^GET .*\/users\/\d+\/tweets$/.test(`${method} ${path}`)) searched.resolve();
      if (!victim || !at.test(`${method} ${path}`)) return;
      const last = victim;
      victim = undefined;
      await last.kill();
      killed.resolve();
    }
    const platforms = observedPlatforms({ platforms: [twitchServer, network.server], [when === 'come' ? 'onCome' : 'onDone']: strike });
    const sandbox = stack.use(await startSandbox({ platforms }));
    sandbox.world.order({ do: 'goLive', user: 'ada', title: 'Ranked' }, Date.now());
    mkdirSync(join(folder.path, 'rules'));
    mkdirSync(join(folder.path, 'data'));
    writeFileSync(join(folder.path, 'rules', 'live.yaml'), RULE(network.name));
    const requests = Object.entries(sandbox.onRequest[network.name] ?? {}).filter(
      ([name]) => !isExpired || !/^X_(API_KEY|API_SECRET|ACCESS)/.test(name),
    );
    const environment = {
      ...sandbox.environment,
      ...Object.fromEntries(requests),
      FANFARE_KEY: KEY_TEXT,
      FANFARE_DATA: join(folder.path, 'data'),
      FANFARE_RULES: join(folder.path, 'rules'),
    };
    if (isExpired) {
      await using store = await openStore({ file: join(folder.path, 'data', 'fanfare.sqlite'), clock: systemClock });
      await sealedIn(store.sealedRows, network.name).save(await network.signIn(sandbox, { clock: systemClock, isExpired }));
    }

    const port = await freePort();
    victim = await launch({ environment, port });
    await killed.promise;
    const fanfare = stack.use(await launch({ environment, port }));
    if (ends === 'sending') await searched.promise;
    const [delivery] = await eventually('the end of the delivery', async () => {
      const { items } = Deliveries.parse(await getJson(`${fanfare.url}/api/deliveries`));
      return items.length === 1 && items.every(({ state }) => state === ends) && items;
    });

    const posts = await network.recordsOf(sandbox);
    expect(delivery?.state).toBe(ends);
    expect(posts.map(({ text }) => text)).toEqual(ends === 'sent' ? ['Ranked'] : []);
    expect(delivery?.result?.id).toBe(posts[0]?.id);
  });
});
