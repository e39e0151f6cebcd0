import { isJsonObject, type Json } from './json.ts';

/** The defaults of posts of an account, as the operator set them. */
export interface PostDefaults {
  /** The content warning. */
  readonly warning?: string | undefined;
  /** Whether files are hidden until a click. */
  readonly sensitive?: boolean | undefined;
  /** Whether a post with a file without a description is refused. */
  readonly requireDescription?: boolean | undefined;
}

/** Whether a file has a description, or is an upload, which may have one. */
export function isDescribed(file: Json | undefined): boolean {
  if (!isJsonObject(file)) return false;
  const { altText } = file;
  return 'id' in file || (typeof altText === 'string' && altText.trim() !== '');
}
