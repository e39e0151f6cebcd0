import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Member } from './cluster.ts';
import type { FaultName, HistoryFile } from './history.ts';
import type { ChaosOptions } from './options.ts';
import type { Random } from './random.ts';
import { PROXY_MODES } from './tcp-proxy.ts';
import type { WorkerProcess } from './worker-process.ts';

type WorkerFault = Exclude<FaultName, 'platform'>;

/** The number of faults of a full run. */
const COUNTS: Readonly<Record<WorkerFault, number>> = {
  kill: 500,
  restart: 50,
  freeze: 100,
  disconnect: 50,
  postgresStop: 10,
  postgresKill: 10,
};
const WITHOUT_POSTGRES = new Set<WorkerFault>(['kill', 'restart', 'freeze']);
const DISCONNECTIONS = PROXY_MODES.filter((mode) => mode !== 'pass');

/** The faults of a run in a random order. */
export function planFaults({ scale, database }: Pick<ChaosOptions, 'scale' | 'database'>, random: Random): readonly WorkerFault[] {
  const names = Object.keys(COUNTS) as WorkerFault[]; // the keys of its type only
  const used = names.filter((name) => database === 'postgres' || WITHOUT_POSTGRES.has(name));
  return random.shuffled(used.flatMap((name) => Array.from({ length: Math.ceil(COUNTS[name] * scale) }, () => name)));
}

export interface FaultsOptions {
  readonly cluster: Cluster;
  readonly history: HistoryFile;
  readonly options: ChaosOptions;
  readonly random: Random;
  readonly onFault: (name: WorkerFault) => void;
  readonly signal: AbortSignal;
}

/** Carries out the faults, one after the other; a freeze and a disconnection overlap with later ones. */
export async function runFaults(plan: readonly WorkerFault[], options: FaultsOptions): Promise<void> {
  const nemesis = new Nemesis(options);
  const { random, signal, onFault } = options;
  const { paceMs, database } = options.options;
  for (const name of plan) {
    await sleep(random.between(...paceMs), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    await nemesis.carryOut(name);
    if (database === 'sqlite' && signal.aborted) break;
    onFault(name);
  }
  await nemesis.settle();
}

class Nemesis {
  readonly #options: FaultsOptions;
  /** Frozen or disconnected workers. */
  readonly #disturbed = new Set<Member>();
  readonly #running = new Set<Promise<unknown>>();
  #faults = 0;

  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  async carryOut(name: WorkerFault): Promise<void> {
    switch (name) {
      case 'kill':
        return this.#kill();
      case 'restart':
        return this.#restart();
      case 'freeze':
        return this.#freeze();
      case 'disconnect':
        return this.#disconnect();
      case 'postgresStop':
      case 'postgresKill':
        return this.#endPostgres(name);
    }
  }

  /** Resolves when all faults have ended and all workers have been started again. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #kill(): Promise<void> {
    const { cluster, random } = this.#options;
    const member = await this.#find(() => random.pick(cluster.members.filter(({ worker }) => worker.state !== 'down')));
    if (!member) return;
    const id = this.#begin('kill', member.worker);
    await member.worker.kill();
    this.#inBackground(async () => {
      await sleep(random.between(0, 1_000));
      const ready = cluster.start(member);
      this.#healed(id);
      await ready;
    });
  }

  /** Asks a worker to stop, and starts it again. The next fault waits for the end of the process, as a rolling restart does. */
  async #restart(): Promise<void> {
    const { cluster, random } = this.#options;
    const member = await this.#find(() => random.pick(cluster.members.filter(({ worker }) => worker.state === 'up')));
    if (!member) return;
    const id = this.#begin('restart', member.worker);
    await member.worker.stop();
    this.#inBackground(async () => {
      const ready = cluster.start(member);
      this.#healed(id);
      await ready;
    });
  }

  /** Stops a process for longer than its leases last. */
  async #freeze(): Promise<void> {
    const { random, options } = this.#options;
    const member = await this.#findUndisturbed();
    if (!member) return;
    const { worker } = member;
    const { pid } = worker;
    const id = this.#begin('freeze', worker);
    worker.freeze();
    await this.#disturb(member, options.leaseMs + random.between(1_000, 8_000), () => {
      // It may have been killed in the meantime.
      if (worker.pid === pid) worker.resume();
      this.#healed(id);
    });
  }

  async #disconnect(): Promise<void> {
    const { random, options } = this.#options;
    const member = await this.#findUndisturbed();
    const mode = random.pick(DISCONNECTIONS);
    if (!member?.proxy || !mode) return;
    const { worker, proxy } = member;
    const id = this.#begin('disconnect', worker, mode);
    proxy.setMode(mode);
    await this.#disturb(member, mode === 'reset' || mode === 'forget' ? 0 : random.between(2_000, options.leaseMs + 10_000), () => {
      proxy.setMode('pass');
      this.#healed(id);
    });
  }

  async #endPostgres(name: 'postgresStop' | 'postgresKill'): Promise<void> {
    const { cluster, random, signal } = this.#options;
    const { postgres } = cluster;
    if (!postgres) return;
    const id = this.#begin(name);
    await (name === 'postgresStop' ? postgres.stop() : postgres.kill());
    await sleep(random.between(0, 6_000), undefined, { signal }).catch(() => undefined);
    await postgres.start();
    this.#healed(id);
  }

  async #disturb(member: Member, ms: number, heal: () => void): Promise<void> {
    this.#disturbed.add(member);
    this.#inBackground(async () => {
      await sleep(ms, undefined, { signal: this.#options.signal }).catch(() => undefined);
      heal();
      this.#disturbed.delete(member);
    });
  }

  /** A running worker, so that at least one other worker is not disturbed. */
  async #findUndisturbed(): Promise<Member | undefined> {
    const { cluster, random } = this.#options;
    const most = Math.max(1, cluster.members.length - 1);
    return this.#find(() =>
      this.#disturbed.size < most
        ? random.pick(cluster.members.filter((member) => member.worker.state === 'up' && !this.#disturbed.has(member)))
        : undefined,
    );
  }

  async #find(next: () => Member | undefined): Promise<Member | undefined> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const member = next();
      if (member) return member;
      await sleep(200);
    }
    return undefined;
  }

  #begin(fault: FaultName, worker?: Pick<WorkerProcess, 'name' | 'process'>, detail?: string): number {
    const id = ++this.#faults;
    this.#options.history.add({ kind: 'fault', id, fault, worker: worker?.name, process: worker?.process, detail });
    return id;
  }

  #healed(id: number): void {
    this.#options.history.add({ kind: 'healed', id });
  }

  #inBackground(run: () => Promise<void>): void {
    const running = run().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
