import { z } from 'zod';

/** How a text is read where it ends up, so that foreign text put into it stays text. */
export type TextKind =
  /** Discord's Markdown. */
  | 'markdown'
  /** A post: plain, but `@name` calls somebody. */
  | 'post';

/** Text in Discord's Markdown. */
export function markdownText(): z.ZodString {
  return z.string().meta({ text: 'markdown' satisfies TextKind });
}

/** The text of a post. */
export function postText(): z.ZodString {
  return z.string().meta({ text: 'post' satisfies TextKind });
}

/** How the text that `schema` describes is read; undefined for what is not read as markup anywhere. */
export function textKind(schema: z.ZodType): TextKind | undefined {
  const kind = schema.meta()?.['text'];
  return kind === 'markdown' || kind === 'post' ? kind : undefined;
}

/** How a text names a file: by its path on this machine, or by that or its address. */
export type FileTextKind = 'path' | 'pathOrAddress';

/** Marks a text that names a file: foreign text in it must not choose one of this machine. */
export function fileText(schema: z.ZodString, kind: FileTextKind): z.ZodString {
  return schema.meta({ file: kind });
}

/** How the text that `schema` describes names a file; undefined where it names none of this machine. */
export function fileTextKind(schema: z.ZodType): FileTextKind | undefined {
  const kind = schema.meta()?.['file'];
  return kind === 'path' || kind === 'pathOrAddress' ? kind : undefined;
}
