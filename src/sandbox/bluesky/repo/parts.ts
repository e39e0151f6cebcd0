import { z } from 'zod';
import { countGraphemes } from '#src/operation/text/graphemes.ts';
import { Cid, Did } from '../xrpc/params.ts';

const DATETIME = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d(\.\d{1,20})?(Z|[+-][0-2]\d:[0-5]\d)$/;
const LANGUAGE = /^(i|[a-zA-Z]{2,3})(-[a-zA-Z0-9]+)*$/;
const URI = /^[a-zA-Z][a-zA-Z0-9+.-]{0,80}:[^\s]+$/;

export const Datetime = z
  .string()
  .refine(
    (text) => DATETIME.test(text) && !text.endsWith('-00:00') && !Number.isNaN(Date.parse(text)),
    'must be an valid atproto datetime',
  );
export const Language = z.string().refine((text) => LANGUAGE.test(text), 'must be a well-formed BCP 47 language tag');
export const Uri = z.string().refine((text) => URI.test(text) && text.length <= 8192, 'must be a uri');

/** A text that is no longer than this, as readers count and in UTF-8. */
export function limited({ graphemes, bytes }: { readonly graphemes: number; readonly bytes: number }) {
  return z
    .string()
    .refine((text) => Buffer.byteLength(text) <= bytes, `must not be longer than ${bytes} characters`)
    .refine((text) => countGraphemes(text) <= graphemes, `must not be longer than ${graphemes} graphemes`);
}

/** Shapes by the `$type` that names them. */
type Shapes = Readonly<Record<string, z.ZodType>>;

/** One of several shapes; one that is not known is let through, as the platform does. */
export function union(shapes: Shapes) {
  return z.looseObject({ $type: z.string() }).superRefine((value, context) => {
    const checked = shapes[value.$type]?.safeParse(value);
    for (const issue of checked?.error?.issues ?? []) {
      const { message, path } = issue;
      context.addIssue({ code: 'custom', message, path, ...(issue.code === 'custom' && { params: issue.params }) });
    }
  });
}

/** A file that was uploaded before; `accept` is a type, as `image/*`. */
export function blob({ accept, most }: { readonly accept: readonly string[]; readonly most: number }) {
  const fits = (type: string): boolean => accept.some((one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))));
  return z
    .looseObject({ $type: z.literal('blob'), ref: z.strictObject({ $link: Cid }), mimeType: z.string(), size: z.int().min(1) })
    .superRefine(({ mimeType, size }, context) => {
      const refuse = (error: string, message: string): void => context.addIssue({ code: 'custom', message, params: { error } });
      if (size > most) refuse('BlobTooLarge', `This file is too large. It is ${size} bytes but the maximum size is ${most} bytes.`);
      if (!fits(mimeType)) refuse('InvalidMimeType', `Wrong type of file. It is ${mimeType} but it must match ${accept.join(', ')}.`);
    });
}

export const Facet = z.looseObject({
  index: z.looseObject({ byteStart: z.int().min(0), byteEnd: z.int().min(0) }),
  features: z.array(
    union({
      'app.bsky.richtext.facet#mention': z.looseObject({ did: Did }),
      'app.bsky.richtext.facet#link': z.looseObject({ uri: Uri }),
      'app.bsky.richtext.facet#tag': z.looseObject({ tag: limited({ graphemes: 64, bytes: 640 }) }),
    }),
  ),
});

export const SelfLabels = union({
  'com.atproto.label.defs#selfLabels': z.looseObject({
    values: z.array(z.looseObject({ val: limited({ graphemes: 128, bytes: 128 }) })).max(10),
  }),
});
