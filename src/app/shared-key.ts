import type { Config } from '#src/config/config.ts';
import { keyFileOf } from '#src/config/data-directory.ts';
import type { CheckResult } from '#src/admin/doctor/check-result.ts';
import type { Log } from '#src/log.ts';
import { fingerprintOfKey } from '#src/http/secrets/key.ts';
import type { Store } from '#src/store/store.ts';

type KeyOptions = Pick<Config, 'dataDirectory' | 'key'>;

/** The fingerprint of the key of an installation; undefined without a key. */
export function keyFingerprintOf(config: KeyOptions): Promise<string | undefined> {
  return fingerprintOfKey({ written: config.key, file: keyFileOf(config) });
}

/** Logs an error if running processes have another key. They continue, because a new key reaches one process after the other. */
export async function warnOfOtherKeys(store: Store, config: KeyOptions, log: Pick<Log, 'error'>): Promise<void> {
  const others = await findOtherKeys(store, config);
  if (others.length === 0) return;
  log.error({ others }, `other processes have another key, so not every process can read the stored tokens: ${REMEDY}`);
}

/** The check of the keys of several processes; absent if no running process has another key. */
export async function examineOtherKeys(store: Store, config: KeyOptions): Promise<CheckResult | undefined> {
  const others = await findOtherKeys(store, config);
  if (others.length === 0) return undefined;
  const what = `running processes have another key than this command, so not every process can read the stored tokens: ${others.join(', ')}`;
  return { about: 'the key', state: 'bad', what, remedy: REMEDY };
}

const REMEDY = 'set the same FANFARE_KEY everywhere, and restart the processes';

async function findOtherKeys({ workersWithOtherKey }: Store, config: KeyOptions): Promise<readonly string[]> {
  return workersWithOtherKey === undefined ? [] : workersWithOtherKey(await keyFingerprintOf(config));
}
