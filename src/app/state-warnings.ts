import { hasDataFile } from '#src/config/data-directory.ts';
import type { EnvironmentWarning } from '#src/config/environment-warnings.ts';
import { readConfig } from '#src/config/open-config.ts';
import { hasStarted } from '#src/store/sqlite/unused.ts';
import { isStateSkipped, stateFileOf } from './stored-state.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** A warning for commands about what Fanfare did, if it has not run with the state: the state of a service may be in another folder. */
export function otherStateWarnings(environment: Variables): readonly EnvironmentWarning[] {
  const { config } = readConfig(environment);
  const file = stateFileOf(config);
  if (config.databaseUrl !== undefined || (hasDataFile(file) && hasStarted(file))) return [];
  return [
    {
      where: file,
      message: 'Fanfare has not run with this state',
      hint: 'if it runs with another one, run the command in its folder, with its FANFARE_DATA',
    },
  ];
}

/** A warning for commands that check rules, if they do not read the state because Fanfare runs with an older format of it. */
export async function stateWarnings(environment: Variables): Promise<readonly EnvironmentWarning[]> {
  const { config } = readConfig(environment);
  if (!(await isStateSkipped(config))) return [];
  return [
    {
      where: stateFileOf(config),
      message: 'Fanfare is running with an older format of the state, which this command does not read',
      hint: 'rules that use lists of the state, text limits of servers, and changes since the last run are not checked',
    },
  ];
}
