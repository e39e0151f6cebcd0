import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { DatabaseCost, MeasuredDatabase } from './database.ts';
import type { Task } from './orders.ts';
import { runWorkers } from './workers.ts';

export interface LatencyOptions {
  /** The number of rules and of accounts: each rule posts through its own account every five seconds. */
  readonly rules: number;
  readonly rounds: number;
}

export interface LatencyRun {
  /** From the answer of the poll to the arrival of the post, sorted. */
  readonly latenciesMs: readonly number[];
  readonly slots: number;
  readonly database?: DatabaseCost | undefined;
}

/** Measures posts of rules, with the state in a file, in one process. */
export async function latencyFromFile(options: LatencyOptions): Promise<LatencyRun> {
  using folder = temporaryFolder();
  const rules = writeRules(folder.path, options);
  return await run([{ name: 'one', state: { file: join(folder.path, 'fanfare.sqlite') }, accounts: options.rules, rules }], options);
}

/** Measures posts of rules, with the state in PostgreSQL and several workers. */
export async function latencyFromDatabase(
  database: MeasuredDatabase,
  { workers, ...options }: LatencyOptions & { readonly workers: number },
): Promise<LatencyRun> {
  using folder = temporaryFolder();
  const rules = writeRules(folder.path, options);
  const state = { url: database.server.url, schema: database.server.newSchema() };
  const tasks = Array.from({ length: workers }, (_, index) => ({ name: `worker-${index}`, state, accounts: options.rules, rules }));
  return await run(tasks, options, database);
}

async function run(tasks: readonly Task[], { rules, rounds }: LatencyOptions, database?: MeasuredDatabase): Promise<LatencyRun> {
  const reports = await runWorkers(tasks, { posts: rules * rounds, onBegin: async () => database?.reset() });
  return {
    latenciesMs: reports.flatMap(({ latenciesMs }) => latenciesMs).toSorted((one, other) => one - other),
    slots: reports.reduce((sum, { slots }) => sum + slots, 0),
    database: await database?.read(),
  };
}

function writeRules(folder: string, { rules }: LatencyOptions): string {
  const path = join(folder, 'rules');
  mkdirSync(path);
  for (let index = 0; index < rules; index++) {
    const rule = `
id: live-${index}
when:
  every: 5s
  watch: streaming.getGameStreams
  with: { game: "Game ${index}" }
  changes: [entered]
fuse: { firings: 1000, per: 1h }
then:
  - do: social.createPost
    as: account-${index}
    with: { text: "\${{ item.title }}" }
`;
    writeFileSync(join(path, `live-${index}.yaml`), rule);
  }
  return path;
}
