import { z } from 'zod';

/** A file on the server of the account, as records name it. */
export const BlobRef = z.looseObject({ ref: z.object({ $link: z.string() }), mimeType: z.string(), size: z.int().min(0) });
export type BlobRef = z.output<typeof BlobRef>;

/** A file that a post can take. */
export interface UploadedFile {
  readonly kind: 'image' | 'gif' | 'video';
  readonly blob: BlobRef;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

const KINDS = ['image', 'gif', 'video'] as const;
const Numbered = z.coerce.number().pipe(z.int().min(1)).optional();
const Kept = z.object({
  kind: z.enum(KINDS),
  type: z.string().min(1),
  size: z.coerce.number().pipe(z.int().min(0)),
  width: Numbered,
  height: Numbered,
});

/** The id under which an upload is known outside: all that a post has to say of it. */
export function toUploadId({ kind, blob, width, height }: UploadedFile): string {
  const size = width !== undefined && height !== undefined ? { width: String(width), height: String(height) } : {};
  const said = new URLSearchParams({ kind, type: blob.mimeType, size: String(blob.size), ...size });
  return `${blob.ref.$link}?${said.toString()}`;
}

/** The upload that an id names; undefined for what is no such id. */
export function fromUploadId(id: string): UploadedFile | undefined {
  const [, cid, said] = /^([a-z2-7]{8,128})\?(.+)$/.exec(id) ?? [];
  const { data } = Kept.safeParse(Object.fromEntries(new URLSearchParams(said)));
  if (cid === undefined || !data) return undefined;
  const { kind, type: mimeType, size, width, height } = data;
  return { kind, blob: { $type: 'blob', ref: { $link: cid }, mimeType, size }, width, height };
}
