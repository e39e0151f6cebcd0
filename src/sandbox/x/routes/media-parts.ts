import { z } from 'zod';
import { readMultipart } from '../media/multipart.ts';
import { invalid } from '../problem.ts';
import type { XRequest } from '../request.ts';

/** What came with an upload, in whichever of the ways that X takes. */
export interface Parts {
  readonly values: Readonly<Record<string, unknown>>;
  readonly file: Buffer | undefined;
}

const Fields = z.record(z.string(), z.unknown());

/** Of a form with a file, or of JSON with the file in base64; what stands in the query counts as well. */
export async function partsOf(request: XRequest): Promise<Parts> {
  const inQuery = Object.fromEntries(request.query);
  const { values, file } = await inBody(request);
  return { values: { ...inQuery, ...values }, file };
}

async function inBody({ contentType, bytes, json }: XRequest): Promise<Parts> {
  if (/^multipart\/form-data/i.test(contentType)) {
    const parts = readMultipart(await bytes(), contentType);
    if (!parts) throw invalid({ message: 'The form is not well formed.' });
    const isFile = (name: string): boolean => name === 'media' || name === 'media_data';
    const values = parts.filter(({ name }) => !isFile(name)).map(({ name, content }) => [name, content.toString()] as const);
    const file = parts.find(({ name }) => isFile(name));
    return {
      values: Object.fromEntries(values),
      file: file?.name === 'media_data' ? Buffer.from(file.content.toString(), 'base64') : file?.content,
    };
  }
  const isForm = /^application\/x-www-form-urlencoded/i.test(contentType);
  const fields = Fields.safeParse(isForm ? Object.fromEntries(new URLSearchParams((await bytes()).toString())) : await json());
  if (!fields.success) throw invalid({ message: '$: is not an object' });
  const { media, media_data: encoded = media, ...values } = fields.data;
  return { values, file: typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : undefined };
}
