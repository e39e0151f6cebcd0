import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { missingAmong, type Omission } from '#src/clients/operation/part.ts';
import { fileText, isObject } from '#src/clients/operation/parameters.ts';
import type { UploadedMedia } from './records/media.ts';

const altText = z.string().optional().describe('The alternative text.');
const address = z.url({ protocol: /^https?$/i });
const content = {
  base64: z.base64().min(1).describe('The content.'),
  name: z.string().min(1).optional().describe('The file name.'),
};
const where = fileText(z.string().min(1), 'pathOrAddress').describe('A local path, or a web address.');

/** A file parameter: a location, its content or an earlier upload. */
export const FileParam = z.union(
  [
    where,
    z.strictObject({ path: fileText(z.string().min(1), 'path').describe('The local path.'), altText }),
    z.strictObject({ url: address.describe('The web address.'), altText }),
    z.strictObject({ ...content, altText }),
    z.strictObject({ id: z.string().min(1).describe('The id of an upload.'), altText }),
  ],
  { error: 'expected a path, an address, { path, altText }, { url, altText }, { bytes, name, altText }, or { id } of an upload' },
);
export type FileParam = z.output<typeof FileParam>;

/** The parameter of a file to upload. */
export const NewFileParam = z.union([where, z.strictObject(content)], { error: 'expected a path, an address, or { bytes, name }' });
export type NewFileParam = z.output<typeof NewFileParam>;

/** A file to upload: its path, its address or its content. */
export type NewFileChoice = NewFileParam | { readonly bytes: Uint8Array; readonly name?: string | undefined };

/** A file in a call: its location, with an optional alternative text; its content; or an earlier upload. */
export type FileChoice =
  | FileParam
  | readonly [pathOrAddress: string, altText: string]
  | { readonly bytes: Uint8Array; readonly name?: string | undefined; readonly altText?: string | undefined }
  | UploadedMedia;

/** The source of a file: its path, its address or its content. */
export type FileSource = string | { readonly bytes: Uint8Array; readonly name?: string | undefined };

/** The parameter for a file in a call. */
export function fileParam(file: FileChoice): z.input<typeof FileParam> {
  if (!isObject(file)) return file;
  if ('id' in file) return { id: file.id, altText: file.altText };
  if ('bytes' in file) return inBase64(file);
  if (!isPair(file)) return file;
  const [place, text] = file;
  return /^https?:\/\//iu.test(place) ? { url: place, altText: text } : { path: place, altText: text };
}

/** The parameter for a file to upload. */
export function newFileParam(file: NewFileChoice): z.input<typeof NewFileParam> {
  return isObject(file) && 'bytes' in file ? inBase64(file) : file;
}

function isPair(file: object): file is readonly [string, string] {
  return Array.isArray(file);
}

function inBase64<T extends { readonly bytes: Uint8Array }>({ bytes, ...rest }: T): Omit<T, 'bytes'> & { readonly base64: string } {
  return { ...rest, base64: Buffer.from(bytes).toString('base64') };
}

/** The source of a file to upload. */
export function sourceOf(file: NewFileParam): FileSource {
  return typeof file === 'string' ? file : { bytes: Buffer.from(file.base64, 'base64'), name: file.name };
}

/** A file to read, or an earlier upload. */
export type FileReference = ({ readonly source: FileSource; readonly id?: undefined } | { readonly id: string }) & {
  readonly altText?: string | undefined;
};

/** The source and the alternative text of a file parameter. */
export function fileReference(file: FileParam): FileReference {
  if (typeof file === 'string') return { source: file };
  const { altText } = file;
  if ('id' in file) return { id: file.id, altText };
  if ('path' in file) return { source: file.path, altText };
  return { source: 'url' in file ? file.url : sourceOf(file), altText };
}

/** The files in the parameters of a write. */
export function filesIn({ files }: JsonObject): readonly FileParam[] {
  return z.array(FileParam).safeParse(files).data ?? [];
}

/** Tries the files at paths and addresses with `read`, and returns those that fail. */
export async function missingFiles(params: JsonObject, read: (source: string) => Promise<unknown>): Promise<readonly Omission[]> {
  return missingAmong('files', filesIn(params), async (file) => {
    const { source } = { source: undefined, ...fileReference(file) };
    return typeof source === 'string' && read(source);
  });
}

/** Those of several files that `read` can read, for checks whether one post can have them. A single file excludes no other. */
export async function readableFiles<T>(files: readonly FileParam[] = [], read: (file: FileParam) => Promise<T>): Promise<readonly T[]> {
  if (files.length < 2) return [];
  const tried = await Promise.allSettled(files.map(read));
  return tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
