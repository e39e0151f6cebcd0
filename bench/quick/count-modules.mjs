// Loaded into Fanfare before its first module: writes one line for each file that it loads.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) appendFileSync(process.env.FANFARE_BENCH_MODULES, `${url}\n`);
    return nextLoad(url, context);
  },
});
