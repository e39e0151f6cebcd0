import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { cpuMsOf, end, memoryOf, startFanfare } from './child-process.ts';
import { writeLargeState } from './large-state.ts';
import type { Row } from './row.ts';

const RULES = [100, 1_000, 10_000];
const DELIVERIES = [0, 100_000, 1_000_000];
/** The number of rules while the deliveries grow. */
const FEW_RULES = 100;
const ROUNDS = 10;
/** Slow versions get fewer rounds. */
const LONGEST_MS = 20_000;
const PAGE_LIMIT_MS = 50;
const LARGE_LIMIT_MS = 20;
const READY_TIMEOUT_MS = 300_000;

/** The page, the metrics and the look-up of a delivery in the real program, as rules and deliveries grow. */
export async function growth(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const rules of RULES) rows.push(...(await rowsOf({ rules, deliveries: 0 })));
  for (const deliveries of DELIVERIES.slice(1)) rows.push(...(await rowsOf({ rules: FEW_RULES, deliveries })));
  return rows;
}

interface Size {
  readonly rules: number;
  readonly deliveries: number;
}

async function rowsOf(size: Size): Promise<readonly Row[]> {
  const { rules, deliveries } = size;
  using folder = temporaryFolder();
  const ids = Array.from({ length: rules }, (_, index) => `yearly-${index}`);
  mkdirSync(join(folder.path, 'rules'));
  mkdirSync(join(folder.path, 'data'));
  for (const id of ids) writeFileSync(join(folder.path, 'rules', `${id}.yaml`), yearlyRule(id));
  const file = join(folder.path, 'data/fanfare.sqlite');
  if (deliveries > 0) writeLargeState({ file, rules: ids, deliveries, nowMs: Date.now() });

  const port = await freePort();
  const program = startFanfare({
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: join(folder.path, 'rules'),
    PORT: String(port),
    LOG_LEVEL: 'error',
  });
  const url = `http://127.0.0.1:${port}`;
  const of = deliveries > 0 ? `${deliveries.toLocaleString('en')} deliveries` : `${rules.toLocaleString('en')} rules`;
  const limitMs = deliveries > 0 ? LARGE_LIMIT_MS : PAGE_LIMIT_MS;
  try {
    await ready(url);
    const { pid = 0 } = program;
    const startMs = cpuMsOf(pid);
    const page = await fastest(() => get(`${url}/overview`));
    const metrics = await fastest(() => get(`${url}/metrics`));
    const [, waitedMs] = await Promise.all([get(`${url}/overview`), sleep(2).then(() => timed(() => get(`${url}/healthz`)))]);
    const rows: Row[] = [
      { measure: `page at ${of}`, figure: page.tookMs, unit: 'ms', aim: { atMost: limitMs } },
      { measure: '  size', figure: page.bytes / 1000, unit: 'kB' },
      { measure: '  a request during the page waits', figure: waitedMs.tookMs, unit: 'ms' },
      { measure: `metrics at ${of}`, figure: metrics.tookMs, unit: 'ms', aim: { atMost: limitMs } },
      { measure: `CPU until ready at ${of}`, figure: startMs, unit: 'ms' },
      { measure: '  memory', figure: memoryOf(pid).residentMb, unit: 'MB' },
    ];
    await end(program);
    if (deliveries > 0) rows.push({ measure: `resolve at ${of}`, figure: await lookupMs(file), unit: 'ms', aim: { atMost: limitMs } });
    return rows;
  } finally {
    await end(program);
  }
}

/** A rule that polls on the first of January only. */
export function yearlyRule(id: string): string {
  return `
id: ${id}
when: { cron: "0 0 1 1 *", timezone: UTC, watch: streaming.getGameStreams, with: { game: Chess }, take: 5, settle: 10m }
cooldown: 6h
then:
  - do: social.createPost
    with: { text: "\${{ item.title }} \${{ item.url }}" }
`;
}

/** Finds a delivery by the beginning of its id, as `fanfare resolve` does. */
async function lookupMs(file: string): Promise<number> {
  await using store = await openStore({ file });
  const { items } = await store.deliveryLog.list({ state: 'unknown', limit: 1 });
  const [delivery] = items;
  if (!delivery) throw new Error('no delivery is unknown');
  const name = delivery.id.slice(0, 8);
  return (await fastest(async () => (await store.deliveryLog.named(name)).length)).tookMs;
}

async function get(url: string): Promise<number> {
  const { statusCode, body } = await request(url, { reset: true, headersTimeout: 0, bodyTimeout: 0 });
  const bytes = (await body.arrayBuffer()).byteLength;
  if (statusCode !== 200) throw new Error(`${url} answers ${statusCode}`);
  return bytes;
}

interface Timed {
  readonly tookMs: number;
  readonly bytes: number;
}

async function timed(work: () => Promise<number>): Promise<Timed> {
  const beganMs = performance.now();
  const bytes = await work();
  return { tookMs: performance.now() - beganMs, bytes };
}

/** The fastest round, because other load on the machine slows single rounds. */
async function fastest(work: () => Promise<number>): Promise<Timed> {
  const beganMs = performance.now();
  let best = await timed(work);
  for (let round = 1; round < ROUNDS && performance.now() - beganMs < LONGEST_MS; round++) {
    const next = await timed(work);
    if (next.tookMs < best.tookMs) best = next;
  }
  return best;
}

/** Waits until a program answers. */
export async function ready(url: string): Promise<void> {
  for (const beganMs = performance.now(); performance.now() - beganMs < READY_TIMEOUT_MS; await sleep(20)) {
    const status = await request(`${url}/healthz`, { reset: true }).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      },
      () => undefined,
    );
    if (status === 200) return;
  }
  throw new Error(`${url} does not answer`);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('the system gave no port');
  return address.port;
}
