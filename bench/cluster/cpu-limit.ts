import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PERIOD_US = 50_000;
const ROOT = '/sys/fs/cgroup';

/** A limit of the CPU time of one process, as if it ran on a slower machine alone. */
export interface CpuLimit extends Disposable {
  add(pid: number): void;
}

/** Creates a limit of `part` of a core with the cgroups of Linux, versions 1 and 2; undefined: this machine or user cannot. */
export function createCpuLimit(name: string, part: number): CpuLimit | undefined {
  const isVersion1 = existsSync(join(ROOT, 'cpu', 'cpu.cfs_quota_us'));
  const folder = join(ROOT, isVersion1 ? 'cpu' : '', `fanfare-bench-${process.pid}-${name}`);
  const quotaUs = Math.round(PERIOD_US * part);
  try {
    mkdirSync(folder);
    if (isVersion1) {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quotaUs));
    } else writeFileSync(join(folder, 'cpu.max'), `${quotaUs} ${PERIOD_US}`);
  } catch {
    return undefined;
  }
  return {
    add: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    // The processes have ended.
    [Symbol.dispose]: () => rmdirSync(folder),
  };
}
