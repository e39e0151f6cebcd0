import { z } from 'zod';
import project from '../../../package.json' with { type: 'json' };

/** The database of an installation. */
export interface StoredSchema {
  readonly database: 'SQLite' | 'PostgreSQL';
  /** The version of the schema that this Fanfare writes. */
  readonly schema: number;
}

/** The installed Fanfare. */
export const AboutAnswer = z
  .object({
    version: z.string().describe('The version of Fanfare.'),
    license: z.string().describe('The license of Fanfare, as SPDX names it.'),
    node: z.string().describe('The version of Node.'),
    database: z.enum(['SQLite', 'PostgreSQL']).describe('The database.'),
    schema: z.int().describe('The version of the schema of the database.'),
  })
  .meta({ examples: [{ version: '0.1.0', license: 'MIT', node: 'v24.4.0', database: 'SQLite', schema: 19 }] });

/** The installed Fanfare as an answer. */
export function toAboutAnswer({ database, schema }: StoredSchema): z.output<typeof AboutAnswer> {
  return { version: project.version, license: project.license, node: process.version, database, schema };
}
