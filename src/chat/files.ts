import { z } from 'zod';
import { fileText } from '#src/operation/text.ts';

const about = {
  altText: z.string().max(1024).optional().describe('What it shows, for who cannot see it.'),
  optional: z.boolean().optional().describe('Whether the message goes out without it where it cannot be attached.'),
};
const address = z.url({ protocol: /^https?$/ });

const File = z.union([
  address.describe('An address.'),
  z.strictObject({ url: address.describe('Where it is.'), ...about }),
  z.strictObject({ path: fileText(z.string().min(1), 'path').describe('Where it is on this machine.'), ...about }),
  z.strictObject({ base64: z.base64().describe('What is in it.'), name: z.string().min(1).describe('What it is called.'), ...about }),
]);
type File = z.output<typeof File>;

/** What is attached to a message. */
export const Files = z
  .array(File)
  .max(10)
  .optional()
  .describe(
    'What is attached: addresses, from http or https, fetched when the message is sent, or { path, altText }. At most 10 MiB each.',
  );

interface Bytes extends Pick<Extract<File, { readonly base64: string }>, 'name' | 'altText' | 'optional'> {
  readonly bytes: Uint8Array;
}

/** A file as code names it: as a rule does, or by what is in it. */
export type FileChoice = File | Bytes;

/** The parameter that names a file. */
export function fileParam(file: FileChoice): File {
  if (typeof file === 'string' || !('bytes' in file)) return file;
  const { bytes, ...rest } = file;
  return { ...rest, base64: Buffer.from(bytes).toString('base64') };
}
