import { readConfig } from '#src/config/open-config.ts';
import { isStateSkipped, stateFileOf } from './stored-state.ts';

/** A warning for commands that check rules, if they do not read the state because Fanfare runs with an older format of it. */
export async function stateWarnings(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly { readonly where: string; readonly message: string; readonly hint: string }[]> {
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
