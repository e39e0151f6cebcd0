import { rmSync } from 'node:fs';
import type { FaultKind } from '#sandbox/faults.ts';
import { startDiscordSandbox, type DiscordSandbox } from '../../support/discord-sandbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { FakeTwitch } from './fake-twitch.ts';
import { startFanfare, type Fanfare } from './fanfare.ts';

const MINUTE_MS = 60_000;
/** More steps mean that the engine never becomes idle. */
const MOST_STEPS = 2_000;
/** All repetitions of a request that failed twice happen within this time. */
const [RETRIES, RETRY_MS] = [8, 6_000];
const ROOMY = { requests: 1_000_000, windowMs: 1000 };
/** The windows of the limits end only when a walk lets time pass. */
const WITHOUT_LIMITS = {
  global: ROOMY,
  createMessage: ROOMY,
  editMessage: ROOMY,
  editOldMessage: ROOMY,
  deleteMessage: ROOMY,
  readMessages: ROOMY,
  guild: ROOMY,
  roles: ROOMY,
  commands: ROOMY,
  webhook: ROOMY,
};

/** A simulated Discord and Twitch with a Fanfare, for many walks. */
export interface Town extends AsyncDisposable {
  readonly discord: DiscordSandbox;
  readonly twitch: FakeTwitch;
  readonly clock: ManualClock;
  readonly lines: readonly string[];
  readonly fanfare: Fanfare;
  restart(): Promise<void>;
  /** Lets the next requests of the bot about messages and roles fail. */
  fail(kind: FaultKind, times: number): void;
  /** Whether no request will fail. */
  readonly isCalm: boolean;
  /** Lets no further request fail. */
  calm(): void;
  /** Lets all due deliveries happen, with the repetitions of failed requests. */
  work(): Promise<void>;
  /** Lets Fanfare read its rules again: the shipped rule runs as soon as its list exists. */
  reload(): Promise<void>;
  /** Lets a minute pass, with the poll in it. */
  passMinute(): Promise<void>;
}

export async function openTown(): Promise<Town> {
  await using stack = new AsyncDisposableStack();
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const discord = stack.use(await startDiscordSandbox({ clock, answerMs: 60_000, limits: WITHOUT_LIMITS }));
  const folder = temporaryFolder({ inMemory: true });
  stack.defer(() => rmSync(folder.path, { recursive: true, force: true }));
  const twitch = new FakeTwitch(clock);
  const lines: string[] = [];
  const start = (): Promise<Fanfare> => startFanfare({ discord, twitch: twitch.platform, clock, folder: folder.path, lines });
  let fanfare = await start();
  stack.defer(() => fanfare[Symbol.asyncDispose]());
  const open = stack.move();

  const { faults } = discord.sandbox;
  let isDisturbed = false;
  /** The number of requests that will fail. */
  const left = (): number => faults.all().reduce((sum, { times = 0 }) => sum + times, 0);

  async function work(): Promise<void> {
    const before = left();
    await deliver();
    if (left() < before) await recover();
  }

  async function deliver(): Promise<void> {
    for (let step = 0; await settled(fanfare.engine.deliverNext()); step++)
      if (step > MOST_STEPS) throw new Error('the engine never becomes idle');
  }

  /** After a failure, clients and the engine wait before they try again. */
  async function settled<T>(attempt: Promise<T>): Promise<T> {
    if (!isDisturbed) return attempt;
    let isDone = false;
    const end = attempt.finally(() => (isDone = true));
    while (!isDone) await clock.advance(50);
    return end;
  }

  async function reload(): Promise<void> {
    await fanfare.reloads.reload();
    await fanfare.reloads.settled();
  }

  /** The repetitions happen before the next poll. */
  async function recover(): Promise<void> {
    for (let step = 0; step < RETRIES; step++) {
      await clock.advance(RETRY_MS);
      await deliver();
    }
    isDisturbed = left() > 0;
  }

  return {
    discord,
    twitch,
    clock,
    lines,
    get fanfare() {
      return fanfare;
    },
    async restart() {
      await fanfare[Symbol.asyncDispose]();
      fanfare = await start();
    },
    fail(kind, times) {
      isDisturbed = true;
      for (const method of ['POST', 'PATCH'] as const) faults.add({ platform: 'discord', kind, method, route: '/channels/', times });
      for (const method of ['PUT', 'DELETE'] as const) faults.add({ platform: 'discord', kind, method, route: '/guilds/', times });
    },
    get isCalm() {
      return left() === 0;
    },
    calm: () => faults.clear(),
    work,
    reload,
    async passMinute() {
      await reload();
      clock.set((Math.floor(clock.nowMs() / MINUTE_MS) + 1) * MINUTE_MS);
      await settled(fanfare.scheduler.tick());
      await work();
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
