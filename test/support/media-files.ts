import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** How a video begins. */
export const MP4 = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1');

/** The path of a new file. */
export function fileWith(
  content: Buffer | string,
  { folder, name }: { readonly folder: { readonly path: string }; readonly name: string },
): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}
