import type { CallOptions } from '#src/operation/call.ts';
import { missingAmong, type Omission } from '#src/operation/part.ts';
import type { MediaLimits } from './medium.ts';
import { readMedium } from './read-medium.ts';

export interface MissingFilesOptions extends CallOptions {
  readonly limits: MediaLimits;
  readonly accountOrigin: string;
}

/** The files at addresses that a post would have to do without: they cannot be read, or are not taken. */
export async function missingFiles(addresses: readonly (string | undefined)[], options: MissingFilesOptions): Promise<readonly Omission[]> {
  return missingAmong('files', addresses, async (address) => address !== undefined && readMedium(address, options));
}
