import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '#src/rules/firing.ts';
import type { Step } from '#src/rules/step.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import type { Commit } from '#src/scheduler/rule-states.ts';
import type { Delivery } from '#src/delivery/delivery.ts';
import { SocialAsync } from '#src/social/social.ts';
import { openStore } from '#src/store/store.ts';
import { committing, firing } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openLines, type Lines } from './lines.ts';
import type { Deed, Network } from './networks.ts';
import { sealedIn } from './sealed.ts';
import type { Standing } from './platform-records.ts';
import { CALM, ordersOf, type Weather } from './faults.ts';

/** What a story is told with. */
interface Telling {
  /** Other ones each time. */
  readonly words: string;
  /** Where its files are. */
  readonly folder: string;
  /** A post of the account's own that stands already; empty where the story needs none. */
  readonly subject: string;
  /** Somebody to write to. */
  readonly friend: string;
  readonly now: Date;
}

/** What is to be done, as steps. */
export interface Story {
  readonly deed: Deed;
  /** Whether it is about a post that stands already. */
  readonly hasSubject?: boolean;
  /** How long after the world before: platforms let so much be done in an hour, or a day. */
  readonly apartMs?: number;
  readonly tell: (telling: Telling) => { readonly steps: readonly Step[]; readonly verbs?: Readonly<Record<string, string>> };
}

export interface WorldOptions {
  readonly story: Story;
  readonly weather?: Weather | undefined;
  /** Whether the token of the account has run out. */
  readonly spent?: boolean | undefined;
  /** How long nobody starts the program again that was killed. */
  readonly downMs?: number | undefined;
}

/** One story on one platform, with a database of its own, which lives that die leave behind. */
export interface World {
  readonly stage: Stage;
  readonly file: string;
  readonly commit: Commit;
  readonly weather: Weather;
  /** Whether this answer becomes one of a breakdown. */
  readonly breaksDown: (request: { readonly method: string; readonly path: string }) => boolean;
  /** What it wrote, as the platform has it. */
  written(): Promise<readonly Standing[]>;
  /** The post that the story is about; undefined where that is gone, or never was. */
  subject(): Promise<Standing | undefined>;
  deliveries(): Promise<readonly Delivery[]>;
  /** How often somebody had to sign in again. */
  readonly signIns: number;
  /** Does what a person does with `fanfare auth`. */
  signIn(): Promise<void>;
}

/** A platform that plays, for one world after the other. */
export interface Stage extends AsyncDisposable {
  readonly network: Network;
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  readonly lines: Lines;
  newWorld(options: WorldOptions): Promise<World>;
}

export async function openStage(network: Network): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(temporaryFolder({ inMemory: true }));
  const clock = new ManualClock();
  const sandbox = opening.use(await startSandbox({ clock, platforms: [network.server] }));
  await network.promote?.(sandbox);
  const lines = opening.use(openLines(clock));
  const empty = join(folder.path, 'empty.sqlite');
  await (await openStore({ file: empty, clock }))[Symbol.asyncDispose]();
  let worlds = 0;

  async function newWorld({ story, weather = CALM, spent = false }: WorldOptions): Promise<World> {
    worlds += 1;
    const file = join(folder.path, `${worlds}.sqlite`);
    copyFileSync(empty, file);
    const { deed, hasSubject = false, apartMs = 60_000, tell } = story;
    const words = `world-${worlds}`;
    // Limits of a platform are those of all worlds together.
    await clock.advance(apartMs);
    sandbox.faults.clear();

    async function signIn(options: { readonly spent: boolean }): Promise<void> {
      await using store = await openStore({ file, clock });
      await sealedIn(store.sealedRows, network.name).save(await network.signIn(sandbox, { clock, ...options }));
    }
    await signIn({ spent });

    async function prepared(): Promise<string> {
      await using store = await openStore({ file, clock });
      await using platform = network.open(sandbox, { tokens: sealedIn(store.sealedRows, network.name), clock });
      return (await new SocialAsync({ platform, clock }).createPost(`It stood before ${words}.`)).id;
    }
    const subject = hasSubject ? await prepared() : '';
    const { steps, verbs = {} } = tell({
      words,
      folder: folder.path,
      subject,
      friend: network.friend(sandbox),
      now: new Date(clock.nowMs()),
    });
    const before = new Set((await network.standing(sandbox)).map(({ id }) => id));
    for (const order of ordersOf(weather, network, deed)) sandbox.faults.add(order);
    const write = network.writes[deed];
    let breakdowns = weather.breakdownsAfter ?? 0;
    let signIns = 0;

    return {
      stage,
      file,
      weather,
      commit: committing([
        firing(steps, { episode: `world@${worlds}`, atMs: clock.nowMs(), id: hash('world', String(worlds)), names: { steps: verbs } }),
      ]),
      breaksDown: ({ method, path }) => method === write?.method && path.includes(write.route) && breakdowns > 0 && breakdowns-- > 0,
      written: async () => (await network.standing(sandbox)).filter(({ id }) => !before.has(id)),
      subject: async () => (await network.standing(sandbox)).find(({ id }) => id === subject),
      async deliveries() {
        await using store = await openStore({ file, clock });
        return (await store.deliveryLog.list({ limit: 100, idle: true })).items.toReversed();
      },
      get signIns() {
        return signIns;
      },
      async signIn() {
        signIns += 1;
        await signIn({ spent: false });
      },
    };
  }

  const opened = opening.move();
  const stage: Stage = { network, sandbox, clock, lines, newWorld, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  return stage;
}
