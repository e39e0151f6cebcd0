// Adds up the counts that bin/test.mjs left in a folder, and prints one line.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const runs = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
rmSync(folder, { recursive: true });

for (const failure of runs.flatMap(({ failures }) => failures)) console.log(`failed: ${failure}`);
const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
const skipped = sum('skipped');
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = sum('failed') > 0 ? 1 : 0;
