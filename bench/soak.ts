import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { freePort } from '../test/support/free-port.ts';
import { end, memoryOf, startFanfare } from './child-process.ts';

const MINUTES = 24;
/** Caches fill and V8 settles in the first minutes. */
const WARM_MINUTES = 8;
const MINUTE_MS = 60_000;
/** The gateway closes once in this many minutes, so that the bot reconnects. */
const RECONNECT_EACH_MINUTES = 3;
/** In the same minutes of an hour, V8 and the allocator of the C library vary by a few megabytes. */
const GROWTH_LIMIT_MB_PER_HOUR = 20;
const WIDTHS = [8, 13, 12, 10, 9];

const Ready = z.object({ ready: z.boolean() });

/** The real program with the sandbox and Discord: fails if its memory grows. */
async function soak(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'fanfare-soak-'));
  const port = await freePort();
  const [url, sandbox] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`];
  const app = startFanfare({ PORT: String(port), FANFARE_DATA: directory, LOG_LEVEL: 'error' });
  const figures: { readonly minute: number; readonly residentMb: number }[] = [];
  try {
    await untilReady(url);
    console.log('  minute   resident MB   private MB   messages   Discord');
    for (let minute = 1; minute <= MINUTES; minute++) {
      await sleep(MINUTE_MS);
      if (app.pid === undefined || app.exitCode !== null) throw new Error('Fanfare ended');
      const { residentMb, privateMb } = memoryOf(app.pid);
      figures.push({ minute, residentMb });
      const { items } = z.object({ items: z.array(z.unknown()) }).parse(await getJson(`${sandbox}/control/messages`));
      const { ready } = Ready.parse(await getJson(`${url}/readyz`));
      const row = [String(minute), residentMb.toFixed(1), privateMb.toFixed(1), String(items.length), ready ? 'ready' : 'not ready'];
      console.log(row.map((cell, index) => cell.padStart(WIDTHS[index] ?? 0)).join(' '));
      // The bot resumes after a drop, and identifies again after an invalid session.
      if (minute % RECONNECT_EACH_MINUTES === 1) await reconnect(sandbox, minute % 2 === 0 ? 'drop' : 'invalidSession');
    }
  } finally {
    await end(app);
    rmSync(directory, { recursive: true, force: true });
  }
  const settled = figures.filter(({ minute }) => minute > WARM_MINUTES);
  const growth = slope(settled.map(({ minute, residentMb }) => [minute / 60, residentMb]));
  console.log(`growth after minute ${WARM_MINUTES}: ${growth.toFixed(1)} MB per hour, limit ${GROWTH_LIMIT_MB_PER_HOUR}`);
  if (!(growth <= GROWTH_LIMIT_MB_PER_HOUR)) process.exitCode = 1;
}

/** The slope of the line with the smallest squared distances. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const weights = points.map(([x]) => x - meanX);
  const rise = points.reduce((sum, [, y], index) => sum + (weights[index] ?? 0) * (y - meanY), 0);
  return rise / weights.reduce((sum, weight) => sum + weight ** 2, 0);
}

async function reconnect(sandbox: string, order: 'drop' | 'invalidSession'): Promise<void> {
  const { statusCode, body } = await request(`${sandbox}/control/discord/gateway`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ do: order }),
  });
  if (statusCode >= 300) throw new Error(`the sandbox refused "${order}": ${await body.text()}`);
  await body.dump();
}

async function getJson(url: string): Promise<unknown> {
  return (await request(url)).body.json();
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await getJson(`${url}/readyz`).catch(() => undefined);
    if (Ready.safeParse(answer).data?.ready) return;
    await sleep(100);
  }
  throw new Error('Fanfare is not ready after a minute');
}

await soak();
