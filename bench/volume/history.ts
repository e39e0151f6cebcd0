// Totals of a year, and deliveries of one item among 200,000, as a step reads them.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { costOf, report } from './cost.ts';
import { openInstallation } from './installation.ts';
import { NOW_MS, READINGS } from './readings.ts';

const ROUNDS = 5;
const [name = '', file = ''] = process.argv.slice(2);
const reading = READINGS[name];
if (!reading) throw new Error(`there is no reading ${name}`);

using folder = temporaryFolder();
copyFileSync(file, join(folder.path, 'fanfare.sqlite'));
await using installation = await openInstallation({ folder: folder.path, nowMs: NOW_MS });
const { verb, params, items } = reading;
async function read(): Promise<void> {
  const answer = await installation.history(verb, params);
  if (answer.items.length !== items) throw new Error(`${name} has ${answer.items.length} records, instead of ${items}`);
}
const first = await costOf(read);
const repeated = await costOf(read, ROUNDS);
report({ first, repeated });
