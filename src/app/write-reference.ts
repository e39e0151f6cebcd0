import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilityTables } from './capability-tables.ts';
import { referenceFiles } from '#src/reference/reference.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/reference');
mkdirSync(folder, { recursive: true });
for (const [name, text] of referenceFiles(root, capabilityTables)) writeFileSync(join(folder, name), text);
