// Deliveries of the real process through one account, over HTTP.
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { cpuMsOf, end, messageOf, startFanfare } from './child-process.ts';

const Started = z.object({ url: z.string(), token: z.string(), feeds: z.int() });
const Begun = z.object({ begun: z.literal(true) });
const Report = z.object({ arrivedMs: z.array(z.number()) });

const ruleOf = (id: string, url: string): string => `
id: ${id}
when: { every: 5s, watch: feed.getItems, with: { url: ${url}/${id} } }
fuse: { firings: 100000, per: 1h }
then:
  - do: social.createPost
    with: { text: "\${{ item.title }}" }
`;

export interface ProcessDeliveryFigures {
  readonly deliveries: number;
  /** From the arrival of the first request to the arrival of the last one. */
  readonly deliveriesPerSecond: number;
  /** CPU time of the process in between. */
  readonly cpuMsPerDelivery: number;
}

/**
 * Lets the real process announce 1,000 items at once to a server that answers each request after a millisecond. `inMemory`: with its database in
 * a file system in memory, where a sync takes no time.
 */
export async function processDeliveries({ inMemory = false } = {}): Promise<ProcessDeliveryFigures> {
  using folder = temporaryFolder({ inMemory });
  const server = fork('bench/process-server.ts');
  const { url, token, feeds } = Started.parse(await messageOf(server));
  const rules = join(folder.path, 'rules');
  mkdirSync(rules);
  for (let index = 0; index < feeds; index++) writeFileSync(join(rules, `feed-${index}.yaml`), ruleOf(`feed-${index}`, url));
  const program = startFanfare({
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: rules,
    FANFARE_FEED_ORIGINS: url,
    SANDBOX_URL: url,
    SANDBOX_TOKEN: token,
    PORT: '0',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
  });
  try {
    Begun.parse(await messageOf(server));
    const begunCpuMs = cpuMsOf(program.pid ?? 0);
    const { arrivedMs } = Report.parse(await messageOf(server));
    const spanMs = (arrivedMs.at(-1) ?? Number.NaN) - (arrivedMs[0] ?? Number.NaN);
    return {
      deliveries: arrivedMs.length,
      deliveriesPerSecond: ((arrivedMs.length - 1) / spanMs) * 1000,
      cpuMsPerDelivery: (cpuMsOf(program.pid ?? 0) - begunCpuMs) / arrivedMs.length,
    };
  } finally {
    await end(program);
    server.disconnect();
  }
}

if (import.meta.main) console.log(await processDeliveries({ inMemory: process.argv.includes('--in-memory') }));
