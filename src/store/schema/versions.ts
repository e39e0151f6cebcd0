import { ConfigError } from '#src/errors.ts';

/** A version of the schema. A released version never changes. */
export interface SchemaVersion {
  readonly sql: string;
}

/** The schema of version 0.1.0, and the migrations since then, oldest first. */
export interface Schema<V extends SchemaVersion = SchemaVersion> {
  /** The schema of a new database. */
  readonly base: V & { readonly version: number };
  readonly migrations: readonly V[];
}

/** Is called before the migration of a stored state, which can take minutes. The numbers are versions of the schema. */
export type OnMigrate = (versions: { readonly from: number; readonly to: number }) => void;

export function newestVersion({ base, migrations }: Schema): number {
  return base.version + migrations.length;
}

/** The step from a version to the next one; undefined: it is the newest. A database without a schema has the version 0. */
export function nextStep<V extends SchemaVersion>(
  { base, migrations }: Schema<V>,
  version: number,
): (V & { readonly version: number }) | undefined {
  if (version === 0) return base;
  const next = migrations[version - base.version];
  return next && { ...next, version: version + 1 };
}

/** Throws for a state from before version 0.1.0. `file` is the file, or the setting with the address, of the state. */
export function refuseOlder(version: number, { base }: Schema, file: string): void {
  if (version === 0 || version >= base.version) return;
  throw new ConfigError(
    `a Fanfare from before version 0.1.0 wrote this state (version ${version} of the database; this Fanfare reads ${base.version} and later)`,
    {
      file,
      hint: 'no version migrates it. To begin without a state, move it away, or set FANFARE_DATA or DATABASE_URL to another place',
    },
  );
}
