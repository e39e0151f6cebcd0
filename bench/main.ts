import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { groups } from './groups.ts';
import { build } from './job/programs.ts';
import { benchOtherVersion } from './other-version.ts';
import { installPeers } from './peers/install.ts';
import { formatTable, isReached, type Row } from './row.ts';

const HELP = `npm run bench -- [GROUP…] [--program FOLDER] [--json FILE] | --quick | --record

  GROUP             ${Object.keys(groups).join(', ')}; default: all
  --program FOLDER  measures another checkout of Fanfare
  --json FILE       writes the rows to a file
  --quick           compares ratios and counts with bench/recorded.json, in one to two minutes
  --record          writes bench/recorded.json`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string' },
    json: { type: 'string' },
    quick: { type: 'boolean' },
    record: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const { program, json, help, quick: isQuick, record: isRecorded } = values;
const unknown = positionals.filter((name) => !(name in groups));

if (help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `There is no group ${unknown.join(', ')}.\n\n${HELP}` : HELP);
  if (unknown.length > 0) process.exitCode = 2;
} else if (program !== undefined) {
  installPeers();
  process.exitCode = benchOtherVersion(program, [
    ...positionals,
    ...(json === undefined ? [] : ['--json', resolve(json)]),
    ...(isQuick ? ['--quick'] : []),
  ]);
} else {
  installPeers();
  // The benchmarks find their files and the program from here.
  process.chdir(join(import.meta.dirname, '..'));
  build('.');
  // The import needs the installed peers.
  const { quick, record } = await import('./quick/quick.ts');
  if (isRecorded) await record();
  else if (isQuick) process.exitCode = (await quick()) ? 0 : 1;
  else await measureAndPrint();
}

async function measureAndPrint(): Promise<void> {
  const rows = await measure(positionals.length > 0 ? positionals : Object.keys(groups));
  console.log(`\n${formatTable(rows)}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(rows, undefined, 2)}\n`);
  if (rows.some((row) => isReached(row) === false)) process.exitCode = 1;
}

async function measure(names: readonly string[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const name of names) {
    console.log(`measuring ${name} …`);
    try {
      const measured = (await groups[name]?.()) ?? [];
      if (measured.length > 0 && names.length > 1) console.log(formatTable(measured));
      rows.push(...measured);
    } catch (error) {
      console.error(`${name} could not be measured:`, error);
      process.exitCode = 1;
    }
  }
  return rows;
}
