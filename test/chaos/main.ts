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
  const folder = options.folder === undefined ? mkdtempSync(join(tmpdir(), 'fanfare-chaos-')) : resolve(options.folder);
  const isClean = await runChaos({
    options,
    folder,
    log: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
    signal: stop.signal,
  });
  if (!isClean) process.exitCode = 1;
}
