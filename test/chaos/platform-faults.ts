import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryFile } from './history.ts';
import type { Random } from './random.ts';
import type { SandboxProcess } from './sandbox-process.ts';

interface PlatformFaultsOptions {
  readonly sandbox: SandboxProcess;
  readonly history: HistoryFile;
  readonly random: Random;
  readonly signal: AbortSignal;
}

const PLATFORMS = ['discord', 'discord', 'social', 'social', 'mastodon', 'bluesky', 'x', 'twitch'] as const;
const PAUSE_MS = [2_000, 6_000] as const;
/** One of this many faults is an outage of a platform. */
const OUTAGE_EACH = 25;
const OUTAGE_MS = [5_000, 15_000] as const;
/** Ids of these faults, above those of the other faults. */
const FIRST_ID = 1_000_000;

type SingleFault = Readonly<Record<string, string | number>>;

/** Faults of single requests. Answers that lie about the world are not among them. */
function singleFault(random: Random): SingleFault {
  const faults: readonly [SingleFault, ...SingleFault[]] = [
    { kind: 'status', status: random.pick([500, 502, 503] as const) },
    { kind: 'rateLimit', ms: random.between(500, 2_000) },
    { kind: 'resetBefore' },
    { kind: 'resetAfter' },
    { kind: 'resetAfter', method: 'POST' },
    { kind: 'delay', ms: random.between(200, 4_000) },
    { kind: 'pageAfter', method: 'POST', status: 502 },
    { kind: 'brokenJson', method: 'POST' },
  ];
  return random.pick(faults);
}

/** Makes requests to the platforms fail until `signal` aborts. */
export async function runPlatformFaults({ sandbox, history, random, signal }: PlatformFaultsOptions): Promise<void> {
  for (let id = FIRST_ID; !signal.aborted; id++) {
    await sleep(random.between(...PAUSE_MS), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const platform = random.pick(PLATFORMS);
    if (random.between(1, OUTAGE_EACH) > 1) {
      const fault = { ...singleFault(random), times: random.between(1, 3) };
      await sandbox.order('/faults', { platform, ...fault });
      history.add({ kind: 'fault', id, fault: 'platform', detail: `${platform} ${Object.values(fault).join(' ')}` });
      history.add({ kind: 'healed', id });
      continue;
    }
    await sandbox.order('/faults', { platform, kind: 'status', status: 503 });
    history.add({ kind: 'fault', id, fault: 'platform', platform, detail: `${platform} outage` });
    await sleep(random.between(...OUTAGE_MS), undefined, { signal }).catch(() => undefined);
    await sandbox.deleteFaults(platform);
    history.add({ kind: 'healed', id });
  }
  await sandbox.deleteFaults();
}
