import { randomUUID } from 'node:crypto';

/** A file that goes with a message. */
export interface Attached {
  /** Letters, digits, dots, dashes and underscores. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly altText?: string | undefined;
}

/** The files as the form names them that they go with. */
export function toAttachments(files: readonly Attached[]): readonly object[] {
  return files.map(({ name, altText }, id) => ({ id, filename: name, description: altText }));
}

/** A form and its files as one body, with the header that says so. */
export function toMultipart(
  payload: object,
  files: readonly Attached[],
): { readonly body: Uint8Array; readonly headers: Record<string, string> } {
  const boundary = `fanfare-${randomUUID()}`;
  const parts = [
    part(boundary, 'name="payload_json"', 'application/json'),
    Buffer.from(JSON.stringify(payload)),
    ...files.flatMap(({ name, contentType, bytes }, index) => [
      part(boundary, `name="files[${index}]"; filename="${name}"`, contentType),
      bytes,
    ]),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ];
  return { body: Buffer.concat(parts), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

function part(boundary: string, disposition: string, contentType: string): Buffer {
  return Buffer.from(`\r\n--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${contentType}\r\n\r\n`);
}
