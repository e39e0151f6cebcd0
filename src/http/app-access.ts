import type { AdapterOptions } from './adapter-options.ts';

/** Options of a platform that is read as an app, without a signed-in user. */
export interface AppAccess extends AdapterOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiUrl?: string | undefined;
  readonly authUrl?: string | undefined;
}
