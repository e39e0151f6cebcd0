import type { SchemaVersion } from './migrate.ts';
import { VERSION_1 } from './version-1.ts';
import { VERSION_2 } from './version-2.ts';
import { VERSION_3 } from './version-3.ts';
import { VERSION_4 } from './version-4.ts';
import { VERSION_5 } from './version-5.ts';
import { VERSION_6 } from './version-6.ts';
import { VERSION_7 } from './version-7.ts';
import { VERSION_8 } from './version-8.ts';

/** The versions of the schema, oldest first. Migrations run forward only. A released version never changes; add a new one below. */
export const SCHEMA: readonly SchemaVersion[] = [VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5, VERSION_6, VERSION_7, VERSION_8];
