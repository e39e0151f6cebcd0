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

/** Marks a text of which foreign text alone may only be an address: it must not choose a file of this machine. */
export function addressOrOwnText(schema: z.ZodString): z.ZodString {
  return schema.meta({ foreign: 'address' });
}

/** Whether foreign text may only be an address there. */
export function isAddressOrOwnText(schema: z.ZodType): boolean {
  return schema.meta()?.['foreign'] === 'address';
}
