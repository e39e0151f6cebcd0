import { z } from 'zod';
import { parseJson } from '#src/http/parse-json.ts';

/** A line of the filtered stream, without the text of a post. */
export type StreamLine =
  /** A post, with the rules that match it. */
  | { readonly kind: 'post'; readonly id: string; readonly rules: readonly { readonly id: string; readonly tag?: string | undefined }[] }
  /** X ends the stream. */
  | { readonly kind: 'end'; readonly reason: string };

const Id = z.string().regex(/^\d{1,19}$/u);
const Line = z.union([
  z
    .object({ data: z.object({ id: Id }), matching_rules: z.array(z.object({ id: z.string(), tag: z.string().optional() })) })
    .transform(({ data, matching_rules: rules }): StreamLine => ({ kind: 'post', id: data.id, rules })),
  z
    .object({ errors: z.tuple([z.object({ title: z.string().regex(/^[\w -]{1,60}$/u) })], z.unknown()) })
    .transform(({ errors: [{ title }] }): StreamLine => ({ kind: 'end', reason: title })),
]);

/** Reads a line; undefined if it is malformed. */
export function readStreamLine(text: string): StreamLine | undefined {
  return Line.safeParse(parseJson(text)).data;
}
