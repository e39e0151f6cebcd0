import { setTimeout as sleep } from 'node:timers/promises';
import { castOf } from '#sandbox/world/people.ts';
import type { HistoryFile } from './history.ts';
import { Random } from './random.ts';
import type { SandboxProcess } from './sandbox-process.ts';

/** One of this many people goes live and offline so fast that polls may miss it. */
const FLAPPING_EACH = 4;

interface PeopleOptions {
  readonly sandbox: SandboxProcess;
  readonly history: HistoryFile;
  readonly people: readonly string[];
  readonly seed: number;
  /** About how long people keep a state. */
  readonly holdMs: number;
  readonly signal: AbortSignal;
}

/** People of the world whose names have no special characters. */
export function choosePeople(worldSeed: number, count: number): readonly string[] {
  return castOf(worldSeed)
    .all.map(({ person }) => person.handle)
    .filter((handle) => /^[a-z][a-z0-9]+$/.test(handle))
    .slice(0, count);
}

/** Takes everyone offline. From then on, only orders change their streams. */
export async function takeOffline({ sandbox, history, people }: Pick<PeopleOptions, 'sandbox' | 'history' | 'people'>): Promise<void> {
  for (const user of people) {
    await sandbox.order('/world', { do: 'end', user });
    history.add({ kind: 'order', do: 'end', user });
  }
}

/** Lets people go live, change their titles and go offline until `signal` aborts. */
export async function runPeople({ sandbox, history, people, seed, holdMs, signal }: PeopleOptions): Promise<void> {
  async function order(body: { readonly do: string; readonly user: string; readonly title?: string }): Promise<void> {
    await sandbox.order('/world', body);
    history.add({ kind: 'order', ...body });
  }

  async function run(user: string, index: number): Promise<void> {
    const random = new Random(seed, user);
    const isFlapping = index % FLAPPING_EACH === 0;
    const pause = (leastMs: number, mostMs: number): Promise<void> =>
      sleep(random.between(leastMs, mostMs), undefined, { signal }).catch(() => undefined);
    let titles = 0;
    await pause(0, holdMs / 2);
    while (!signal.aborted) {
      await order({ do: 'goLive', user, title: `t${++titles}` });
      const changes = random.between(0, isFlapping ? 1 : 3);
      for (let change = 0; change <= changes; change++) {
        if (change > 0 && !signal.aborted) await order({ do: 'changeTitle', user, title: `t${++titles}` });
        if (isFlapping) await pause(3_000, 15_000);
        else await pause(random.number() < 0.5 ? holdMs * 1.05 : 4_000, holdMs * 1.3);
      }
      if (signal.aborted) break;
      await order({ do: 'end', user });
      if (isFlapping) await pause(3_000, 12_000);
      else await pause(holdMs * 0.3, holdMs * 1.2);
    }
  }
  await Promise.all(people.map(run));
}
