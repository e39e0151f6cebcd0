/** One part of a `multipart/form-data` body. */
export interface Part {
  readonly name: string;
  readonly content: Buffer;
}

const LINE = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');

/**
 * The parts of a body; undefined where it is none. Unlike a form of the platform, it keeps the bytes of a part without a file
 * name: clients send files so.
 */
export function readMultipart(body: Buffer, contentType: string): readonly Part[] | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return undefined;
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: Part[] = [];
  for (let start = body.indexOf(delimiter); start >= 0;) {
    const from = start + delimiter.length;
    if (body.subarray(from, from + 2).toString() === '--') return parts;
    const end = body.indexOf(Buffer.concat([LINE, delimiter]), from);
    const part = end < 0 ? undefined : readPart(body.subarray(from + LINE.length, end));
    if (!part) return undefined;
    parts.push(part);
    start = end + LINE.length;
  }
  return undefined;
}

function readPart(bytes: Buffer): Part | undefined {
  const headersEnd = bytes.indexOf(HEADERS_END);
  const [, name] = /^content-disposition:[^\r\n]*;\s*name="([^"]*)"/im.exec(bytes.subarray(0, Math.max(0, headersEnd)).toString()) ?? [];
  return headersEnd < 0 || name === undefined ? undefined : { name, content: Buffer.from(bytes.subarray(headersEnd + HEADERS_END.length)) };
}
