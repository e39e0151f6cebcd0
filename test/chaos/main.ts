import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readOptions, USAGE } from './options.ts';
import { runChaos } from './run.ts';

const options = readOptions(process.argv.slice(2));
if (!options) console.log(USAGE);
else {
  const stop = new AbortController();
  process.on('SIGINT', () => {
    if (stop.signal.aborted) process.exit(130);
    console.log('ending the faults; the checker decides about what happened until now');
    stop.abort();
  });
  const { seed, scale, workers, people } = options;
  const pace = options.paceMs.map((ms) => ms / 1_000).join('-');
  const folder = options.folder === undefined ? mkdtempSync(join(tmpdir(), 'fanfare-chaos-')) : resolve(options.folder);
  const violations = await runChaos({
    options,
    folder,
    repeatedBy: `npm run chaos -- --seed ${seed} --scale ${scale} --workers ${workers} --pace ${pace} --people ${people}`,
    log: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
    signal: stop.signal,
  });
  // Connections that the proxies reset can keep Node busy forever when it cleans up at its end.
  process.exit(violations.length > 0 ? 1 : 0);
}
