import type { Config } from '#src/config/config.ts';
import { ConfigError } from '#src/errors.ts';
import { stateFileOf } from './stored-state.ts';

/** Why a start with these accounts is refused on a state of other ones. */
export function otherEnvironment(config: Pick<Config, 'sandbox' | 'databaseUrl' | 'dataDirectory'>): ConfigError {
  const file = config.databaseUrl === undefined ? stateFileOf(config) : 'DATABASE_URL';
  return config.sandbox === 'none'
    ? new ConfigError('another process runs the sandbox on this state', {
        file,
        hint: 'stop all processes, then start Fanfare again; a killed process counts as running for 20 seconds',
      })
    : new ConfigError('the state belongs to real accounts, and the sandbox would end their episodes', {
        file,
        hint: 'set the credentials of the accounts again, for example in .env. For the sandbox, set FANFARE_DATA to another folder',
      });
}
