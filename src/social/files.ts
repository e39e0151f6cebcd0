import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { missingAmong, type Omission } from '#src/operation/part.ts';
import { fileText } from '#src/operation/text.ts';
import type { UploadedMedia } from './records/media.ts';

const altText = z.string().optional().describe('What it shows, for who cannot see it.');
const address = z.url({ protocol: /^https?$/i });
const content = {
  base64: z.base64().min(1).describe('What is in it.'),
  name: z.string().min(1).optional().describe('What it is called.'),
};
const where = fileText(z.string().min(1), 'pathOrAddress').describe('A path on this machine, or an address.');

/** A file as a parameter: where it is, what is in it, or what was uploaded before. */
export const FileParam = z.union([
  where,
  z.strictObject({ path: fileText(z.string().min(1), 'path').describe('Where it is on this machine.'), altText }),
  z.strictObject({ url: address.describe('Where it is.'), altText }),
  z.strictObject({ ...content, altText }),
  z.strictObject({ id: z.string().min(1).describe('Of an upload.'), altText }),
]);
export type FileParam = z.output<typeof FileParam>;

/** A file that is to be uploaded, as a parameter. */
export const NewFileParam = z.union([where, z.strictObject(content)]);
export type NewFileParam = z.output<typeof NewFileParam>;

/** A file that a call uploads: its path, its address, or what is in it. */
export type NewFileChoice = NewFileParam | { readonly bytes: Uint8Array; readonly name?: string | undefined };

/** A file as a call gives it: a path or an address, either with a text for who cannot see it, what is in it, or what was uploaded before. */
export type FileChoice =
  | FileParam
  | readonly [pathOrAddress: string, altText: string]
  | { readonly bytes: Uint8Array; readonly name?: string | undefined; readonly altText?: string | undefined }
  | UploadedMedia;

/** Where a file is, by its path or its address, or what is in it. */
export type FileSource = string | { readonly bytes: Uint8Array; readonly name?: string | undefined };

/** A file that a call gives, as a parameter. */
export function fileParam(file: FileChoice): z.input<typeof FileParam> {
  if (typeof file === 'string') return file;
  if ('id' in file) return { id: file.id, altText: file.altText };
  if ('bytes' in file) return inBase64(file);
  if ('path' in file || 'url' in file || 'base64' in file) return file;
  const [place, text] = file;
  return /^https?:\/\//iu.test(place) ? { url: place, altText: text } : { path: place, altText: text };
}

/** A file that a call uploads, as a parameter. */
export function newFileParam(file: NewFileChoice): z.input<typeof NewFileParam> {
  return typeof file === 'object' && 'bytes' in file ? inBase64(file) : file;
}

function inBase64<T extends { readonly bytes: Uint8Array }>({ bytes, ...rest }: T): Omit<T, 'bytes'> & { readonly base64: string } {
  return { ...rest, base64: Buffer.from(bytes).toString('base64') };
}

/** What of a file has to be read. */
export function sourceOf(file: NewFileParam): FileSource {
  return typeof file === 'string' ? file : { bytes: Buffer.from(file.base64, 'base64'), name: file.name };
}

/** A file that a parameter names: one that has to be read, or what was uploaded before. */
export type GivenFile = ({ readonly source: FileSource; readonly id?: undefined } | { readonly id: string }) & {
  readonly altText?: string | undefined;
};

/** Whether a file has to be read, and what is said of it to who cannot see it. */
export function givenFile(file: FileParam): GivenFile {
  if (typeof file === 'string') return { source: file };
  const { altText } = file;
  if ('id' in file) return { id: file.id, altText };
  if ('path' in file) return { source: file.path, altText };
  return { source: 'url' in file ? file.url : sourceOf(file), altText };
}

/** The files at addresses that a post would have to do without, as `read` fails for them. */
export async function missingFiles({ files }: JsonObject, read: (address: string) => Promise<unknown>): Promise<readonly Omission[]> {
  return missingAmong('files', z.array(FileParam).safeParse(files).data ?? [], async (file) => {
    const { source } = { source: undefined, ...givenFile(file) };
    return typeof source === 'string' && /^https?:\/\//iu.test(source) && read(source);
  });
}
