// Loaded into Fanfare before its first module: writes the number of statements into a file when the process receives SIGUSR2.
import { writeFileSync } from 'node:fs';
import { countStatements } from '../count-statements.ts';

const file = process.env['FANFARE_BENCH_STATEMENTS'] ?? '';
const counted = countStatements();
process.on('SIGUSR2', () => writeFileSync(file, String(counted.statements)));
