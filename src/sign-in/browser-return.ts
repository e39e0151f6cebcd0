import { openCallback, redirectUriOf, type Callback } from './callback.ts';
import { addToDotEnv } from './dot-env.ts';
import { readSentBack } from './redirect-parameters.ts';

/** What `fanfare auth` takes answers with, and where it puts them. */
export interface Returning {
  readonly redirectUri: string;
  readonly openCallback: (state: string) => Promise<Callback>;
  readonly readSentBack: typeof readSentBack;
  readonly write: (variables: Readonly<Record<string, string>>) => Promise<void>;
}

/** Browsers come back to a port of this machine; what is typed goes into `.env`. */
export function returningTo(port: number): Returning {
  return {
    redirectUri: redirectUriOf(port),
    openCallback: (state) => openCallback(port, state),
    readSentBack,
    write: (variables) => addToDotEnv('.env', variables),
  };
}
